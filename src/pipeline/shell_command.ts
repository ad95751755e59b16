/**
 * What a shell line runs: pipelines of simple commands, without the wrappers around them.
 *
 * A reading for decisions, not a shell: substitutions stay unread, keywords are passed over,
 * and what cannot be read is left out.
 * @module
 */
import { errorMessage } from "../core/errors.ts";
import { Splitter } from "./shell_pieces.ts";
import { parse as parseWords } from "shell-quote";

/** One program call. */
export interface ShellCommand {
  /** Program and arguments, unquoted; variables stay `$NAME`. Assignments, keywords and wrappers such as `sudo` are gone. */
  readonly words: readonly string[];
  /** Whether `xargs` appends further arguments. */
  readonly viaXargs: boolean;
  /** File that standard input comes from, if one is named. */
  readonly input: string | undefined;
  /** Whether standard output goes to a file. */
  readonly redirected: boolean;
  /** What the script of `sh -c script` runs. */
  readonly inner: readonly Pipeline[];
}

/** Commands joined by `|`. */
export type Pipeline = readonly ShellCommand[];

/** Longest line that is read, in UTF-16 units. */
export const MAX_LINE = 16 * 1024;
/** Commands read of one line: each costs about 10 µs. */
const MAX_COMMANDS = 256;
/** Depth of `sh -c "sh -c …"`. */
const MAX_DEPTH = 3;

/**
 * Pipelines in order of a line with `;`, `&&`, `||`, line feeds, subshells. None for a line above 16 KB or
 * with more than 256 commands. Never throws.
 */
export function parseShellLine(line: string, depth = 0): readonly Pipeline[] {
  if (line.length > MAX_LINE || depth > MAX_DEPTH) return [];
  const pipelines = new Splitter(line).split();
  const commands = pipelines.reduce((sum, { length }) => sum + length, 0);
  if (commands > MAX_COMMANDS) return [];
  return pipelines.map((pipeline) =>
    pipeline.map((piece) => readPiece(piece, depth))
  );
}

/** The command of an argument list that no shell has to split. */
export function commandOfWords(words: readonly string[]): ShellCommand {
  return makeCommand({ words, input: undefined, redirected: false }, 0);
}

/** A command before wrappers are peeled. */
type RawCommand = Pick<ShellCommand, "words" | "input" | "redirected">;

type Token = string | { readonly op?: string; readonly pattern?: string };

function readPiece(piece: string, depth: number): ShellCommand {
  const words: string[] = [];
  let input: string | undefined;
  let redirected = false;
  const tokens = tokensOf(piece);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const word = wordOf(token);
    if (word !== undefined) {
      words.push(word);
      continue;
    }
    const operator = typeof token === "string" ? "" : token.op ?? "";
    if (!/^[<>]/.test(operator)) continue;
    const target = wordOf(tokens[++i] ?? "") ?? "";
    if (operator === "<") input = target;
    if (!operator.startsWith(">")) continue;
    const stream = /^\d$/.test(words.at(-1) ?? "") ? words.pop() : "1";
    const copies = operator === ">&" && /^[\d-]$/.test(target);
    if (stream === "1" && !copies) redirected = true;
  }
  return makeCommand({ words, input, redirected }, depth);
}

function wordOf(token: Token): string | undefined {
  return typeof token === "string" ? token : token.pattern;
}

/** No words for what the word splitter refuses: `${` without a name or an end. */
function tokensOf(piece: string): readonly Token[] {
  try {
    return parseWords(piece, (name: string) => `$${name}`);
  } catch (error) {
    if (!errorMessage(error).startsWith("Bad substitution")) throw error;
    return [];
  }
}

const KEYWORDS: ReadonlySet<string> = new Set(
  ["do", "then", "else", "elif", "if", "while", "until", "{", "!"],
);
const SHELLS: ReadonlySet<string> = new Set(
  ["sh", "bash", "zsh", "dash", "ksh", "ash"],
);
/** Programs that run the program behind them, with their options that take a value. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["sudo", "-u -g -h -p -C -r -t -U -D -R -T"],
  ["doas", "-u -C"],
  ["env", "-u -C --unset --chdir"],
  ["time", "-f -o"],
  ["nice", "-n"],
  ["ionice", "-c -n"],
  ["nohup", ""],
  ["stdbuf", "-i -o -e"],
  ["timeout", "-k -s --signal --kill-after"],
  ["command", ""],
  ["builtin", ""],
  ["exec", "-a"],
  ["xargs", "-I -n -P -L -d -E -s -a"],
  ["rtk", ""],
]);

function makeCommand(raw: RawCommand, depth: number): ShellCommand {
  const { words, viaXargs } = peel(raw.words);
  const script = scriptOf(words);
  const inner = script === undefined ? [] : parseShellLine(script, depth + 1);
  return { ...raw, words, viaXargs, inner };
}

function peel(words: readonly string[]) {
  let viaXargs = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (KEYWORDS.has(word) || /^[A-Za-z_]\w*\+?=/.test(word)) continue;
    const values = WRAPPERS.get(programOf(word));
    if (values === undefined) break;
    if (programOf(word) === "xargs") viaXargs = true;
    while (words[at + 1]?.startsWith("-")) {
      at += values.split(" ").includes(words[at + 1]!) ? 2 : 1;
    }
    if (programOf(word) === "timeout") at++;
  }
  return { words: words.slice(at), viaXargs };
}

/** Base name of a program: `cat` for `/bin/cat`. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/, "");
}

function scriptOf(words: readonly string[]): string | undefined {
  if (!SHELLS.has(programOf(words[0] ?? ""))) return undefined;
  const option = words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return option < 0 ? undefined : words[option + 1];
}

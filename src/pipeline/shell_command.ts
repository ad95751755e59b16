/**
 * What a shell line runs: pipelines of simple commands, without the wrappers around them.
 *
 * A reading for decisions, not a shell: substitutions stay unread, keywords are passed over,
 * and what cannot be read is left out.
 * @module
 */
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
/** Words read of one command; the word splitter's cost grows with their square. */
const MAX_WORDS = 64;
/** Longest piece that is handed to the word parser, in UTF-16 units: its cost grows with the square. */
const MAX_PIECE = 2048;
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

/** Cuts a line at its operators; quotes and substitutions stay whole. */
class Splitter {
  readonly #text: string;
  #at = 0;
  #piece = "";
  #words = 0;
  #pipeline: string[] = [];
  #pipelines: string[][] = [];
  #heredocs: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  split(): readonly (readonly string[])[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endPipeline();
    return this.#pipelines;
  }

  #step(): void {
    const char = this.#text[this.#at]!;
    if (char === "'" || char === "`") this.#take(this.#quoted(char));
    else if (char === '"') this.#take(doubleQuoted(this.#text, this.#at));
    else if (char === "\\") this.#escape();
    else if ("$<>".includes(char)) this.#special(char);
    else if (char === "#") this.#comment();
    else if ("\n;|&()".includes(char)) this.#operator(char);
    else this.#plain(char);
  }

  #take(end: number): void {
    this.#add(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #add(text: string): void {
    if (this.#words < MAX_WORDS && this.#piece.length < MAX_PIECE) {
      this.#piece += text.slice(0, MAX_PIECE);
    }
  }

  #plain(char: string): void {
    const isSpace = /\s/.test(char);
    if (isSpace && !this.#atWordStart()) this.#words++;
    this.#add(isSpace ? " " : char);
    this.#at++;
  }

  #atWordStart(): boolean {
    return this.#piece === "" || this.#piece.endsWith(" ");
  }

  #quoted(quote: string): number {
    const end = this.#text.indexOf(quote, this.#at + 1);
    return end < 0 ? this.#text.length : end + 1;
  }

  #escape(): void {
    if (this.#text[this.#at + 1] === "\n") this.#at += 2;
    else this.#take(this.#at + 2);
  }

  /** `$(…)`, `<(…)`, redirections and here-documents. */
  #special(char: string): void {
    if (this.#text[this.#at + 1] === "(") {
      // What a substitution prints is not what the command prints.
      this.#add(char === "$" ? "$_" : "-");
      this.#at = closingParenthesis(this.#text, this.#at + 1);
    } else if (this.#text.startsWith("<<<", this.#at)) this.#take(this.#at + 3);
    else if (this.#text.startsWith("<<", this.#at)) this.#heredoc();
    else if (char === "$") this.#take(this.#at + 1);
    else {
      const follow = /^(?:>>|>&|<&|>\||[<>])/.exec(this.#rest())![0];
      this.#words++;
      this.#add(follow.replace("|", ""));
      this.#at += follow.length;
    }
  }

  #rest(): string {
    return this.#text.slice(this.#at, this.#at + 100);
  }

  #heredoc(): void {
    const match = /^<<-?[ \t]*(?:'([^']*)'|"([^"]*)"|\\?([^\s;&|<>()'"]+))/
      .exec(this.#rest());
    const delimiter = match?.slice(1).find((text) => text !== undefined);
    if (delimiter !== undefined) this.#heredocs.push(delimiter);
    this.#at += match?.[0].length ?? 2;
  }

  #comment(): void {
    if (!this.#atWordStart()) {
      // The word splitter would take the rest for a comment.
      this.#add("\\#");
      this.#at++;
      return;
    }
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #operator(char: string): void {
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (two === "&>") {
      this.#add(" >");
      this.#at += this.#text[this.#at + 2] === ">" ? 3 : 2;
    } else if (char === "|" && two !== "||") {
      this.#endPiece();
      this.#at += two === "|&" ? 2 : 1;
    } else if (char === "\n") this.#endLine();
    else {
      this.#endPipeline();
      this.#at += two === "||" || two === "&&" ? 2 : 1;
    }
  }

  /** A line feed after `|` goes on with the pipeline; then the bodies of here-documents are passed over. */
  #endLine(): void {
    if (this.#piece.trim() !== "") this.#endPipeline();
    this.#at++;
    for (const delimiter of this.#heredocs) {
      while (this.#at < this.#text.length) {
        if (this.#nextLine().trim() === delimiter) break;
      }
    }
    this.#heredocs = [];
  }

  #nextLine(): string {
    const start = this.#at;
    const end = this.#text.indexOf("\n", start);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return this.#text.slice(start, end < 0 ? undefined : end);
  }

  #endPiece(): void {
    if (this.#piece.trim() !== "") this.#pipeline.push(this.#piece);
    this.#piece = "";
    this.#words = 0;
  }

  #endPipeline(): void {
    this.#endPiece();
    if (this.#pipeline.length > 0) this.#pipelines.push(this.#pipeline);
    this.#pipeline = [];
  }
}

/** Index behind the quote that closes the one at `start`. */
function doubleQuoted(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Index behind the parenthesis that closes the one at `start`. */
function closingParenthesis(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === '"') i = doubleQuoted(text, i) - 1;
    else if (char === "'") {
      const end = text.indexOf("'", i + 1);
      i = end < 0 ? text.length : end;
    } else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return i + 1;
  }
  return text.length;
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

/** No words for what the word splitter refuses, e.g. `${`. */
function tokensOf(piece: string): readonly Token[] {
  try {
    return parseWords(piece, (name: string) => `$${name}`);
  } catch {
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

/** How far the result of a tool call may be compressed, judged by the call alone. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type { NamedToolRule } from "../core/decision.ts";
import { RETRIEVAL_TOOL } from "../core/retrieval.ts";
import {
  commandOfWords,
  MAX_LINE,
  parseShellLine,
  type Pipeline,
  programOf,
  type ShellCommand,
} from "./shell_command.ts";

/** What may happen to the result of one call. */
export type ToolPolicy =
  /** Originals that were asked for, answers to edits: never compressed. */
  | { readonly rule: "never" }
  /** A file that an agent may edit from; `path` when the call names exactly one. */
  | {
    readonly rule: "read";
    readonly path?: string;
    /** Nothing may be left out, data or not. */
    readonly lossless?: true;
  }
  /** Nothing may be left out. */
  | { readonly rule: "lossless" }
  | { readonly rule: "normal"; readonly path?: string };

const NEVER: ToolPolicy = { rule: "never" };
const NORMAL: ToolPolicy = { rule: "normal" };

/** Longest arguments that are parsed, in UTF-16 units: those of a long shell line, escaped. */
const MAX_ARGUMENTS = 128 * 1024;

/** Route of the proxy that gives originals back. */
const RETRIEVE_ROUTE = "/v1/retrieve";

const EDIT_TOOLS = namesOf(
  "write edit multi_edit notebook_edit apply_patch apply_diff edit_file write_file create_file " +
    "update_file delete_file replace replace_in_file write_to_file insert_edit_into_file " +
    "search_replace str_replace file_write file_edit insert_content edit_notebook",
);
const READ_TOOLS = namesOf(
  "read view cat skill read_file view_file open_file file_read fs_read get_file_contents " +
    "read_text_file read_multiple_files read_many_files notebook_read read_notebook",
);
const SHELL_TOOLS = namesOf(
  "bash sh shell terminal exec local_shell local_shell_call shell_command exec_command " +
    "execute_command execute_bash bash_tool run_command run_shell_command run_terminal_cmd " +
    "run_terminal_command run_in_terminal",
);
/** One tool whose `command` says what it does. */
const EDITOR_TOOLS = namesOf(
  "str_replace_editor str_replace_based_edit_tool text_editor",
);

const PATH_KEYS = [
  "file_path",
  "path",
  "filePath",
  "target_file",
  "absolute_path",
  "relative_path",
  "notebook_path",
  "filename",
  "file",
] as const;
const COMMAND_KEYS = ["command", "cmd", "script"] as const;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Judges one call. Never throws; linear and bounded in `args`.
 *
 * @param toolName As the client declared it, with any `mcp__server__` prefix; `undefined` when unknown.
 * @param args JSON text of the call's arguments; what is no JSON object counts as no arguments.
 * @param named Rules of the user; the first that fits wins over everything but a retrieval.
 * @returns `normal` for everything that is not known to need care.
 */
export function toolPolicy(
  toolName: string | undefined,
  args: string | undefined,
  named: readonly NamedToolRule[] = [],
): ToolPolicy {
  if (toolName === undefined) return NORMAL;
  if (isRetrievalTool(toolName)) return NEVER;
  const values = parseArguments(args);
  const own = ownPolicy(toolName, values);
  const given = ruleFor(toolName, named);
  if (given === undefined || own.rule === "never" && given === "lossless") {
    return own;
  }
  if (given === "never" || givesOriginal(toolName, values)) return NEVER;
  if (given === "normal") return { ...own, rule: "normal" };
  return own.rule === "read" ? { ...own, lossless: true } : { rule: given };
}

/** Paths that a patch names. */
const PATCHED = /^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$/gm;

/** Files that the call edits, as far as its arguments name them; empty for one that edits none. */
export function editedPaths(
  toolName: string,
  args: string,
): readonly string[] {
  const values = parseArguments(args);
  const isEdit = isNamed(toolName, EDIT_TOOLS) ||
    (isNamed(toolName, EDITOR_TOOLS) && values["command"] !== "view");
  if (!isEdit) return [];
  const patches = [args, ...Object.values(values)].flatMap((text) =>
    typeof text === "string" && text.length <= MAX_ARGUMENTS
      ? [...text.matchAll(PATCHED)].map(([, path = ""]) => path.trim())
      : []
  );
  return [...pathsIn(values), ...patches];
}

/** Arguments of a read that choose no part of the file. */
const NO_RANGE_KEYS: ReadonlySet<string> = new Set([
  ...PATH_KEYS,
  ...["command", "description", "explanation", "reason", "encoding"],
  "should_read_entire_file",
]);
/** Programs that print a file from its first line to its last. */
const WHOLE_READERS: ReadonlySet<string> = new Set(["cat", "nl"]);

/**
 * Whether a call that reads one file asks for all of it, and for nothing else. An argument that is not known may name a
 * part. Never throws.
 *
 * @param toolName See {@linkcode toolPolicy}.
 * @param args See {@linkcode toolPolicy}.
 */
export function readsWholeFile(
  toolName: string | undefined,
  args: string | undefined,
): boolean {
  const policy = toolPolicy(toolName, args);
  if (toolName === undefined || policy.rule !== "read" || !policy.path) {
    return false;
  }
  const values = parseArguments(args);
  if (isNamed(toolName, SHELL_TOOLS)) {
    const printing = shellPipelines(values).filter((line) => !isMove(line));
    return printing.length === 1 && printing.every(printsAll);
  }
  return Object.entries(values).every(([key, value]) =>
    value === null || NO_RANGE_KEYS.has(key)
  );
}

/** Whether a pipeline goes to another directory, and prints nothing. */
function isMove([first, ...others]: Pipeline): boolean {
  return others.length === 0 && first?.words[0] === "cd";
}

/** Whether a pipeline prints all of one file. */
function printsAll([command, ...others]: Pipeline): boolean {
  if (others.length > 0 || command === undefined) return false;
  const inner = command.inner.filter((line) => !isMove(line));
  if (inner.length > 0) return inner.length === 1 && inner.every(printsAll);
  return WHOLE_READERS.has(programOf(command.words[0] ?? "")) &&
    filesOf(command).length === 1;
}

function ownPolicy(toolName: string, values: Arguments): ToolPolicy {
  if (isNamed(toolName, EDIT_TOOLS)) return NEVER;
  if (isNamed(toolName, EDITOR_TOOLS)) {
    return values["command"] === "view" ? readOf(pathsIn(values)) : NEVER;
  }
  if (givesOriginal(toolName, values)) return NEVER;
  if (isNamed(toolName, SHELL_TOOLS)) return shellPolicy(values);
  if (isNamed(toolName, READ_TOOLS)) return readOf(pathsIn(values));
  return NORMAL;
}

/** Whether the call fetches or prints an original. */
function givesOriginal(toolName: string, values: Arguments): boolean {
  if (!isNamed(toolName, SHELL_TOOLS)) {
    return [values["url"], values["uri"]].some(isRetrieval);
  }
  return printsOriginal(shellWords(values).join(" "));
}

/** The rule of the first pattern that fits a spelling of the name: with or without its server. */
function ruleFor(
  toolName: string,
  named: readonly NamedToolRule[],
): NamedToolRule["rule"] | undefined {
  if (named.length === 0) return undefined;
  const lower = toolName.toLowerCase();
  const flat = /^mcp_[^_]+_(.+)$/.exec(lower)?.[1];
  const names = [
    lower,
    lower.replace(/__/g, "_"),
    baseOf(lower),
    flat ?? lower,
  ];
  return named.find(({ pattern }) => names.some((name) => fits(name, pattern)))
    ?.rule;
}

/** Whether `name` fits a pattern with `*` and `?`. O(name · pattern), without backtracking further than the last `*`. */
function fits(name: string, pattern: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = at;
    } else if (
      p < pattern.length && (pattern[p] === "?" || pattern[p] === name[at])
    ) {
      at++;
      p++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether `name` is the retrieval tool, under any prefix that an MCP client may give it. */
export function isRetrievalTool(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.endsWith(RETRIEVAL_TOOL) &&
    !/[a-z0-9]/.test(lower.at(-RETRIEVAL_TOOL.length - 1) ?? "");
}

/** Stands for files that a command line does not name. */
const UNNAMED = "";

function readOf(paths: readonly string[]): ToolPolicy {
  const [path, ...others] = new Set(paths);
  return path === undefined || path === UNNAMED || others.length > 0
    ? { rule: "read" }
    : { rule: "read", path };
}

/** Spellings differ between clients: `MultiEdit`, `multi_edit`, `multi-edit`. */
function namesOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" ").map(squashed));
}

function squashed(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Shortest name that is recognised at the end of a flat prefix, as in `mcp_files_read_file`. */
const MIN_FLAT_NAME = 8;

/** A name without its server: `mcp__files__read`, `files.read`, `files/read`. */
function baseOf(toolName: string): string {
  return toolName.split(/__|[./:]/).at(-1)!;
}

function isNamed(toolName: string, names: ReadonlySet<string>): boolean {
  const base = squashed(baseOf(toolName));
  if (names.has(base)) return true;
  return /^mcp_/i.test(toolName) &&
    [...names].some((name) =>
      name.length >= MIN_FLAT_NAME && base.endsWith(name)
    );
}

function parseArguments(args: string | undefined): Arguments {
  if (args === undefined || args.length > MAX_ARGUMENTS) return {};
  const value = parseJson(args);
  const inner = typeof value === "string" ? parseJson(value) : value;
  return objectOr(inner);
}

function pathsIn(values: Arguments): readonly string[] {
  const path = PATH_KEYS.map((key) => values[key])
    .find((value) => typeof value === "string" && value !== "");
  return typeof path === "string" ? [path] : [];
}

function isRetrieval(value: unknown): boolean {
  return typeof value === "string" && value.includes(RETRIEVE_ROUTE);
}

function shellWords(values: Arguments): readonly string[] {
  const action = objectOr(values["action"]);
  const command = COMMAND_KEYS.map((key) => values[key] ?? action[key])
    .find((value) => value !== undefined);
  if (Array.isArray(command)) {
    return command.filter((word) => typeof word === "string");
  }
  return typeof command === "string" ? [command] : [];
}

function shellPipelines(values: Arguments): readonly Pipeline[] {
  const words = shellWords(values);
  return words.length === 1
    ? parseShellLine(words[0]!)
    : [[commandOfWords(words)]];
}

function shellPolicy(values: Arguments): ToolPolicy {
  const paths = readPathsOfAll(shellPipelines(values));
  return paths === undefined ? NORMAL : readOf(paths);
}

const FETCHERS: ReadonlySet<string> = new Set(
  ["curl", "wget", "http", "https", "xh", "curlie"],
);

/** Whether any part of a shell line gives an original back, also inside quotes and substitutions. */
function printsOriginal(line: string): boolean {
  if (line.length > MAX_LINE) return false;
  return line.replaceAll("\\\n", " ").split(/[;&|\n]/).some((part) => {
    const words = part.split(/[\s"'`()$]+/);
    const programs = words.map(programOf);
    const fetches = programs.some((program) => FETCHERS.has(program));
    return (fetches && words.some(isRetrieval)) || showsEntry(programs);
  });
}

/** `svc ccr show`, with any options between the words. */
function showsEntry(words: readonly string[]): boolean {
  const svc = words.indexOf("svc");
  const ccr = svc < 0 ? -1 : words.indexOf("ccr", svc);
  return ccr >= 0 && words.includes("show", ccr);
}

/** Readers, with their options that take a value. */
const READERS: ReadonlyMap<string, string> = new Map([
  ["cat", ""],
  ["head", "-n -c --lines --bytes"],
  ["tail", "-n -c -s --lines --bytes --pid"],
  ["nl", "-b -d -f -h -i -l -n -s -v -w"],
  [
    "bat",
    "-l -r -H -m --language --line-range --style --theme --paging --color --wrap",
  ],
  ["batcat", "-l -r -H -m --language --line-range --style --theme --paging"],
  ["less", "-p -x -P"],
  ["more", "-n"],
  ["sed", "-e -f -l --expression --file"],
]);

/** Nobody edits these by hand. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb|[\w.-]+\.lock)$/i;

/** Files that any of `pipelines` reads, `UNNAMED` among them; `undefined` when none reads a file. */
function readPathsOfAll(
  pipelines: readonly Pipeline[],
): readonly string[] | undefined {
  const reads = pipelines.map(readPaths).filter((paths) => paths !== undefined);
  return reads.length === 0 ? undefined : reads.flat();
}

/** A pipeline reads a file if one command does and the commands behind it only pick lines. */
function readPaths(pipeline: Pipeline): readonly string[] | undefined {
  for (const [i, command] of pipeline.entries()) {
    const paths = sourcePaths(command);
    if (paths === undefined) continue;
    if (pipeline.slice(i + 1).every(picksLines)) return paths;
  }
  return undefined;
}

function picksLines(command: ShellCommand): boolean {
  return !command.redirected && isReader(command);
}

/** `sed` only prints lines as they are when told to be quiet. */
function isReader({ words }: ShellCommand): boolean {
  const program = programOf(words[0] ?? "");
  if (!READERS.has(program)) return false;
  if (program !== "sed") return true;
  const options = words.slice(1).filter((word) => word.startsWith("-"));
  return options.some((word) =>
    /^(?:-[a-zA-Z]*n|--quiet|--silent)/.test(word)
  ) &&
    !options.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
}

function sourcePaths(command: ShellCommand): readonly string[] | undefined {
  if (command.redirected) return undefined;
  if (command.inner.length > 0) return readPathsOfAll(command.inner);
  if (!isReader(command)) return undefined;
  const files = filesOf(command);
  if (files.length === 0) return command.viaXargs ? [UNNAMED] : undefined;
  const edited = files.filter((file) => !LOCK_FILE.test(file));
  if (edited.length === 0) return undefined;
  return command.viaXargs ? [...edited, UNNAMED] : edited;
}

function filesOf({ words, input }: ShellCommand): readonly string[] {
  const program = programOf(words[0]!);
  const valued = READERS.get(program)!.split(" ");
  const files: string[] = [];
  let hasScript = program !== "sed";
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    const takesValue = valued.includes(word) ||
      (program === "sed" && /^-[a-zA-Z]*[ef]$/.test(word));
    if (takesValue) i++;
    if (
      program === "sed" &&
      /^(?:-[a-zA-Z]*[ef]|--(?:expression|file))/.test(word)
    ) {
      hasScript = true;
    }
    if (takesValue || word.startsWith("-") || word.startsWith("+")) continue;
    if (hasScript) files.push(word);
    hasScript = true;
  }
  return files.length === 0 && input !== undefined ? [input] : files;
}

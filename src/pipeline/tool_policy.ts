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
} from "./shell_command.ts";
import { filesRead, printsOneFile, UNNAMED } from "./shell_reads.ts";
import { isNamed, namesOf, ruleFor } from "./tool_names.ts";

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
    return printsOneFile(shellPipelines(values));
  }
  return Object.entries(values).every(([key, value]) =>
    value === null || NO_RANGE_KEYS.has(key)
  );
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

/** Whether `name` is the retrieval tool, under any prefix that an MCP client may give it. */
export function isRetrievalTool(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.endsWith(RETRIEVAL_TOOL) &&
    !/[a-z0-9]/.test(lower.at(-RETRIEVAL_TOOL.length - 1) ?? "");
}

function readOf(paths: readonly string[]): ToolPolicy {
  const [path, ...others] = new Set(paths);
  return path === undefined || path === UNNAMED || others.length > 0
    ? { rule: "read" }
    : { rule: "read", path };
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
  const paths = filesRead(shellPipelines(values));
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

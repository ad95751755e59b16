/** What is said about agents and their files. @module */
import { systemCode } from "../../core/errors.ts";
import { makeStyle, print, say } from "../terminal.ts";
import { CliFailure, EXIT_FAILED } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { type Agent, ConfigFault, type Launch, TOOL_NAMES } from "./agent.ts";
import type { Entry } from "./plan.ts";
import { diffView, type FileChange } from "./text_edit.ts";

/** What the usual failures of the system mean to the user. */
const FILE_FAILURES: ReadonlyMap<string, string> = new Map([
  ["EISDIR", "it is a directory"],
  ["EACCES", "no permission (its mode, or that of its directory)"],
  ["EPERM", "no permission"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "no space left on device"],
  ["EFTYPE", "it is a device"],
  ["EFBIG", "it is larger than 64 MiB"],
  ["EILSEQ", "it is not UTF-8 text"],
  ["ENOTDIR", "a part of its path is a file"],
  ["EBUSY", "another program changed it meanwhile; try again"],
]);

/**
 * A failure with a file, for people.
 *
 * @returns The error as it is when it has nothing to do with the file.
 */
export function fileFailure(
  agent: Pick<Agent, "title">,
  file: string,
  error: unknown,
): unknown {
  if (error instanceof ConfigFault) {
    const place = error.line === undefined ? file : `${file}:${error.line}`;
    return new CliFailure(
      `Cannot edit ${place} of ${agent.title}: ${error.message}`,
    );
  }
  const reason = FILE_FAILURES.get(systemCode(error) ?? "");
  return reason === undefined
    ? error
    : new CliFailure(`Cannot use ${file} of ${agent.title}: ${reason}`);
}

/** One line about an entry that is not ours. Arguments and values of variables and headers are left out: they may be keys. */
export function entryText({ launch, value }: Entry): string {
  if (launch) return commandText(programOf(launch));
  const keys = typeof value === "object" && value !== null
    ? Object.keys(value).join(", ")
    : typeof value;
  return `something that is no program on this machine (${keys})`;
}

/** A launch's command without arguments, also those that were written into the program's name. */
export function programOf({ command }: Launch): string[] {
  return command.slice(0, 1).map((program) => program.replace(/\s+-.*$/s, ""));
}

/** A command as it would be typed. */
export function commandText(command: readonly string[]): string {
  return command.map((word) =>
    /^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)
  ).join(" ");
}

/** Names of the tools as the agent's model sees them. */
export function toolNames({ toolPrefix }: Agent): string[] {
  return TOOL_NAMES.map((tool) => toolPrefix + tool);
}

/** An edit for people. */
interface ShownEdit extends Pick<FileChange, "file" | "before"> {
  /** Text after. */
  readonly text: string | undefined;
  /** Their texts are shown, no others: configurations hold keys. */
  readonly values: readonly { readonly value: unknown }[];
}

/** Shows what an edit would change, as a unified diff on stdout. */
export function showEdit(
  io: Pick<CliIo, "stdout">,
  { title }: Pick<Agent, "title">,
  { file, before, text, values }: ShownEdit,
): void {
  const known = new Set(values.flatMap(({ value }) => stringsIn(value)));
  say(io, `${title}: would change ${file}`);
  print(io, diffView({ file, before, after: text, known }));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(stringsIn)
    : [];
}

/**
 * Does something for each; a failure with one is written, and does not keep the others from their turn.
 *
 * @returns Exit code: 1 if it failed for any.
 */
export async function forEach<T>(
  io: Pick<CliIo, "stderr" | "stderrIsTerminal" | "env">,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let exitCode = 0;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error;
      const { failure } = makeStyle(io.stderrIsTerminal, io.env);
      io.stderr(`${failure("error:")} ${error.message}\n`);
      exitCode = EXIT_FAILED;
    }
  }
  return exitCode;
}

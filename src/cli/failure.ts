/** Failures that end a command, missing permissions of the runtime, and what to do about both. @module */
import { orRefused } from "../settings/row.ts";
import { errorMessage, systemCode } from "../core/errors.ts";
import { resolve } from "node:path";

/** Exit code of a command that could not do its work. */
export const EXIT_FAILED = 1;
/** Exit code of a command line that makes no sense. */
export const EXIT_USAGE = 2;
/** Exit code of a program whose terminal was closed, and that was stopped once more. */
export const EXIT_HUNG_UP = 129;
/** Exit code of a program that a second SIGINT ended. */
export const EXIT_INTERRUPTED = 130;
/** Exit code of a program that a second SIGTERM ended. */
export const EXIT_TERMINATED = 143;

/** Ends a command. The message is for the user: what happened, then what to do. */
export class CliFailure extends Error {
  /** Exit code of the program. */
  readonly exitCode: number;

  /** Makes a failure; `message` has no final period. */
  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message);
    this.name = "CliFailure";
    this.exitCode = exitCode;
  }
}

/** A failure of what was typed or set: the exit code is {@linkcode EXIT_USAGE}. */
export function usageFailure(message: string): CliFailure {
  return new CliFailure(message, EXIT_USAGE);
}

/** What comes of `work`; `otherwise` where the system refuses it. */
export async function orElse<T, E>(
  otherwise: E,
  work: () => Promise<T>,
): Promise<T | E> {
  try {
    return await work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return otherwise;
  }
}

/** What `read` gives. @throws {CliFailure} For a value that it refuses: a mistake in the command line or a setting. */
export function orUsage<T>(read: () => T): T {
  return orRefused(read, (reason) => {
    throw usageFailure(reason);
  });
}

/** Makes an error that {@linkcode systemCode} reads `code` from. */
export function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Nobody reads standard output any more, as in `svc log | head -1`: they have seen enough, and nothing failed. */
export class ReaderGone extends Error {
  /** As the system's own error has it. */
  readonly code = "EPIPE";

  /** Makes one; `cause` is the error of the system. */
  constructor(cause: unknown) {
    super("Standard output is closed", { cause });
    this.name = "ReaderGone";
  }
}

/**
 * What to throw when a write to standard output failed.
 *
 * @returns {@linkcode ReaderGone} for a closed pipe, a {@linkcode CliFailure} for another error of the system; anything
 * else as it is.
 */
export function writeFailure(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === "EPIPE") return new ReaderGone(error);
  const { message } = error as Error;
  const reason = code === "ENOSPC"
    ? "no space left on device"
    : message.replace(/ \(os error \d+\).*$/s, "");
  return new CliFailure(`Cannot write standard output: ${reason}`);
}

/** Whether this program may do something without anybody being asked. */
export function isAllowed(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

/**
 * Flags of the runtime that are missing to keep files in a directory, e.g. `--allow-write=/home/me/.svc`; none when nothing
 * is.
 */
export function missingFor(
  kind: "databases" | "logs",
  directory: string,
): readonly string[] {
  // What writes databases runs in a worker, which reads this program's files.
  const read = [...kind === "databases" ? ownSources() : [], directory];
  const needed = [["read", read], ["write", [directory]]] as const;
  return needed.flatMap(([name, all]) => {
    const paths = all.map((path) => resolve(path))
      .filter((path) => !isAllowed({ name, path }));
    return paths.length === 0 ? [] : [flagOf(name, paths)];
  });
}

/**
 * Makes sure that databases can be used before anything is tried.
 *
 * @throws {CliFailure} If those of that directory may not be; the message names the flags.
 */
export function requireDatabases(directory: string): void {
  const missing = missingFor("databases", directory);
  if (missing.length === 0) return;
  throw new CliFailure(`svc was started without ${missing.join(" ")}`);
}

/** Where the modules of workers are; nowhere when they come from the web. */
function ownSources(): readonly string[] {
  const { dirname } = import.meta;
  return dirname === undefined ? [] : [resolve(dirname, "..")];
}

/** What the runtime says when something is not permitted. */
const REQUIRES = /^Requires (\w+) access(?: to "(.*)")?, run again/s;

/** The flag of the runtime that would have permitted it; `undefined` for an error of another kind. */
export function missingFlag(error: unknown): string | undefined {
  if (!(error instanceof Deno.errors.NotCapable)) return undefined;
  const [, kind, what] = REQUIRES.exec(error.message) ?? [];
  if (kind === undefined || kind === "all") return "-A";
  return flagOf(kind, what === undefined ? [] : [what]);
}

/** Why something failed, as a part of a sentence: what an error says, or the flag of the runtime that is missing. */
export function reasonOf(error: unknown): string {
  const flag = missingFlag(error);
  if (flag !== undefined) return `svc was started without ${flag}`;
  return errorMessage(error);
}

function flagOf(kind: string, values: readonly string[]): string {
  if (values.length === 0) return `--allow-${kind}`;
  const flag = `--allow-${kind}=${values.join(",")}`;
  return /\s/.test(flag) ? `"${flag}"` : flag;
}

const DAMAGED = /not a database|malformed|corrupt/i;
const LOCKED = /\blocked\b|\bbusy\b/i;
const FULL = /disk is full|no space left/i;
/** Written by another version; the reason says what to do. */
const SCHEMA = /\bschema \d+/;
/** A missing permission; the reason names its flag. */
const STARTED_WITHOUT = /\bstarted without --allow/;

/**
 * Says what to do about a database that cannot be used.
 *
 * @param reason Why, as SQLite, the system or this program says it.
 * @param otherwise For a file that is whole and free: where to look instead.
 * @returns A sentence without a final period, with a space and a period before it; empty where the reason says it.
 */
export function databaseAdvice(reason: string, otherwise: string): string {
  if (DAMAGED.test(reason)) {
    return ". Stop the proxy, move the file away (svc does not touch it there), and start the proxy again: it makes a new one";
  }
  if (LOCKED.test(reason)) {
    return ". Another program holds it: end that one, or try again later";
  }
  if (FULL.test(reason)) return ". Make room on the disk";
  const saysIt = SCHEMA.test(reason) || STARTED_WITHOUT.test(reason);
  return saysIt ? "" : `. ${otherwise}`;
}

/**
 * Says that a command cannot use a database, why, and what to do.
 *
 * @param path Absolute.
 * @param error What opening it threw; its message may name the path already.
 * @returns Sentences without a final period.
 */
export function databaseProblem(path: string, error: unknown): string {
  const reason = reasonOf(error);
  const what = reason.startsWith("Cannot ") && reason.includes(path)
    ? reason
    : `Cannot use the database ${path}: ${reason}`;
  const otherwise =
    "Make it readable, or set SVC_WORKSPACE_DIR to the directory that the proxy uses";
  return `${what}${databaseAdvice(reason, otherwise)}`;
}

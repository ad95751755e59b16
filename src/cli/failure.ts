/** Failures that end a command with a message and an exit code. @module */

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

/** The `code` of a system error, e.g. `ENOENT`; `undefined` for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
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

/** This program and others: how it is started again, where it starts, signals, and running another one. @module */
import type { ProgramResult, ServerAnswer, StopSignal } from "./io.ts";
import { fileURLToPath } from "node:url";
import type { TextValues } from "../settings/row.ts";

/** What is known of the running program. */
export interface RunningProgram {
  /** Absolute path of the executable. */
  readonly execPath: string;
  /** Whether the executable is this program, not a runtime that loads it. */
  readonly standalone: boolean;
  /** Address of the module that was started. */
  readonly mainModule: string;
  /** Absolute path of the self-extracting file that was started; `undefined` when none was. */
  readonly file?: string | undefined;
}

/**
 * Megabytes of one half of the memory for new objects, as in the tasks of `deno.json`: a quarter of the runtime's own
 * bound. What requests leave is collected sooner, and each collection is shorter.
 */
const YOUNG_MEMORY = "--v8-flags=--max-semi-space-size=4";

/**
 * Program and first arguments that start this program from any directory; a command follows them.
 *
 * @returns Absolute paths, or an address for a program that was not started from a file.
 */
export function selfCommand(
  { execPath, standalone, mainModule, file }: RunningProgram,
): readonly string[] {
  // What it unpacked goes with the next version; the file stays.
  if (file !== undefined) return [file];
  if (standalone) return [execPath];
  const main = mainModule.startsWith("file:")
    ? fileURLToPath(mainModule)
    : mainModule;
  return [execPath, "run", "-A", "--no-prompt", YOUNG_MEMORY, main];
}

/**
 * The directory in which the user typed the command. A task runner starts the program in the program's own
 * directory and leaves the user's in `INIT_CWD`; in any other directory that variable is some other runner's.
 *
 * @param env The environment.
 * @param cwd Directory the program runs in; absolute.
 * @param own Directory of the program; `undefined` when it has none.
 */
export function startDirectory(
  env: TextValues,
  cwd: string,
  own: string | undefined,
): string {
  return cwd === own && env.INIT_CWD ? env.INIT_CWD : cwd;
}

/**
 * Runs a program without input until it ends.
 *
 * @returns `undefined` when there is none of that name.
 */
export async function runProgram(
  [program, ...args]: readonly string[],
): Promise<ProgramResult | undefined> {
  const command = new Deno.Command(program!, { args, stdin: "null" });
  try {
    const { code, stdout, stderr } = await command.output();
    const [out, err] = [stdout, stderr].map((bytes) =>
      new TextDecoder().decode(bytes)
    );
    return { code, text: `${out}${err}` };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Seconds that running requests get to end after the first stop signal. */
export const GRACE_SECONDS = 10;

/** Signals that ask a program to end, where the platform has them. */
const STOP_SIGNALS: readonly StopSignal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

/**
 * Milliseconds in which a second signal of the same name is an echo of the first. A runner such as `deno task` gets the
 * terminal's signal and passes it on, so that one key press arrives twice, some 10 ms apart. A terminal sends SIGINT and
 * no program does twice; SIGTERM comes from programs, which may mean both.
 */
const ECHO_MS: Readonly<Record<StopSignal, number>> = {
  SIGINT: 300,
  SIGBREAK: 300,
  SIGTERM: 100,
};

/**
 * Leaves out the echoes of a signal.
 *
 * @param now Milliseconds that never go back.
 */
export function withoutEchoes(
  handler: (signal: StopSignal) => void,
  now: () => number,
): (signal: StopSignal) => void {
  const last = new Map<StopSignal, number>();
  return (signal) => {
    const at = now();
    if (at - (last.get(signal) ?? -Infinity) < ECHO_MS[signal]) return;
    last.set(signal, at);
    handler(signal);
  };
}

/** Calls `handler` once for each request to end, until the returned function is called. */
export function onStopSignal(
  handler: (signal: StopSignal) => void,
): () => void {
  const once = withoutEchoes(handler, () => performance.now());
  const listeners = STOP_SIGNALS.map((signal) =>
    [signal, () => once(signal)] as const
  );
  for (const [signal, listener] of listeners) {
    Deno.addSignalListener(signal, listener);
  }
  return () => {
    for (const [signal, listener] of listeners) {
      Deno.removeSignalListener(signal, listener);
    }
  };
}

/** Calls `handler` on every SIGHUP until the returned function is called; never on Windows, which has none. */
export function onHangUp(handler: () => void): () => void {
  if (Deno.build.os === "windows") return () => {};
  Deno.addSignalListener("SIGHUP", handler);
  return () => Deno.removeSignalListener("SIGHUP", handler);
}

/** Resolves after that many milliseconds, or at once when `signal` is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Asks a server on this machine with GET; `undefined` when nothing answers in time. */
export async function ask(
  url: URL,
  timeoutMs: number,
): Promise<ServerAnswer | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { signal, redirect: "manual" });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // Nobody there, or nobody who speaks HTTP, or too slow.
    if (error instanceof TypeError || error instanceof DOMException) {
      return undefined;
    }
    throw error;
  }
}

/** Processes of this program that take requests for a supervisor. @module */
import { linesOf } from "./lines.ts";
import type { WorkerProcess } from "./supervisor.ts";
import {
  type FromWorker,
  fromWorkerIn,
  lineOf,
  type ToWorker,
  WORKER_COMMAND,
} from "./worker_talk.ts";

/** What is known of the running program. */
export interface StartedProgram {
  /** The words it was started with, as the system has them; `undefined` where they are not known. */
  readonly words: readonly string[] | undefined;
  /** Those of its words that are its own arguments, the last ones. */
  readonly args: readonly string[];
  /** Whether the executable is this program, not a runtime that loads it. */
  readonly standalone: boolean;
  /** Program and first arguments to use where the words are not known. */
  readonly otherwise: readonly string[];
}

/** What the runtime wants to hear before it shares a port. */
const SHARES_PORTS = "--unstable-net";

/**
 * Program and arguments of a worker: the runtime's flags are those of this process (memory, certificates, permissions).
 *
 * @param program The executable stands in `otherwise[0]`, absolute.
 */
export function workerCommand(program: StartedProgram): readonly string[] {
  const { words = [], args, standalone, otherwise } = program;
  const count = words.length - args.length;
  const isOurs = count > 0 && args.every((arg, i) => arg === words[count + i]);
  const own = isOurs ? words.slice(1, count) : otherwise.slice(1);
  const flags = standalone || own.includes(SHARES_PORTS)
    ? own
    : [...own.slice(0, 1), SHARES_PORTS, ...own.slice(1)];
  return [otherwise[0]!, ...flags, WORKER_COMMAND];
}

/** The words this process was started with, where the system shows them. */
export function wordsOfThisProcess(): readonly string[] | undefined {
  try {
    return Deno.readTextFileSync("/proc/self/cmdline").split("\0").slice(0, -1);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

/**
 * Starts a worker. It writes its talk where this process writes its own, a line at a time.
 *
 * @param env Variables beside those of this process.
 */
export function startWorkerProcess(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WorkerProcess {
  const [program, ...args] = command;
  const child = new Deno.Command(program!, {
    args,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  // A worker that has gone is noticed by its end, not by what it did not read.
  input.closed.catch(() => {});
  let isRunning = true;
  void child.status.then(() => isRunning = false);
  return {
    messages: messagesOf(child.stdout),
    ended: child.status.then(({ code, signal }) => ({
      code,
      signal: signal ?? undefined,
    })),
    send: (message: ToWorker) =>
      void input.write(new TextEncoder().encode(lineOf(message)))
        .catch(() => {}),
    kill() {
      if (isRunning) child.kill("SIGKILL");
    },
  };
}

async function* messagesOf(
  output: AsyncIterable<Uint8Array>,
): AsyncGenerator<FromWorker, void> {
  for await (const line of linesOf(output)) {
    const message = fromWorkerIn(line);
    if (message !== undefined) yield message;
  }
}

/** Processes of this program that take requests for a supervisor: what they say to each other, and starting them. @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import type { TextValues } from "../settings/row.ts";
import type { Reloaded } from "../core/app_io.ts";
import { linesOf } from "./streams.ts";

/** Name of the command that a worker runs; help pages do not show it. */
export const WORKER_COMMAND = "proxy-worker";

/** Where a worker belongs, and what it runs with. */
export interface WorkerJob {
  /** Id of this start of the proxy; all its workers have the same. */
  readonly run: string;
  /** Process that ends the proxy when it ends. */
  readonly pid: number;
  /** Number of the worker, from 0. */
  readonly slot: number;
  /** Port that all workers listen on. */
  readonly port: number;
  /** Values of the command line by flag name. */
  readonly flags: TextValues;
  /** Stored settings by variable name. */
  readonly stored: TextValues;
}

/** What all workers get alike, and how many there shall be. */
export interface SharedJob extends Omit<WorkerJob, "slot"> {
  /** Processes, at least 1. */
  readonly workers: number;
}

/** To a worker, on its standard input. Its end means the same as `stop`. */
export type ToWorker =
  | { readonly type: "start"; readonly job: WorkerJob }
  | { readonly type: "reload"; readonly stored: TextValues }
  /** The answer to `apply`, in the order of the questions. */
  | { readonly type: "applied"; readonly reloaded: Reloaded }
  | { readonly type: "stop" };

/** From a worker, on its standard output. */
export type FromWorker =
  | {
    readonly type: "ready";
    readonly port: number;
    readonly storeBackend: "sqlite" | "memory";
    readonly ledgerBackend: "sqlite" | "memory";
    /** Extensions that were loaded; absent for none. */
    readonly extensions?: readonly string[];
  }
  | {
    readonly type: "failed";
    readonly message: string;
  }
  | {
    readonly type: "reloaded";
    /** Settings that change with the next start only. */
    readonly later: readonly string[];
  }
  | { readonly type: "reload_failed"; readonly message: string }
  /** Somebody wants stored settings to be read again; may come at any time. */
  | { readonly type: "apply" };

/** One message as a line. */
export function lineOf(message: ToWorker | FromWorker): string {
  return JSON.stringify(message) + "\n";
}

/** What the messages begin with; programs beside svc may print other lines. */
const TYPES: ReadonlySet<unknown> = new Set([
  ...["start", "reload", "applied", "stop"],
  ...["ready", "failed", "reloaded", "reload_failed", "apply"],
]);

/**
 * Reads a message. Both ends are this program: the type is enough to know the rest.
 * @returns `undefined` for a line that is none.
 */
export function messageIn<Message extends ToWorker | FromWorker>(
  line: string,
): Message | undefined {
  const value = parseJson(line);
  return isJsonObject(value) && TYPES.has(value.type)
    ? value as unknown as Message
    : undefined;
}

/** How a process ended. */
export interface ProcessEnd {
  /** Its exit code. */
  readonly code: number;
  /** Signal that ended it. */
  readonly signal: string | undefined;
}

/** A process that takes requests. */
export interface WorkerProcess {
  /** What it says; the end of its output ends them. */
  readonly messages: AsyncIterable<FromWorker>;
  /** Resolves when it has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Says something to it; lost where it does not listen any more. */
  send(message: ToWorker): void;
  /** Ends it at once. */
  kill(): void;
}

/** What is known of the running program. */
interface StartedProgram {
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
    const message = messageIn<FromWorker>(line);
    if (message !== undefined) yield message;
  }
}

/** What a supervisor and its workers say to each other: JSON lines over pipes. @module */
import type { TextValues } from "../settings/row.ts";
import type { Reloaded } from "../settings/running.ts";

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

/**
 * Reads a message to a worker.
 * @returns `undefined` for a line that is none.
 */
export function toWorkerIn(line: string): ToWorker | undefined {
  return messageIn(line, ["start", "reload", "applied", "stop"]) as
    | ToWorker
    | undefined;
}

/**
 * Reads a message from a worker.
 * @returns `undefined` for a line that is none.
 */
export function fromWorkerIn(line: string): FromWorker | undefined {
  return messageIn(line, [
    "ready",
    "failed",
    "reloaded",
    "reload_failed",
    "apply",
  ]) as FromWorker | undefined;
}

/** Both ends are this program: the type is enough to know the rest. */
function messageIn(line: string, types: readonly string[]): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const isMessage = typeof value === "object" && value !== null &&
    "type" in value && types.includes(String(value.type));
  return isMessage ? value : undefined;
}

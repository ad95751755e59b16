/** A compute worker that is started before the program that uses it is loaded. @module */
import type { WorkerLike } from "../pipeline/worker_pool.ts";
import { spawnComputeWorker } from "./spawn.ts";

/** Commands that compress requests until they are stopped. */
const SERVING: readonly (string | undefined)[] = ["proxy", "proxy-worker"];
/** Flags that print something and end. */
const PRINTING = /^(-h|--help|-V|--version)$/;

let ahead: WorkerLike | undefined;

/** Whether the command line starts a proxy. What its settings say is not known yet: see {@linkcode discardAhead}. */
export function servesRequests(args: readonly string[]): boolean {
  return SERVING.includes(args[0]) && !args.some((word) => PRINTING.test(word));
}

/**
 * Starts a worker for {@linkcode firstComputeWorker}: it loads its modules and the rank tables while this thread loads
 * the program. Never throws, and forgets a worker that dies before it is taken: the regular start reports what is wrong.
 *
 * @param spawn Starts a worker; the real one unless given.
 */
export function spawnAhead(spawn: () => WorkerLike = spawnComputeWorker): void {
  discardAhead();
  try {
    const worker = spawn();
    worker.onerror = (event) => {
      event.preventDefault();
      if (ahead === worker) discardAhead();
    };
    ahead = worker;
  } catch {
    ahead = undefined;
  }
}

/** The worker that was started ahead; from the second call on, or where none was, one that is started now. */
export function firstComputeWorker(
  spawn: () => WorkerLike = spawnComputeWorker,
): WorkerLike {
  const worker = ahead ?? spawn();
  ahead = undefined;
  return worker;
}

/** Ends a worker that was started ahead and not taken: other processes or threads serve the requests. */
export function discardAhead(): void {
  ahead?.terminate();
  ahead = undefined;
}

/** Composition of what outlives a change of the configuration. @module */
import { openStore } from "./ccr/open_store.ts";
import type { Clock } from "./core/clock.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openLedger } from "./ledger/open_ledger.ts";
import { type Attempt, makeAttempt } from "./pipeline/attempt.ts";
import { type WorkerLike, WorkerPool } from "./pipeline/worker_pool.ts";
import { type CompressionMemory, makeMemory } from "./open_compression.ts";
import { type BetaTracker, makeBetaTracker } from "./proxy/beta_tracker.ts";
import {
  makeResponseCache,
  type ResponseCache,
} from "./proxy/response_cache.ts";
import { ToolRefusals } from "./proxy/tool_refusals.ts";
import type { Config } from "./settings/resolve.ts";
import { VERSION } from "./version.ts";
import { Writer } from "./writer/writer.ts";

/** Where this process stands among those that take requests on one port. */
export interface Share {
  /** Random, one for all of them. */
  readonly run: string;
  /** Number of this one, from 0. */
  readonly slot: number;
}

/** The outside world. */
export interface AppIo {
  /** Time. */
  readonly clock: Clock;
  /** The runtime's `fetch`, or a test's. */
  readonly send: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Takes log records. */
  readonly log: Log;
  /** A text file of the user; `undefined` where there is none. Nothing is read unless given. */
  readonly readText?: (path: string) => Promise<string | undefined>;
  /** Addresses of a host name; the system's resolver unless given. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** Given where several processes take requests on one port. */
  readonly share?: Share;
}

/** Parts with a lifetime. */
export interface Living extends AsyncDisposable {
  /** Originals, forms, conversations. */
  readonly store: CcrStore;
  /** Finished requests, money, limits that processes share. */
  readonly ledger: Ledger;
  /** Compresses and counts off this thread. */
  readonly pool: WorkerPool;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** What compression remembers. */
  readonly memory: CompressionMemory;
  /** Beta features of conversations. */
  readonly betas: BetaTracker;
  /** Answers of repeated requests. */
  readonly cache: ResponseCache;
  /** Hosts that do not take our tool. */
  readonly refusals: ToolRefusals;
  /** Calls that are not recorded yet. */
  readonly underWay: Set<AbortController>;
  /** Records that wait for their count. */
  readonly unrecorded: Set<Promise<void>>;
}

/**
 * Opens the parts. Files are made only where the configuration has paths.
 *
 * @throws {Error} Never for the sake of a file: memory takes its place with one warning.
 */
export async function openLiving(config: Config, io: AppIo): Promise<Living> {
  const { clock, log } = io;
  const writer = new Writer({});
  const store = await openStore({
    backend: config.ccr.backend,
    path: config.paths?.ccrStore,
    ttlSeconds: config.ccr.ttlSeconds,
    clock,
    log,
    version: VERSION,
    writer,
  });
  const ledger = await openLedger({
    path: config.paths?.ledger,
    clock,
    log,
    version: VERSION,
    budget: config.budget,
    newId: () => crypto.randomUUID(),
    shared: io.share,
    writer,
  });
  const pool = new WorkerPool(spawnComputeWorker);
  // Loaded while the listener opens: the first request finds the rank tables there.
  pool.warm();
  const attempt = makeAttempt(log);
  const underWay = new Set<AbortController>();
  const unrecorded = new Set<Promise<void>>();
  return {
    store,
    ledger,
    pool,
    attempt,
    memory: makeMemory(config, { store, pool, attempt, clock, log }),
    betas: makeBetaTracker(config.betas),
    cache: makeResponseCache({ clock }),
    refusals: new ToolRefusals(),
    underWay,
    unrecorded,
    async [Symbol.asyncDispose]() {
      // What is cut off was billed as far as it came: it is recorded like a client that left.
      const reason = new DOMException("The proxy stops", "AbortError");
      for (const call of underWay) call.abort(reason);
      await settledWithin(LAST_COUNTS_MS, unrecorded);
      pool[Symbol.dispose]();
      await ledger[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Milliseconds that the last records may wait for their counts. */
const LAST_COUNTS_MS = 2000;

async function settledWithin(
  ms: number,
  records: Iterable<Promise<void>>,
): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, ms);
  await Promise.race([Promise.allSettled(records), limit.promise]);
  clearTimeout(timer);
}

function spawnComputeWorker(): WorkerLike {
  const url = new URL("./compute_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const like: WorkerLike = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.onmessage = (event) => like.onmessage?.(event);
  worker.onerror = (event) => like.onerror?.(event);
  return like;
}

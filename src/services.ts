/** Composition of what outlives a change of the configuration. @module */
import { nextTurn } from "./core/next_turn.ts";
import { ccrKey } from "./ccr/key.ts";
import { openStore } from "./ccr/open_store.ts";
import type { AppIo } from "./core/app_io.ts";
import type { CcrStore } from "./core/store.ts";
import { BodyEditor } from "./extensions/edit_body.ts";
import { openExtensions } from "./extensions/open_extensions.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openLedger } from "./ledger/open_ledger.ts";
import { SavingsFile } from "./ledger/savings_file.ts";
import { type Compute, openCompute } from "./compute/open_compute.ts";
import { openCacheLearner } from "./telemetry/cache_lives.ts";
import { type Observers, openObservers } from "./telemetry/open_observers.ts";
import { type Attempt, makeAttempt } from "./pipeline/attempt.ts";
import {
  makePrefixProofs,
  type PrefixProofs,
} from "./pipeline/prefix_proof.ts";
import { type CompressionMemory, makeMemory } from "./open_compression.ts";
import { BetaTracker } from "./proxy/beta_tracker.ts";
import { CallsInFlight } from "./proxy/calls_in_flight.ts";
import { HostRefusals } from "./proxy/host_refusals.ts";
import { ResponseCache } from "./proxy/response_cache.ts";
import type { Config } from "./settings/resolve.ts";
import { RuntimeEnv } from "./settings/runtime_env.ts";
import { VERSION } from "./version.ts";
import { Writer } from "./writer/writer.ts";

/** Parts with a lifetime. */
export interface Services extends AsyncDisposable {
  /** Monotonic time of the start, in milliseconds. */
  readonly startedAt: number;
  /** Process that ends the proxy when it ends: of several that share a port, the one that started them. */
  readonly pid: number;
  /** Originals, forms, conversations. */
  readonly store: CcrStore;
  /** Finished requests, money, limits that processes share. */
  readonly ledger: Ledger;
  /** Decides, counts, cuts. */
  readonly compute: Compute;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** What compression remembers. */
  readonly memory: CompressionMemory;
  /** Beta features of conversations. */
  readonly betas: BetaTracker;
  /** Answers of repeated requests. */
  readonly cache: ResponseCache;
  /** What hosts do not take of what is added to requests. */
  readonly refusals: HostRefusals;
  /** Puts edits of extensions into bodies, with their names; `undefined` without any. */
  readonly extensions:
    | { readonly names: readonly string[]; readonly editor: BodyEditor }
    | undefined;
  /** Settings that were changed since the start. */
  readonly runtimeEnv: RuntimeEnv;
  /** What was sent last in each conversation. */
  readonly proofs: PrefixProofs;
  /** Follow requests beside the ledger. */
  readonly observers: Observers;
  /** Requests to providers that are not recorded yet. */
  readonly calls: CallsInFlight;
  /** Does ahead, while nothing else is to be done, what the first requests would wait for. */
  warmUp(): void;
}

/**
 * Opens the parts. Files are made only where the configuration has paths.
 *
 * @throws {Error} Never for the sake of a file: memory takes its place with one warning.
 */
export async function openServices(
  config: Config,
  io: AppIo,
): Promise<Services> {
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
    busyMs: BUSY_MS,
  });
  const { ledger, savings, cacheLives } = await openRecords(
    config,
    io,
    writer,
  );
  const observers = await openObservers(config, io);
  const compute = openCompute(async () => {
    // Not imported statically: the listener opens without it.
    const { cutOriginal, openRouter } = await import(
      "./compute/open_router.ts"
    );
    return { ...await openRouter(), cut: cutOriginal };
  });
  const attempt = makeAttempt(log);
  const extensions = config.extensions.names.length === 0
    ? undefined
    : await openExtensions(config.extensions, log);
  const calls = new CallsInFlight();
  let isClosed = false;
  return {
    startedAt: clock.monotonic(),
    pid: io.share?.pid ?? Deno.pid,
    store,
    ledger,
    compute,
    attempt,
    memory: makeMemory(config, {
      ...{ store, compute, attempt, clock, log },
      cacheLives,
    }),
    betas: new BetaTracker(config.betas),
    cache: new ResponseCache({ clock }),
    refusals: new HostRefusals(),
    extensions: extensions && {
      names: extensions.names,
      editor: new BodyEditor({
        ask: (question) => extensions.ask(question),
        store,
        keyOf: ccrKey,
        attempt,
        clock,
        pause: nextTurn,
      }),
    },
    runtimeEnv: new RuntimeEnv(),
    proofs: makePrefixProofs(),
    observers,
    calls,
    warmUp() {
      writer.start();
      const idle = async () => {
        do {
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          if (isClosed) return false;
        } while (!calls.isIdle);
        return true;
      };
      void attempt("warm_up", () => compute.warm(idle), undefined);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await calls.cutOff(LAST_COUNTS_MS);
      compute[Symbol.dispose]();
      extensions?.[Symbol.dispose]();
      await observers[Symbol.asyncDispose]();
      await ledger.flush();
      await savings?.[Symbol.asyncDispose]();
      await cacheLives?.[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Opens the ledger, and what reads it: the file of savings, and what is learned of prompt caches. */
async function openRecords(
  config: Config,
  io: AppIo,
  writer: Writer,
) {
  const { clock, log } = io;
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
  const isFirst = (io.share?.slot ?? 0) === 0;
  const savings = config.paths && isFirst
    ? new SavingsFile({
      path: config.paths.savings,
      reader: ledger.reader,
      clock,
      log,
    })
    : undefined;
  // Places in a ledger that ends with the process mean nothing to the next one.
  const isKept = ledger.state().backend === "sqlite";
  const cacheLives = config.paths && config.cacheTtlLearn && isKept
    ? await openCacheLearner({
      observations: config.paths.cacheObservations,
      table: config.paths.cacheLives,
      reader: ledger.reader,
      clock,
      log,
      isReader: !isFirst,
    })
    : undefined;
  return { ledger, savings, cacheLives };
}

/** Milliseconds that a request waits for another process that writes to the store: then its new blocks go out as they are. */
const BUSY_MS = 10;

/** Milliseconds between two steps of the warm-up. */
const PAUSE_MS = 10;

/** Milliseconds that the last records may wait for their counts. */
const LAST_COUNTS_MS = 2000;

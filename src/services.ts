/** Composition of what outlives a change of the configuration. @module */
import { nextTurn } from "./core/next_turn.ts";
import { ccrKey } from "./ccr/key.ts";
import { openStore } from "./ccr/open_store.ts";
import type { AppIo } from "./core/app_io.ts";
import type { CcrStore } from "./core/store.ts";
import { BodyEditor } from "./extensions/edit_body.ts";
import { openExtensions } from "./extensions/open_extensions.ts";
import { openLedger } from "./ledger/open_ledger.ts";
import { SavingsFile } from "./ledger/savings_file.ts";
import { openCompute } from "./compute/open_compute.ts";
import { openCacheLearner } from "./telemetry/cache_lives.ts";
import { openObservers } from "./telemetry/open_observers.ts";
import { type Attempt, makeAttempt } from "./pipeline/attempt.ts";
import { makePrefixProofs } from "./pipeline/prefix_proof.ts";
import { makeMemory } from "./open_compression.ts";
import { BetaTracker } from "./proxy/beta_tracker.ts";
import { CallsInFlight } from "./proxy/calls_in_flight.ts";
import { HostRefusals } from "./proxy/host_refusals.ts";
import { ResponseCache } from "./proxy/response_cache.ts";
import type { Config } from "./settings/resolve.ts";
import { RuntimeEnv } from "./settings/runtime_env.ts";
import { VERSION } from "./version.ts";
import { Writer } from "./writer/writer.ts";

/** Parts with a lifetime. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/**
 * Opens the parts. Files are made only where the configuration has paths.
 *
 * @throws {Error} Never for the sake of a file: memory takes its place with one warning.
 */
export async function openServices(config: Config, io: AppIo) {
  const { clock, log } = io;
  const writer = new Writer({});
  const attempt = makeAttempt(log);
  const store = await openStoreOf(config, io, writer);
  const { ledger, savings, cacheLives } = await openRecords(config, io, writer);
  const observers = await openObservers(config, io);
  const compute = openCompute(loadRouter);
  const extensions = await openExtensionsOf(config, io, { store, attempt });
  const calls = new CallsInFlight();
  const surroundings = { store, compute, attempt, clock, log, cacheLives };
  const pauses = pausesIn(calls);
  return {
    /** Monotonic time of the start, in milliseconds. */
    startedAt: clock.monotonic(),
    /** Process that ends the proxy when it ends: of several that share a port, the one that started them. */
    pid: io.share?.pid ?? Deno.pid,
    /** Originals, forms, conversations. */
    store,
    /** Finished requests, money, limits that processes share. */
    ledger,
    /** Decides, counts, cuts. */
    compute,
    /** Absorbs failures. */
    attempt,
    /** What compression remembers. */
    memory: makeMemory(config, surroundings),
    /** Beta features of conversations. */
    betas: new BetaTracker(config.betas),
    /** Answers of repeated requests. */
    cache: new ResponseCache({ clock }),
    /** What hosts do not take of what is added to requests. */
    refusals: new HostRefusals(),
    /** Puts edits of extensions into bodies, with their names; `undefined` without any. */
    extensions,
    /** Settings that were changed since the start. */
    runtimeEnv: new RuntimeEnv(),
    /** What was sent last in each conversation. */
    proofs: makePrefixProofs(),
    /** Follow requests beside the ledger. */
    observers,
    /** Requests to providers that are not recorded yet. */
    calls,
    /** Does ahead, while nothing else is to be done, what the first requests would wait for. */
    warmUp() {
      writer.start();
      void attempt("warm_up", () => compute.warm(pauses.next), undefined);
    },
    async [Symbol.asyncDispose]() {
      pauses.end();
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

/** Pauses in which nothing else is to be done. */
function pausesIn(calls: CallsInFlight) {
  let isOver = false;
  return {
    /** Waits for the next one; `false` when there will be none. */
    async next() {
      do {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        if (isOver) return false;
      } while (!calls.isIdle);
      return true;
    },
    end() {
      isOver = true;
    },
  };
}

/** Not imported statically: the listener opens without it. */
async function loadRouter() {
  const { cutOriginal, openRouter } = await import("./compute/open_router.ts");
  return { ...await openRouter(), cut: cutOriginal };
}

function openStoreOf({ ccr, paths }: Config, io: AppIo, writer: Writer) {
  const { clock, log } = io;
  const { backend, ttlSeconds } = ccr;
  const path = paths?.ccrStore;
  const options = { backend, path, ttlSeconds, busyMs: BUSY_MS };
  return openStore({ ...options, clock, log, version: VERSION, writer });
}

/** Loads users' code, if there is any. */
async function openExtensionsOf(
  { extensions }: Config,
  { clock, log }: AppIo,
  parts: { readonly store: CcrStore; readonly attempt: Attempt },
) {
  const loaded = await openExtensions(extensions, log);
  const own = { keyOf: ccrKey, clock, pause: nextTurn, ...parts };
  return loaded && {
    names: loaded.names,
    editor: new BodyEditor({ ask: (all) => loaded.ask(all), ...own }),
    [Symbol.dispose]: () => loaded[Symbol.dispose](),
  };
}

/** Opens the ledger, and what reads it: the file of savings, and what is learned of prompt caches. */
async function openRecords(config: Config, io: AppIo, writer: Writer) {
  const { clock, log } = io;
  const ledger = await openLedger({
    path: config.paths?.ledger,
    version: VERSION,
    budget: config.budget,
    newId: () => crypto.randomUUID(),
    shared: io.share,
    ...{ clock, log, writer },
  });
  const { reader } = ledger;
  const isFirst = (io.share?.slot ?? 0) === 0;
  const savings = config.paths && isFirst
    ? new SavingsFile({ path: config.paths.savings, reader, clock, log })
    : undefined;
  // Places in a ledger that ends with the process mean nothing to the next one.
  const isKept = ledger.state().backend === "sqlite";
  const cacheLives = config.paths && config.cacheTtlLearn && isKept
    ? await openCacheLearner({
      observations: config.paths.cacheObservations,
      table: config.paths.cacheLives,
      isReader: !isFirst,
      ...{ reader, clock, log },
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

/** The store in this process's memory, without a database: for runtimes that have none, and for programs that want none. @module */
import type { Clock } from "../core/clock.ts";
import type {
  AskedShape,
  CcrBatch,
  CcrEntrySummary,
  CcrKey,
  CcrStore,
  CcrWritten,
} from "../core/store.ts";
import { MapHistory } from "./map_history.ts";
import { MapOriginals } from "./map_originals.ts";
import { MapForms } from "./map_forms.ts";

/** 256 MiB of originals, and as many bytes of forms. */
const MAX_BYTES = 2 ** 28;
/** Milliseconds between sweeps. */
const PAUSE_MS = 60_000;

/** What a store in memory needs. */
export interface MapStoreOptions {
  /** Seconds that an original lives after its last use. */
  readonly ttlSeconds: number;
  /** Bytes of originals; 256 MiB when not given. */
  readonly maxBytes?: number | undefined;
  /** Time of reads. */
  readonly clock: Clock;
}

/**
 * Opens an empty store in memory. It keeps what {@linkcode CcrStore} promises in maps; nothing survives closing it.
 * Forms are bounded too: beyond as many bytes as originals may have, those used longest ago go.
 */
export function openMapStore(options: MapStoreOptions): CcrStore {
  const { clock, ttlSeconds, maxBytes = MAX_BYTES } = options;
  const originals = new MapOriginals(ttlSeconds * 1000, maxBytes);
  const forms = new MapForms(maxBytes);
  const history = new MapHistory();
  let isClosed = false;
  let sweepAt = -Infinity;

  const write = (batch: CcrBatch): CcrWritten => {
    if (isClosed) {
      throw new Error("Cannot write to the CCR store: it is closed");
    }
    requireConversation(batch);
    const { conversation, now } = batch;
    if (batch.clear !== undefined) clear(batch.clear, now);
    // Before anything else is changed: it may refuse.
    originals.makeRoom(batch);
    if (conversation !== undefined) {
      originals.note(conversation, batch);
      history.note(conversation, batch);
    }
    originals.keep(batch);
    forms.retract(batch.retract ?? []);
    const written = forms.freeze(batch.forms ?? new Map(), now);
    history.ask(batch.asked ?? [], conversation);
    forms.touch(batch.touch ?? [], now);
    history.mapIds(batch.responseIds ?? new Map(), now);
    if (now >= sweepAt) sweep(now);
    return written;
  };
  const clear = (what: "idle" | "all", now: number) => {
    if (what === "all") {
      originals.clearAll();
      forms.clearAll();
      history.clearAll();
      return;
    }
    const { removed, gone } = originals.clearIdle(now);
    forms.clearIdle(removed, (key) => originals.has(key), now);
    history.forget(gone);
    history.clearIdleEvents({
      isActive: (key) => originals.activeAt(key) !== undefined,
      isHeld: (key) => originals.has(key),
    });
  };
  const sweep = (now: number) => {
    sweepAt = now + PAUSE_MS;
    history.forget(originals.sweep(now));
    history.sweep(now - originals.longestLife());
    forms.sweep(now);
  };

  return {
    forms: (keys) => forms.of(keys, clock.now()),
    entry: (key, now) => originals.entry(key, now),
    conversation: (key) => history.conversation(key, originals.activeAt(key)),
    retrievals: (key) => history.retrievals(key),
    anchored: (names) => history.anchored(names),
    hasAnchors: () => history.hasAnchors(),
    isLinked: (key, entry) => originals.usedBy(key).has(entry),
    asked: (key): readonly AskedShape[] =>
      history.asked(key, originals.usedBy(key)),
    entries: (limit): readonly CcrEntrySummary[] =>
      originals.list(limit, clock.now())
        .map((one) => ({ ...one, retrievals: history.count(one.key) })),
    retrievalEvents: (limit, key) => history.events(limit, key),
    retrievalCount: (key: CcrKey) => history.count(key),
    responseId: (seen) => history.responseId(seen),
    // deno-lint-ignore require-await
    write: async (batch) => write(batch),
    full: () => originals.isFull(clock.now()),
    stats: () => ({
      backend: "memory",
      maxBytes,
      ...originals.totals(),
      retrievals: history.eventCount,
    }),
    [Symbol.asyncDispose]: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

/** Parts of a batch that belong to a conversation. */
const OF_CONVERSATION = ["definition", "uses", "retrievals"] as const;

function requireConversation(batch: CcrBatch): void {
  if (batch.conversation !== undefined) return;
  const found = OF_CONVERSATION.find((part) => batch[part] !== undefined);
  if (found === undefined) return;
  throw new TypeError(
    `Cannot write ${found}: the batch must name a conversation`,
  );
}

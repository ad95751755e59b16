/** The store in this process's memory, without a database: for runtimes that have none, and for programs that want none. @module */
import { Lru } from "../bytes/lru.ts";
import type { Clock } from "../core/clock.ts";
import type {
  BlockKey,
  CcrBatch,
  CcrStore,
  CcrWritten,
  FrozenForm,
} from "../core/store.ts";
import { NOTED_MS } from "./clear.ts";
import { MapHistory } from "./map_history.ts";
import { MapOriginals } from "./map_originals.ts";
import { UNUSED_LIFETIME_MS } from "./reads.ts";

/** 256 MiB of originals, and as many bytes of forms. */
const MAX_BYTES = 2 ** 28;
/** Bytes that a form takes beside its literal, roughly. */
const FORM_OVERHEAD = 400;
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
  const history = new MapHistory();
  const forms = new Lru<BlockKey, KeptForm>(
    maxBytes,
    ({ form }) =>
      form.literal.length + (form.definition?.length ?? 0) + FORM_OVERHEAD,
  );
  const lives = { isClosed: false, sweepAt: -Infinity };
  const write = (batch: CcrBatch): CcrWritten => {
    if (lives.isClosed) {
      throw new Error("Cannot write to the CCR store: it is closed");
    }
    requireConversation(batch);
    const { now, clear } = batch;
    if (clear !== undefined) clearTables({ originals, history, forms }, batch);
    // Before anything else is changed: it may refuse.
    originals.makeRoom(batch);
    originals.keep(batch);
    history.note(batch);
    const written = writeForms(forms, batch);
    if (now >= lives.sweepAt) {
      lives.sweepAt = now + PAUSE_MS;
      history.forget(originals.sweep(now));
      history.sweep(now - originals.longestLife());
      forms.deleteWhere(({ usedAt }) => usedAt < now - UNUSED_LIFETIME_MS);
    }
    return written;
  };
  return {
    forms: (keys) => livingForms(forms, keys, clock.now() - UNUSED_LIFETIME_MS),
    entry: (key, now) => originals.entry(key, now),
    conversation: (key) => history.conversation(key, originals.activeAt(key)),
    retrievals: (key) => history.retrievals(key),
    anchored: (names) => history.anchored(names),
    hasAnchors: () => history.hasAnchors(),
    isLinked: (key, entry) => originals.isUsed(key, entry),
    asked: (key) => history.asked(key, (entry) => originals.isUsed(key, entry)),
    entries: (limit) =>
      originals.list(limit, clock.now())
        .map((one) => ({ ...one, retrievals: history.count(one.key) })),
    retrievalEvents: (limit, key) => history.events(limit, key),
    retrievalCount: (key) => history.count(key),
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
      lives.isClosed = true;
      return Promise.resolve();
    },
  };
}

/** A form and its last use, in milliseconds since the Unix epoch. */
interface KeptForm {
  readonly form: FrozenForm;
  readonly usedAt: number;
}

/** What a store holds. */
interface Tables {
  readonly originals: MapOriginals;
  readonly history: MapHistory;
  readonly forms: Lru<BlockKey, KeptForm>;
}

function clearTables(
  { originals, history, forms }: Tables,
  { clear, now }: CcrBatch,
): void {
  if (clear === "all") {
    for (const table of [originals, history]) table.clearAll();
    return forms.clear();
  }
  const { removed, gone } = originals.clearIdle(now);
  forms.deleteWhere(({ form: { entry }, usedAt }) =>
    entry !== undefined && removed.has(entry) ||
    usedAt < now - NOTED_MS && !(entry !== undefined && originals.has(entry))
  );
  history.forget(gone);
  history.clearIdleEvents((key) => originals.has(key));
}

function livingForms(
  forms: Tables["forms"],
  keys: readonly BlockKey[],
  since: number,
): ReadonlyMap<BlockKey, FrozenForm> {
  const found = new Map<BlockKey, FrozenForm>();
  for (const key of keys) {
    const kept = forms.get(key);
    if (kept && kept.usedAt >= since) found.set(key, kept.form);
  }
  return found;
}

/** Takes the forms of a batch out, in, and notes uses; an existing one stays. */
function writeForms(table: Tables["forms"], batch: CcrBatch): CcrWritten {
  const { now, retract = [], forms = [], touch = [] } = batch;
  for (const key of retract) table.delete(key);
  const inserted: BlockKey[] = [];
  const kept = new Map<BlockKey, FrozenForm>();
  for (const [key, form] of forms) {
    const known = table.get(key)?.form;
    if (known === undefined) inserted.push(key);
    kept.set(key, known ?? detached(form));
    table.set(key, { form: kept.get(key)!, usedAt: now });
  }
  for (const key of touch) {
    const known = table.get(key);
    if (known !== undefined) table.set(key, { ...known, usedAt: now });
  }
  return { forms: kept, inserted };
}

/** A view would keep the whole buffer behind it, which may be a request body. */
function detached(form: FrozenForm): FrozenForm {
  const { literal } = form;
  const isWhole = literal.byteLength === literal.buffer.byteLength;
  return isWhole ? form : { ...form, literal: literal.slice() };
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

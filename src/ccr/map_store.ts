/** The store in this process's memory, without a database: for runtimes that have none, and for programs that want none. @module */
import { Lru } from "../bytes/lru.ts";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  AskedShape,
  BlockKey,
  CcrBatch,
  CcrEntrySummary,
  CcrKey,
  CcrStore,
  CcrWritten,
  ConversationKey,
  FrozenForm,
  RetrievalEvent,
} from "../core/store.ts";
import { NOTED_MS } from "./clear.ts";
import { sumShapes } from "./kept_conversation.ts";
import { lastUse, MapTables } from "./map_tables.ts";
import { UNUSED_LIFETIME_MS } from "./reads.ts";
import type { SqliteStoreOptions } from "./sqlite_store.ts";
import { requireConversation } from "./transactions.ts";

/** 256 MiB of originals, and as many bytes of forms. */
const MAX_BYTES = 2 ** 28;

/** Bytes that a form takes beside its literal, roughly. */
const FORM_OVERHEAD = 400;

/** A person who looks is no model that asks. */
const MODELS: readonly string[] = ["proxy", "mcp", "library"];

/** Forms and their last uses, in milliseconds since the Unix epoch. */
type Forms = Lru<BlockKey, KeptForm>;
interface KeptForm {
  readonly form: FrozenForm;
  usedAt: number;
}

/**
 * Opens an empty store in memory. It keeps what {@linkcode CcrStore} promises in maps; nothing survives closing it.
 * Forms are bounded too: beyond as many bytes as originals may have, those used longest ago go.
 */
export function openMapStore(
  options: Pick<SqliteStoreOptions, "ttlSeconds" | "maxBytes" | "clock">,
): CcrStore {
  const { clock, ttlSeconds, maxBytes = MAX_BYTES } = options;
  const tables = new MapTables(ttlSeconds * 1000, maxBytes);
  const { conversations } = tables;
  const forms: Forms = new Lru(maxBytes, weightOf);
  let isClosed = false;
  return {
    forms: (keys) => formsOf(forms, keys, clock.now() - UNUSED_LIFETIME_MS),
    entry: (key, now) => tables.entry(key, now),
    conversation: (key) => conversations.get(key)?.known,
    retrievals: (key) =>
      [...conversations.get(key)?.retrievals.values() ?? []]
        .map(({ one }) => one),
    anchored: (names) => anchored(tables, new Set(names)),
    hasAnchors: () => anchored(tables).length > 0,
    isLinked: (key, entry) => isLinked(tables, key, entry),
    asked: (key) => asked(tables, key),
    entries: (limit) => list(tables, limit, clock.now()),
    retrievalEvents: (limit, key) => eventsOf(tables, key).slice(0, limit),
    retrievalCount: (key) => eventsOf(tables, key).length,
    responseId: (seen) => tables.responseIds.get(seen)?.last,
    // deno-lint-ignore require-await
    write: async (batch) => {
      if (isClosed) {
        throw new Error("Cannot write to the CCR store: it is closed");
      }
      requireConversation(batch);
      if (batch.clear !== undefined) clear(tables, forms, batch);
      // Before any form is changed: it may refuse.
      tables.write(batch);
      return writeForms(forms, batch);
    },
    full: () => tables.isFull(clock.now()),
    stats: () => ({ backend: "memory", maxBytes, ...tables.totals() }),
    [Symbol.asyncDispose]: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

function weightOf({ form: { literal, definition = "" } }: KeptForm): number {
  return literal.length + definition.length + FORM_OVERHEAD;
}

function formsOf(
  table: Forms,
  keys: readonly BlockKey[],
  since: number,
): Map<BlockKey, FrozenForm> {
  const found = new Map<BlockKey, FrozenForm>();
  for (const key of keys) {
    const kept = table.get(key);
    if (kept && kept.usedAt >= since) found.set(key, kept.form);
  }
  return found;
}

/** Takes forms out, in, and notes uses; an existing one stays. */
function writeForms(table: Forms, batch: CcrBatch): CcrWritten {
  const { now, retract = [], forms = new Map(), touch = [] } = batch;
  for (const key of retract) table.delete(key);
  const inserted: BlockKey[] = [];
  const kept = new Map<BlockKey, FrozenForm>();
  for (const [key, form] of forms) {
    const known = table.get(key)?.form;
    if (known === undefined) inserted.push(key);
    // A view would keep the whole buffer behind it, which may be a request body.
    kept.set(key, known ?? { ...form, literal: form.literal.slice() });
    table.set(key, { form: kept.get(key)!, usedAt: now });
  }
  for (const key of touch) {
    const known = table.get(key);
    if (known !== undefined) known.usedAt = now;
  }
  return { forms: kept, inserted };
}

function clear(tables: MapTables, forms: Forms, batch: CcrBatch): void {
  const { clear, now } = batch;
  const gone = tables.clear(clear!, now);
  forms.deleteWhere(({ form: { entry }, usedAt }) =>
    clear === "all" || entry !== undefined && gone.has(entry) ||
    usedAt < now - NOTED_MS &&
      !(entry !== undefined && tables.originals.has(entry))
  );
}

/** Retrievals with one of these names in their anchor, with any where none is given; each once, oldest first. */
function anchored(
  { conversations }: MapTables,
  names?: ReadonlySet<string>,
): AnsweredRetrieval[] {
  const all = [...conversations.values()]
    .flatMap(({ retrievals }) => [...retrievals])
    .sort(([, a], [, b]) => a.nth - b.nth);
  return [...new Map(all).values()].map(({ one }) => one)
    .filter(({ anchor }) =>
      anchor.split("\n")
        .some((name) => name !== "" && (!names || names.has(name)))
    );
}

function isLinked(
  { originals, conversations }: MapTables,
  key: ConversationKey,
  entry: CcrKey,
): boolean {
  const original = originals.get(entry);
  return !!original && !!conversations.get(key)?.uses.has(original);
}

/** What models asked for: that of the conversation, and others of the originals that it uses. */
function asked(tables: MapTables, key: ConversationKey): AskedShape[] {
  const own = tables.events.filter(({ event, by }) =>
    MODELS.includes(event.via) &&
    (by === undefined ? isLinked(tables, key, event.key) : by === key)
  );
  return sumShapes(own.map(({ event }) => ({ ...event, count: 1 })));
}

/** The newest first; with `key`, of this original only. */
function eventsOf({ events }: MapTables, key?: CcrKey): RetrievalEvent[] {
  return events.map(({ event }) => event)
    .filter((event) => key === undefined || event.key === key).reverse();
}

/** Living originals, the last used first. */
function list(
  tables: MapTables,
  limit: number,
  now: number,
): CcrEntrySummary[] {
  return [...tables.originals.values()].reverse()
    .map((one) => ({ ...one, lastUse: lastUse(one) }))
    .filter(({ lifeMs, lastUse }) => now - lastUse <= lifeMs)
    .sort((a, b) =>
      b.lastUse - a.lastUse || b.entry.storedAt - a.entry.storedAt
    )
    .slice(0, Math.max(0, limit))
    .map(({ entry: { original: _, ...known }, bytes, lastUse }) => {
      const retrievals = eventsOf(tables, known.key).length;
      return { ...known, bytes, lastUse, retrievals };
    });
}

/** Gives originals back to whoever asks, and counts it. @module */
import type { Clock } from "../core/clock.ts";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type {
  Cut,
  CutPart,
  Retrieved,
  RetrievedHit,
  RetrievedMiss,
} from "../core/retrieved.ts";
import type {
  CcrEntry,
  CcrKey,
  CcrStore,
  RetrievalEvent,
} from "../core/store.ts";

/** What giving back needs. */
export interface RetrieverParts {
  /** Where the originals are. */
  readonly store: Pick<CcrStore, "entry" | "write">;
  /** Time. */
  readonly clock: Clock;
  /** How long an unused original is kept. */
  readonly ttlSeconds: number;
  /** Cuts parts out: some ten milliseconds per megabyte. */
  readonly cut: CutPart;
  /** Told of what is given back by {@linkcode Retriever.give}. */
  readonly onRetrieved: (event: RetrievalEvent) => void;
  /** Told when an event could not be stored: the original was given back all the same. */
  readonly onUncounted: (error: unknown) => void;
}

/** An answer and what there is to count of it. */
export interface CountedRetrieval {
  /** The answer. */
  readonly retrieved: Retrieved;
  /** `undefined` when nothing was given back. */
  readonly event: RetrievalEvent | undefined;
}

/** The doors to the originals. */
export interface Retriever {
  /** For the model inside the proxy, from `store`; the caller counts the event, and stores it with its conversation. */
  answer(
    store: Pick<CcrStore, "entry">,
    wanted: RetrievalArguments,
  ): Promise<CountedRetrieval>;
  /** For anybody else; resolves when the event is stored. Never rejects for an unknown hash. */
  give(
    wanted: RetrievalArguments,
    via: RetrievalEvent["via"],
  ): Promise<Retrieved>;
}

/** Makes the doors. */
export function makeRetriever(parts: RetrieverParts): Retriever {
  const { store, clock, ttlSeconds, cut, onRetrieved, onUncounted } = parts;
  const find = async (
    from: Pick<CcrStore, "entry">,
    wanted: RetrievalArguments,
    via: RetrievalEvent["via"],
  ): Promise<CountedRetrieval> => {
    const now = clock.now();
    const whole = lookUp(from, wanted.hash, { now, ttlSeconds });
    const retrieved = !whole.success || isWhole(wanted)
      ? whole
      : withPart(whole, await cut(whole.entry, wanted), ttlSeconds);
    const event = retrievalEvent(retrieved, { wanted, via, now });
    return { retrieved, event };
  };
  return {
    answer: (from, wanted) => find(from, wanted, "proxy"),
    give: async (wanted, via) => {
      const { retrieved, event } = await find(store, wanted, via);
      if (event) {
        onRetrieved(event);
        await store.write({ now: event.at, asked: [event] })
          .catch(onUncounted);
      }
      return retrieved;
    },
  };
}

/** A key anywhere in what the model gave: some copy the marker's words along with it. */
const KEY = /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/;
/** Longest argument that is repeated in an answer, in UTF-16 units. */
const ECHO_LIMIT = 64;

/** What an answer depends on besides the store. */
interface LookUpOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** How long an unused original is kept. */
  readonly ttlSeconds: number;
}

/**
 * Looks up a whole original.
 *
 * @param hash As the model or a client gave it.
 */
export function lookUp(
  store: Pick<CcrStore, "entry">,
  hash: string,
  { now, ttlSeconds }: LookUpOptions,
): Retrieved {
  const key = KEY.exec(hash.toLowerCase())?.[0];
  const found = key === undefined
    ? { status: "missing" as const }
    : store.entry(key as CcrKey, now);
  if (!("status" in found)) return hit(found);
  const miss = (error: string): RetrievedMiss => ({
    success: false,
    data: {
      error,
      hash: key ?? hash.slice(0, ECHO_LIMIT),
      status: found.status,
      ttl_seconds: ttlSeconds,
    },
  });
  const ttl = `CCR TTL: ${ttlSeconds} seconds`;
  return found.status === "missing" ? miss(`Entry not found (${ttl})`) : miss(
    `Entry expired (${ttl}; age: ${Math.round(found.ageMs / 1000)} seconds)`,
  );
}

/** The answer with a part of the original, or with what is wrong about the part. */
export function withPart(
  { entry }: RetrievedHit,
  cut: Cut,
  ttlSeconds: number,
): Retrieved {
  if (cut.ok) return hit(entry, cut);
  const { key: hash } = entry;
  const data = { error: cut.error, hash, status: "bad_part" } as const;
  return { success: false, data: { ...data, ttl_seconds: ttlSeconds } };
}

/** Whether no part is named. */
export function isWhole({ lines, query, path }: RetrievalArguments): boolean {
  return lines === undefined && query === undefined && path === undefined;
}

function hit(
  entry: CcrEntry,
  cut?: Extract<Cut, { ok: true }>,
): RetrievedHit {
  const { key, original, originalItems, keptItems, originalTokens } = entry;
  const content = cut?.content ?? original;
  return {
    success: true,
    entry,
    items: cut?.items ?? originalItems,
    tokens: original.length === 0
      ? 0
      : Math.round(originalTokens * content.length / original.length),
    data: {
      hash: key,
      original_content: content,
      original_item_count: originalItems,
      compressed_item_count: keptItems,
      ...cut === undefined ? {} : { part: cut.part },
    },
  };
}

/** Where an answer was found. */
interface RetrievalCircumstances {
  /** What was asked for. */
  readonly wanted: RetrievalArguments;
  /** Who asked. */
  readonly via: RetrievalEvent["via"];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The event to count; `undefined` when nothing was given back. */
export function retrievalEvent(
  retrieved: Retrieved,
  { wanted, via, now }: RetrievalCircumstances,
): RetrievalEvent | undefined {
  if (!retrieved.success) return undefined;
  const { entry, items, tokens } = retrieved;
  const { query = "", lines, path } = wanted;
  return {
    key: entry.key,
    at: now,
    via,
    part: query !== ""
      ? "query"
      : lines !== undefined
      ? "lines"
      : path !== undefined
      ? "path"
      : "full",
    query,
    strategy: entry.strategy,
    toolName: entry.toolName,
    items,
    totalItems: entry.originalItems,
    tokens,
  };
}

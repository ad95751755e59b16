/** Gives originals back to whoever asks, and counts it. @module */
import type { Clock } from "../core/clock.ts";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { CutPart, Retrieved } from "../core/retrieved.ts";
import type { CcrStore, RetrievalEvent } from "../core/store.ts";
import { isWhole, lookUp, retrievalEvent, withPart } from "./retrieve_tool.ts";

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

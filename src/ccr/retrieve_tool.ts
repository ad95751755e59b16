/** What the retrieval tool answers: the original, or why it is not there. @module */
import type { CcrEntry, CcrKey, CcrStore } from "../core/store.ts";

/** A key anywhere in what the model gave: some copy the marker's words along with it. */
const KEY = /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/;
/** Longest argument that is repeated in an answer, in UTF-16 units. */
const ECHO_LIMIT = 64;

/** What an answer depends on besides the store. */
export interface RetrieveOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** How long an unused original is kept. */
  readonly ttlSeconds: number;
}

/** An answer of the retrieval tool. */
export type Retrieved =
  /** `data` is what the model gets. */
  | {
    readonly success: true;
    readonly entry: CcrEntry;
    readonly data: {
      readonly hash: string;
      readonly original_content: string;
      readonly original_item_count: number;
      readonly compressed_item_count: number;
    };
  }
  | {
    readonly success: false;
    readonly data: {
      readonly error: string;
      readonly hash: string;
      readonly status: "missing" | "expired";
      readonly ttl_seconds: number;
    };
  };

/**
 * Looks up an original.
 *
 * @param hash As the model or a client gave it.
 */
export function retrieve(
  store: Pick<CcrStore, "entry">,
  hash: string,
  { now, ttlSeconds }: RetrieveOptions,
): Retrieved {
  const key = KEY.exec(hash.toLowerCase())?.[0];
  const found = key === undefined
    ? { status: "missing" as const }
    : store.entry(key as CcrKey, now);
  if (!("status" in found)) {
    return {
      success: true,
      entry: found,
      data: {
        hash: found.key,
        original_content: found.original,
        original_item_count: found.originalItems,
        compressed_item_count: found.keptItems,
      },
    };
  }
  const ttl = `CCR TTL: ${ttlSeconds} seconds`;
  const error = found.status === "missing"
    ? `Entry not found (${ttl})`
    : `Entry expired (${ttl}; age: ${Math.round(found.ageMs / 1000)} seconds)`;
  return {
    success: false,
    data: {
      error,
      hash: key ?? hash.slice(0, ECHO_LIMIT),
      status: found.status,
      ttl_seconds: ttlSeconds,
    },
  };
}

/** Text of the tool result for `hash`: compact JSON. Never throws for an unknown hash; the answer says so. */
export function retrievedContent(
  store: Pick<CcrStore, "entry">,
  hash: string,
  options: RetrieveOptions,
): string {
  return JSON.stringify(retrieve(store, hash, options).data);
}

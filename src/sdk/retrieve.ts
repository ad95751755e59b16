/** Originals, given back to whoever uses the library. @module */
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { Retrieved } from "../core/retrieved.ts";
import type { RetrievePart, RetrieveResult } from "./compress_types.ts";

/** Looks originals up, and counts that. */
export interface OriginalsDoor {
  /** Gives back what is wanted; never rejects for an unknown hash. */
  give(wanted: RetrievalArguments, via: "library"): Promise<Retrieved>;
}

/** Gives an original back, or a part of it; counts that as asked for by a model. */
export async function retrieveWith(
  retriever: OriginalsDoor,
  hash: string,
  part: RetrievePart,
): Promise<RetrieveResult> {
  const { success, data } = await retriever.give({ ...part, hash }, "library");
  if (!success) {
    const { error, status, ttl_seconds: ttlSeconds } = data;
    return { success, hash: data.hash, error, status, ttlSeconds };
  }
  return {
    success,
    hash: data.hash,
    originalContent: data.original_content,
    originalItemCount: data.original_item_count,
    compressedItemCount: data.compressed_item_count,
    ...data.part !== undefined && { part: data.part },
  };
}

/** The result of a compression that failed. @module */
import type { CompressResult } from "./compress_types.ts";

/** The result for messages of which nothing is known but that they go on as they are. */
export function unchanged<M>(
  messages: readonly M[],
  reason: string,
): CompressResult<M> {
  return {
    messages: [...messages],
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    compressionRatio: 1,
    transformsApplied: [],
    transformsSummary: {},
    ccrHashes: [],
    compressed: false,
    reason,
  };
}

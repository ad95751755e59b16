/** Lists of answered retrievals, told apart by all that they hold. @module */
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import { retrievalKey } from "./key.ts";

/** Returns those of `some` that `known` does not hold, in their order. */
export function missingFrom(
  known: readonly AnsweredRetrieval[],
  some: readonly AnsweredRetrieval[],
): readonly AnsweredRetrieval[] {
  if (some.length === 0) return some;
  const held = new Set(known.map(retrievalKey));
  return some.filter((one) => !held.has(retrievalKey(one)));
}

/** Returns each of `some` once, at its first place. */
export function withoutRepeats(
  some: readonly AnsweredRetrieval[],
): readonly AnsweredRetrieval[] {
  if (some.length < 2) return some;
  const seen = new Set<string>();
  return some.filter((one) => {
    const key = retrievalKey(one);
    return !seen.has(key) && seen.add(key);
  });
}

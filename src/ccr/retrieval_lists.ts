/** Lists of answered retrievals, told apart by all that they hold. @module */
import type { AnsweredRetrieval, AnsweredTurn } from "../core/retrieval.ts";
import type { CcrKey } from "../core/store.ts";
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

/** How every answer begins that gives something back. */
const GIVEN = /^\{"hash":"([0-9a-f]{24})","original_content":/;

/**
 * Originals that were given back. Text inside an original cannot pass for an answer: only the start of a whole
 * string value is read.
 */
export function originalsIn(
  { data }: AnsweredRetrieval,
): readonly CcrKey[] {
  const { rounds, beside } = JSON.parse(data) as AnsweredTurn;
  const keys: CcrKey[] = [];
  for (const { answer } of [...rounds, ...beside ? [beside] : []]) {
    JSON.parse(`[${answer}]`, (_, value: unknown) => {
      const found = typeof value === "string" ? GIVEN.exec(value) : null;
      if (found !== null) keys.push(found[1] as CcrKey);
      return value;
    });
  }
  return keys;
}

/** What each unit of a document is the first to name. @module */
import type { Facts } from "./facts.ts";

/** Points for each new name, number and proper name, and most of each. */
const NAME = 5;
const NUMBER = 7;
const MOST_EXACT = 14;
const PROPER = 2;
const MOST_PROPER = 4;

/** Points for what each unit is the first to name. O(facts). */
export function newsOf(facts: readonly Facts[]): Uint8Array {
  const told = new Set<number>();
  const count = (hashes: readonly number[]) => {
    let news = 0;
    for (const hash of hashes) {
      if (told.has(hash)) continue;
      told.add(hash);
      news++;
    }
    return news;
  };
  return Uint8Array.from(facts, ({ names, numbers, proper }) => {
    const named = Math.min(MOST_EXACT, NAME * count(names));
    const numbered = Math.min(MOST_EXACT, NUMBER * count(numbers));
    return named + numbered + Math.min(MOST_PROPER, PROPER * count(proper));
  });
}

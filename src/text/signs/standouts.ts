/** Lines that stand out by a value: a rare one of a field that is constant elsewhere, or an extreme number. @module */
import type { Lines } from "../lines.ts";
import { FieldReader } from "./field_reader.ts";
import { FieldStore, type Unusual } from "./field_store.ts";

/** Lines of each reason that are given. */
const MOST = 12;
/** Used for one text after the other. */
const STORE = new FieldStore();

/**
 * Finds the lines with rare values and extreme numbers.
 *
 * A field is the value of a key, what comes so many tokens behind a word, or the number at the end of a line:
 * `took 12ms`, `state=ok`, `(12 ms)`. A value is rare if it occurs once or twice among at least 20, of which 95 of 100
 * are at most three others; among 8 to 19 values of a key if it occurs once and all others are. Ids, counters and times
 * are neither.
 *
 * @returns At most 12 lines of each reason, the most unusual first. O(n).
 */
export function standouts(lines: Lines): Unusual[] {
  STORE.clear();
  const reader = new FieldReader(lines, STORE);
  for (let line = 0; line < lines.count; line++) reader.read(line);
  const found = STORE.unusual().sort((a, b) =>
    b.weight - a.weight || a.line - b.line
  );
  const chosen = new Map<number, Unusual>();
  for (const reason of ["rare", "extreme"] as const) {
    let left = MOST;
    for (const one of found) {
      if (one.reason !== reason || chosen.has(one.line)) continue;
      if (left-- === 0) break;
      chosen.set(one.line, one);
    }
  }
  return [...chosen.values()];
}

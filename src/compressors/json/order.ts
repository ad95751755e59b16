/** Searches in ascending numbers, and texts whose offsets stay. @module */
import type { Tape } from "./tape.ts";

/** Index of the first of `sorted` that is at least `value`. O(log n). */
export function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The last node that starts at or before an offset of the minified text. O(log n), less near `from`.
 *
 * @param from A node that starts at or before the offset.
 */
export function nodeAt(tape: Tape, offset: number, from = 0): number {
  const { start } = tape;
  let low = from;
  let step = 8;
  while (low + step < tape.length && start[low + step]! <= offset) {
    low += step;
    step *= 2;
  }
  let high = Math.min(tape.length - 1, low + step);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (start[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The text in lower case with every offset as it was: as it is, where lower case has another length. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

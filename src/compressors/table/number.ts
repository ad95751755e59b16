/** Numbers in cells: plain, in percent, in bytes, clock times and ages. @module */

const DOT = 46;
const MINUS = 45;
const PLUS = 43;
const PERCENT = 37;
const QUOTE = 34;
/** Digits that a double holds exactly. */
const MOST_DIGITS = 15;
const DECIMAL = 10;

/** Factors of unit letters: bytes as `df -h` writes them, millionths and thousandths never. */
const UNITS = new Map([
  [75, 2 ** 10], // K
  [107, 2 ** 10], // k
  [77, 2 ** 20], // M
  [71, 2 ** 30], // G
  [84, 2 ** 40], // T
]);
const BYTE = 66;
const SMALL_I = 105;

/** Seconds of `y`, `d`, `h`, `m`, `s`. */
const AGES = new Map([
  [121, 31_536_000],
  [100, 86_400],
  [104, 3600],
  [109, 60],
  [115, 1],
]);
const COLON = 58;
const SIXTY = 60;

/**
 * The number that `codes[from, to)` is: `-12`, `1.50`, `"7"`, `85%`, `4.0K`, `23Gi`, `12kB`, `1:30` and `5d3h` in seconds.
 *
 * @returns `NaN` for anything else, a number of more than 15 digits included.
 */
export function numberIn(codes: Uint8Array, from: number, to: number): number {
  let at = from;
  let end = to;
  if (codes[at] === QUOTE && end - at > 2 && codes[end - 1] === QUOTE) {
    at++;
    end--;
  }
  const sign = codes[at] === MINUS ? -1 : 1;
  if (codes[at] === MINUS || codes[at] === PLUS) at++;
  let value = 0;
  let digits = 0;
  let scale = 0;
  for (; at < end; at++) {
    const code = codes[at]!;
    if (code === DOT && scale === 0) {
      scale = 1;
      continue;
    }
    if (code < 48 || code > 57) break;
    value = value * DECIMAL + code - 48;
    digits++;
    if (scale > 0) scale *= DECIMAL;
  }
  if (digits === 0 || digits > MOST_DIGITS) return NaN;
  if (at < end && codes[at] === COLON) return clockAt(codes, at, end, value);
  if (at < end && AGES.has(codes[at]!)) return ageAt(codes, at, end, value);
  const factor = at === end ? 1 : unitAt(codes, at, end);
  return sign * factor * (scale > 1 ? value / scale : value);
}

/** `value` is what stands before the colon at `at`. */
function clockAt(codes: Uint8Array, at: number, end: number, value: number) {
  let total = value;
  let part = 0;
  let digits = 0;
  for (let i = at; i < end; i++) {
    const code = codes[i]!;
    if (code === COLON) {
      total = (total + part) * SIXTY;
      part = 0;
      digits = 0;
    } else if (code >= 48 && code < 58) {
      part = part * DECIMAL + code - 48;
      digits++;
    } else if (code === DOT) {
      const rest = numberIn(codes, i + 1, end);
      return total + part + rest / DECIMAL ** (end - i - 1);
    } else return NaN;
  }
  return digits > 0 && digits <= MOST_DIGITS ? total + part : NaN;
}

/** `value` is what stands before the letter at `at`. */
function ageAt(codes: Uint8Array, at: number, end: number, value: number) {
  let total = value * AGES.get(codes[at]!)!;
  let part = 0;
  for (let i = at + 1; i < end; i++) {
    const code = codes[i]!;
    if (code >= 48 && code < 58) {
      part = part * DECIMAL + code - 48;
      continue;
    }
    const factor = AGES.get(code);
    if (factor === undefined) return NaN;
    total += part * factor;
    part = 0;
  }
  return part === 0 ? total : NaN;
}

function unitAt(codes: Uint8Array, at: number, end: number): number {
  if (end - at === 1 && codes[at] === PERCENT) return 1;
  if (end - at === 1 && codes[at] === BYTE) return 1;
  const factor = UNITS.get(codes[at]!);
  if (factor === undefined) return NaN;
  let next = at + 1;
  if (next < end && codes[next] === SMALL_I) next++;
  if (next < end && codes[next] === BYTE) next++;
  return next === end ? factor : NaN;
}

/** Digits behind the dot of a plain decimal number; -1 for a number with a sign of its unit, or none. */
export function decimalsOf(cell: string): number {
  const match = /^"?[+-]?\d+(?:\.(\d+))?"?$/.exec(cell);
  return match === null ? -1 : (match[1]?.length ?? 0);
}

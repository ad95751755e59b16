/** What the lines of machine-made text look like: hex dumps, base64, numbers, minified code. @module */
import {
  codeAt,
  lineEnd,
  lineLength,
  type Lines,
  lineStart,
} from "../../text/lines.ts";

/** Anything that people may read. */
export const PLAIN = 0;
/** A row of a hex or octal dump: offset, bytes. */
export const DUMP = 1;
/** Base64, or hexadecimal digits only. */
export const BASE64 = 2;
/** `ab:cd:ef:…` */
export const COLONS = 3;
/** A very long line with hardly a blank in it. */
export const LONG = 4;

/** UTF-16 units of a long line, at least. */
const LONGEST_PLAIN = 300;
/** UTF-16 units of a row of base64 and of bytes with colons, at least. */
const LEAST_BASE64 = 40;
const LEAST_COLONS = 24;
/** Windows of a long line that are looked at, and their UTF-16 units. */
const WINDOWS = 4;
const WINDOW = 300;
/** Shares of blanks and of characters beyond ASCII that such a line may have. */
const MAX_BLANK = 0.085;
const MAX_FOREIGN = 0.15;

const ROW =
  /^\s*(?:[0-9a-f]{6,16}:?[ \t]+(?:[0-9a-f]{2}(?:[0-9a-f]{2}){0,7}[ \t]+){3}|[0-7]{7}[ \t]+(?:[0-7]{3,6}[ \t]+){3})/i;
/** UTF-16 units of a row of a dump, at most. */
const LONGEST_ROW = 200;

const CAPITAL = 1;
const SMALL = 2;
const DIGIT = 4;
const SIGN = 8;
const HEX = 16;
const BITS = characterBits();

/** Shape of one line. O(1) for a long line, else O(line). */
export function shapeOf(lines: Lines, line: number): number {
  const { text, codes } = lines;
  const start = lineStart(lines, line);
  let end = lineEnd(lines, line);
  if (end > start && codes[end - 1] === 13) end--;
  const length = end - start;
  if (length >= LONGEST_PLAIN) {
    return isPacked(codes, start, end) ? LONG : PLAIN;
  }
  if (length < LEAST_COLONS) return PLAIN;
  const bits = codeAt(BITS, codeAt(codes, start));
  if (bits !== 0 && length >= LEAST_BASE64 && isBase64(codes, start, end)) {
    return BASE64;
  }
  if (isColons(codes, start, end)) return COLONS;
  return length <= LONGEST_ROW && (bits & HEX || codeAt(codes, start) <= 32) &&
      ROW.test(text.slice(start, end))
    ? DUMP
    : PLAIN;
}

/** Line after the block that starts with line `from`: rows alike, and a last one that may be shorter. O(block). */
export function blockEnd(lines: Lines, from: number, shape: number): number {
  const { codes } = lines;
  const length = lineLength(lines, from);
  let to = from + 1;
  for (; to < lines.count; to++) {
    const start = lineStart(lines, to);
    const isAlike = shapeOf(lines, to) === shape ||
      // Chance makes a row without digits, which alone would be a word.
      (lineLength(lines, to) === length && isRest(lines, to, shape));
    // A dump writes `*` for rows that repeat the one above.
    const isStar = shape === DUMP && codes[start] === 42 &&
      lineLength(lines, to) <= 2;
    if (!isAlike && !isStar) break;
  }
  return to < lines.count && isRest(lines, to, shape) ? to + 1 : to;
}

/** Whether a line has only characters that the rows of such a block have. */
function isRest(lines: Lines, line: number, shape: number): boolean {
  const { codes } = lines;
  const start = lineStart(lines, line);
  const end = lineEnd(lines, line);
  if (end <= start || (shape !== BASE64 && shape !== COLONS)) return false;
  for (let i = start; i < end; i++) {
    const code = codeAt(codes, i);
    const bits = codeAt(BITS, code);
    const isPart = shape === BASE64
      ? bits !== 0 || code === 61 || code === 13
      : (bits & HEX) !== 0 || code === 58 || code <= 32;
    if (!isPart) return false;
  }
  return true;
}

/** Few blanks, and hardly anything beyond ASCII, in windows all over the line. */
function isPacked(codes: Uint8Array, start: number, end: number): boolean {
  let blank = 0;
  let foreign = 0;
  let seen = 0;
  const step = Math.max(
    WINDOW,
    Math.floor((end - start - WINDOW) / (WINDOWS - 1)),
  );
  for (let n = 0; n < WINDOWS; n++) {
    const at = start + n * step;
    if (at >= end) break;
    const stop = Math.min(end, at + WINDOW);
    for (let i = at; i < stop; i++) {
      if (codeAt(codes, i) <= 32) blank++;
      else if (codeAt(codes, i) >= 128) foreign++;
    }
    seen += stop - at;
  }
  return blank <= MAX_BLANK * seen && foreign <= MAX_FOREIGN * seen;
}

/** Only letters, digits and two signs, mixed as no path and no word mixes them; or only hexadecimal digits. */
function isBase64(codes: Uint8Array, start: number, end: number): boolean {
  let capitals = 0;
  let smalls = 0;
  let digits = 0;
  let hex = 0;
  let last = end;
  while (last > start && codes[last - 1] === 61) last--;
  for (let i = start; i < last; i++) {
    const bits = codeAt(BITS, codeAt(codes, i));
    if (bits === 0) return false;
    if (bits & CAPITAL) capitals++;
    else if (bits & SMALL) smalls++;
    else if (bits & DIGIT) digits++;
    if (bits & HEX) hex++;
  }
  const length = last - start;
  if (hex === length) return digits >= length / 4;
  return capitals >= length / 5 && smalls >= length / 5 &&
    digits >= length / 40;
}

/** Blanks, then pairs of hexadecimal digits with colons between them. */
function isColons(codes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && codeAt(codes, at) <= 32) at++;
  if (end - at < LEAST_COLONS || codes[at + 2] !== 58) return false;
  for (let i = at; i < end; i++) {
    const isRight = (i - at) % 3 === 2
      ? codes[i] === 58
      : (codeAt(BITS, codeAt(codes, i)) & HEX) !== 0;
    if (!isRight) return false;
  }
  return true;
}

function characterBits(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(DIGIT | HEX, 48, 58);
  table.fill(CAPITAL, 65, 91);
  table.fill(SMALL, 97, 123);
  for (const char of "abcdefABCDEF") {
    const code = char.charCodeAt(0);
    table[code] = codeAt(table, code) | HEX;
  }
  for (const char of "+/-_") table[char.charCodeAt(0)] = SIGN;
  return table;
}

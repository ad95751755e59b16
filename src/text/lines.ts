/** Lines of a text as offsets, so that a large text is not cut into an array of strings. @module */

/** A text and where its lines start. A final newline ends the last line; it does not start another. */
export interface Lines {
  /** The whole text. */
  readonly text: string;
  /** Number of lines; 0 for an empty text. */
  readonly count: number;
  /** `count + 1` offsets in UTF-16 units: line `i` is `[starts[i], starts[i + 1] - 1)`. */
  readonly starts: Uint32Array;
  /** One byte per UTF-16 unit of `text`: its code, or for a unit above 127 a byte above 127. Much faster to read than the string. */
  readonly codes: Uint8Array;
}

const UTF8 = new TextEncoder();

/** UTF-16 units of a text whose lines are kept for a while: of longer ones finding them is the least of the work. */
const LEAST_KEPT = 256;
const MOST_KEPT = 32_000;
/** The lines that were found last: kinds ask for those of the same text, one after the other. */
let latest: Lines | undefined;
let earlier: Lines | undefined;

/** Finds the lines of `text`, split at `\n` only; a `\r` before it stays part of the line. Nobody may change what they hold. O(n). */
export function indexLines(text: string): Lines {
  if (latest?.text === text) return latest;
  const known = earlier?.text === text ? earlier : linesOf(text);
  if (text.length >= LEAST_KEPT && text.length <= MOST_KEPT) {
    earlier = latest;
    latest = known;
  }
  return known;
}

function linesOf(text: string): Lines {
  let starts = new Uint32Array(64 + (text.length >>> 5));
  let count = 0;
  let at = 0;
  while (at < text.length) {
    if (count + 2 > starts.length) starts = grown(starts);
    starts[count++] = at;
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? text.length + 1 : newline + 1;
  }
  starts[count] = at;
  return {
    text,
    count,
    starts: starts.subarray(0, count + 1),
    codes: codesOf(text),
  };
}

/** One byte per UTF-16 unit: ASCII as it is, anything else folded into 128 to 255. */
export function codesOf(text: string): Uint8Array {
  const codes = new Uint8Array(text.length);
  const { read, written } = UTF8.encodeInto(text, codes);
  if (read === written && read === text.length) return codes;
  for (let i = 0; i < text.length; i++) {
    codes[i] = byteOf(text.charCodeAt(i));
  }
  return codes;
}

/** The byte of one UTF-16 unit among {@linkcode codesOf}. */
export function byteOf(unit: number): number {
  return unit < 128 ? unit : 128 | (unit & 127);
}

/** Line `index`, counted from 0, without its newline. */
export function lineAt(lines: Lines, index: number): string {
  return lines.text.slice(lines.starts[index]!, lines.starts[index + 1]! - 1);
}

/** At most the first `width` UTF-16 units of line `index`, without its newline. */
export function lineHead(lines: Lines, index: number, width: number): string {
  const start = lineStart(lines, index);
  return lines.text.slice(
    start,
    Math.min(lineEnd(lines, index), start + width),
  );
}

/** Whether the text ends with a newline. */
export function endsWithNewline(lines: Lines): boolean {
  return lines.count > 0 && lines.starts[lines.count]! === lines.text.length;
}

/**
 * Starts of a bounded sample of lines: of all of a short text, else of its first lines, of those from its middle on
 * and of its last. Looks at no more of the text than that.
 *
 * @param each Lines taken at each of the three places; three times as many where there are no more.
 * @param width UTF-16 units taken of one line, at most.
 */
export function lineHeads(text: string, each: number, width: number): string[] {
  const heads: string[] = [];
  const add = (from: number, count: number) => {
    let at = from;
    for (let i = 0; i < count && at < text.length; i++) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      heads.push(text.slice(at, Math.min(end, at + width)));
      at = end + 1;
    }
    return at;
  };
  if (add(0, 3 * each) >= text.length) return heads;
  heads.length = each;
  add(text.indexOf("\n", text.length >>> 1) + 1, each);
  let last = text.length - 1;
  for (let i = 0; i < each; i++) last = text.lastIndexOf("\n", last - 1);
  add(last + 1, each);
  return heads;
}

function grown(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2);
  larger.set(starts);
  return larger;
}

/** Byte at `at` of codes; 0 outside of them, which no text that is read holds at a place that matters. */
export function codeAt(codes: Uint8Array, at: number): number {
  return codes[at] ?? 0;
}

/** Offset of the first UTF-16 unit of line `index`; the end of the text for the line after the last. */
export function lineStart(lines: Lines, index: number): number {
  return lines.starts[index] ?? lines.text.length;
}

/** Offset after the last UTF-16 unit of line `index`, its newline left out. */
export function lineEnd(lines: Lines, index: number): number {
  return lineStart(lines, index + 1) - 1;
}

/** UTF-16 units of line `index`, its newline left out. */
export function lineLength(lines: Lines, index: number): number {
  return lineEnd(lines, index) - lineStart(lines, index);
}

/** Number at `index` of a list of offsets; 0 outside of it. */
export function offsetAt(offsets: Uint32Array, index: number): number {
  return offsets[index] ?? 0;
}

/** Number at `index` of a list of hashes or indexes; 0 outside of it. */
export function keyAt(keys: Int32Array, index: number): number {
  return keys[index] ?? 0;
}

/** Index of the line that holds `offset`, its newline included; the number of lines behind the last one. O(log n). */
export function lineAtOffset(lines: Lines, offset: number): number {
  let low = 0;
  let high = lines.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lineStart(lines, middle + 1) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

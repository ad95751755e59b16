/** Writes a part of a list as one line. @module */
import { groupLine, quoted, SELF, SELF_SLASH } from "./group_line.ts";
import { commonLength, endOf, isSlash, type Rows } from "./rows.ts";
import type { Part } from "./parts.ts";

/** Units that names must start with to have it written once. */
const LEAST_PREFIX = 3;
/** Consecutive numbers that are worth writing as a range. */
const LEAST_RANGE = 3;
/** Digits of a number that is still exact. */
const MAX_DIGITS = 15;

const ZERO = 48;
const NINE = 57;

/** What all names of a part have before and after what differs. */
interface Affixes {
  /** Units before, from the start of the line. */
  readonly before: number;
  /** Units after, from the end of the line. */
  readonly after: number;
}

/** How parts are written. */
export interface LineStyle {
  /** Units at the start of all rows that are not written. */
  readonly root: number;
  /** Whether a path alone in its part has a star too. */
  readonly alwaysStar: boolean;
}

/** The line for a part. O(its text). */
export function partLine(rows: Rows, part: Part, style: LineStyle): string {
  const { from, to, self, head } = part;
  const { root, alwaysStar } = style;
  const { text, starts } = rows.lines;
  const start = starts[from]!;
  const mayBeBare = head < root || (root === 0 && !alwaysStar);
  if (to - from === 1 && !self && mayBeBare) {
    return text.slice(start, endOf(rows, from));
  }
  const affixes = affixesOf(rows, part);
  const stop = rows.stop[from]!;
  const names = namesIn(rows, part, affixes);
  if (self) {
    const before = rows.stop[from - 1]!;
    const own = isSlash(rows.lines.codes[before - 1]) ? SELF_SLASH : SELF;
    names.unshift(own + text.slice(before, endOf(rows, from - 1)));
  }
  return groupLine(
    text.slice(start + root, start + affixes.before),
    text.slice(stop - affixes.after, stop),
    names,
  );
}

/** Longest common ends that stop where a word does and leave something of each name. */
function affixesOf(rows: Rows, { from, to, head, self, hoist }: Part): Affixes {
  const { starts } = rows.lines;
  const start = starts[from]!;
  const end = rows.stop[from]!;
  if (to - from < 2) return { before: head, after: 0 };
  let shortest = Infinity;
  let before = end - start - head;
  let after = hoist ? end - start - head : 0;
  for (let i = from; i < to; i++) {
    const stop = rows.stop[i]!;
    const length = stop - starts[i]! - head;
    shortest = Math.min(shortest, length);
    const at = starts[i]! + head;
    before = commonLength(rows, [start + head, at], Math.min(before, length));
    after = commonEnd(rows, [end, stop], Math.min(after, length));
  }
  after = wordStart(rows, end, Math.min(after, shortest - 1));
  before = self ? 0 : Math.min(before, shortest - after - 1);
  before = wordEnd(rows, start + head, before);
  return { before: head + before, after };
}

/** Units, at most `most`, that are the same before `a` and before `b`. */
function commonEnd(
  { lines: { codes, text } }: Rows,
  [a, b]: readonly [number, number],
  most: number,
): number {
  let n = 0;
  while (n < most && codes[a - n - 1] === codes[b - n - 1]) {
    const isAscii = codes[a - n - 1]! < 128;
    if (!isAscii && text.charCodeAt(a - n - 1) !== text.charCodeAt(b - n - 1)) {
      break;
    }
    n++;
  }
  return n;
}

/** Shortens an ending of `length` units to one that starts with a mark and has no space or colon. */
function wordStart({ lines }: Rows, end: number, length: number): number {
  let best = 0;
  for (let n = 1; n <= length; n++) {
    const code = lines.codes[end - n]!;
    if (code === 32 || code === 58) break;
    if (isMark(code) || isSlash(code)) best = n;
  }
  return best;
}

/** Shortens a beginning to one that ends with a mark, or right before a number. */
function wordEnd({ lines }: Rows, start: number, length: number): number {
  for (let n = length; n >= LEAST_PREFIX; n--) {
    const code = lines.codes[start + n - 1]!;
    if (isMark(code) || isSlash(code)) return n;
    if (!isDigit(code) && isDigit(lines.codes[start + n]!)) return n;
  }
  return 0;
}

/** `-`, `.`, `_`. */
function isMark(code: number): boolean {
  return code === 45 || code === 46 || code === 95;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The names, without the affixes; those that count up by one as a range. */
function namesIn(rows: Rows, { from, to }: Part, affixes: Affixes): string[] {
  const { text, starts } = rows.lines;
  const nameOf = (i: number) =>
    text.slice(starts[i]! + affixes.before, rows.stop[i]! - affixes.after);
  const names: string[] = [];
  for (let i = from; i < to;) {
    const last = numberedRun(rows, [i, to], affixes);
    const name = nameOf(i);
    if (last - i + 1 >= LEAST_RANGE) {
      const highest = nameOf(last);
      names.push(`${name}..${highest.slice(numberAt(highest))}`);
      i = last + 1;
    } else {
      names.push(quoted(name + text.slice(rows.stop[i]!, endOf(rows, i))));
      i++;
    }
  }
  return names;
}

/** Last row of those, from `from` on, whose names count up by one and are else the same. */
function numberedRun(
  rows: Rows,
  [from, to]: readonly [number, number],
  { before, after }: Affixes,
): number {
  const { codes, starts } = rows.lines;
  const isPlain = (row: number) =>
    !rows.spaced[row] && rows.stop[row] === endOf(rows, row) &&
    isDigit(codes[rows.stop[row]! - after - 1]!);
  let last = from;
  while (isPlain(last) && last + 1 < to && isPlain(last + 1)) {
    const names = [starts[last]! + before, starts[last + 1]! + before] as const;
    const ends = [
      rows.stop[last]! - after,
      rows.stop[last + 1]! - after,
    ] as const;
    if (!isSuccessor(rows, names, ends)) break;
    last++;
  }
  return last;
}

/** Whether the name of row `b` is that of row `a` with its last number one higher; both in one directory. */
export function countsUp(rows: Rows, a: number, b: number): boolean {
  const { lines, stop, dot } = rows;
  // The cheapest test first: most names end with a letter.
  if (!isDigit(lines.codes[dot[b]! - 1]!)) return false;
  const aStart = lines.starts[a]!;
  const bStart = lines.starts[b]!;
  const after = stop[a]! - dot[a]!;
  if (rows.spaced[a] || rows.spaced[b] || stop[b]! - dot[b]! !== after) {
    return false;
  }
  return stop[a] === endOf(rows, a) &&
    isDigit(lines.codes[dot[a]! - 1]!) &&
    commonEnd(rows, [stop[a]!, stop[b]!], after) === after &&
    isSuccessor(rows, [aStart, bStart], [dot[a]!, dot[b]!]);
}

/** Whether the second name is the first with its last number one higher, written as one who counts would. */
function isSuccessor(
  rows: Rows,
  [a, b]: readonly [number, number],
  [aEnd, bEnd]: readonly [number, number],
): boolean {
  const { codes, text } = rows.lines;
  const aDigits = digitsStart(codes, a, aEnd);
  const bDigits = digitsStart(codes, b, bEnd);
  const length = aDigits - a;
  // The last number of a version is no counter to a reader: 1.9.0..5.
  if (codes[aDigits - 1] === 46) return false;
  if (length !== bDigits - b || bEnd - bDigits > MAX_DIGITS) return false;
  if (commonLength(rows, [a, b], length) < length) return false;
  const one = Number(text.slice(aDigits, aEnd));
  const next = Number(text.slice(bDigits, bEnd));
  if (next !== one + 1) return false;
  const grows = aEnd - aDigits !== bEnd - bDigits;
  const padded = codes[aDigits] === ZERO && aEnd - aDigits > 1;
  // Ninety-nine to one hundred, and nothing filled up with zeros.
  return !grows || (!padded && bEnd - bDigits === aEnd - aDigits + 1 &&
    codes[bDigits] !== ZERO);
}

function digitsStart(codes: Uint8Array, from: number, end: number): number {
  let at = end;
  while (at > from && isDigit(codes[at - 1]!)) at--;
  return at;
}

/** Where the number at the end of a name starts. */
function numberAt(name: string): number {
  let at = name.length;
  while (at > 0 && isDigit(name.charCodeAt(at - 1))) at--;
  return at;
}

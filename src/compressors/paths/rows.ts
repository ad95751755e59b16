/** Lines of a path list as offsets: what git says of a path, its directory, its name, its extension. @module */
import type { Lines } from "../../text/lines.ts";
import { leadLength } from "./leads.ts";

/** Not a path: a heading, a total, a message, a blank line. */
export const OTHER = 0;
/** A path. */
export const PATH = 1;
/** A path with a state that git reports as a change of a known file. */
export const CHANGE = 2;

/** A list of whole paths may be this many times longer than the text that it was made from. */
export const MOST_GROWTH = 8;

/** All lines of a text; a line's offsets mean nothing where its kind is `OTHER`. */
export interface Rows {
  /** The text. */
  readonly lines: Lines;
  /** Kind of each line. */
  readonly kind: Uint8Array;
  /** Offset at which the path starts: after what `git status` writes before it. */
  readonly path: Uint32Array;
  /** Offset of the base name. A slash at the end of the line is part of the name. */
  readonly name: Uint32Array;
  /** Offset of the dot of the extension; `stop` where there is none. */
  readonly dot: Uint32Array;
  /** Offset after the base name: the line's end, or the bar before its number. */
  readonly stop: Uint32Array;
  /** 1 where the path has a space in it. */
  readonly spaced: Uint8Array;
  /** 1 where the line above surely is a path with the same text before its name. */
  readonly sameHead: Uint8Array;
  /** Number of paths. */
  readonly count: number;
}

/** UTF-16 units of the longest path that is taken for one: the limit of common systems. */
const LONGEST = 4096;

/** Units of a directory from which on nothing after it decides what stands before the path. */
const LEAST_HEAD = 4;

const NORMAL = 0;
const WORD = 1;
const SLASH = 2;
const DOT = 3;
const SPACE = 4;
const COLON = 5;
const NEVER = 6;
const CLASS = characterClasses();

/**
 * Reads every line once. O(text).
 *
 * @param isSized Whether a path has a bar and a number after it.
 */
export function readRows(lines: Lines, isSized: boolean): Rows {
  const rows = {
    lines,
    kind: new Uint8Array(lines.count),
    path: new Uint32Array(lines.count),
    name: new Uint32Array(lines.count),
    dot: new Uint32Array(lines.count),
    stop: new Uint32Array(lines.count),
    spaced: new Uint8Array(lines.count),
    sameHead: new Uint8Array(lines.count),
    count: 0,
  };
  const seen = { words: 0, spaces: 0 };
  for (let i = 0; i < lines.count; i++) {
    const start = lines.starts[i]!;
    const end = lines.starts[i + 1]! - 1;
    if (end === start || end - start > LONGEST) continue;
    const bar = isSized ? lines.text.lastIndexOf("|", end) : end;
    if (bar <= start) continue;
    rows.stop[i] = bar;
    const isSameHead = hasHeadAbove(rows, i);
    let [length, isChange] = [0, false];
    if (isSameHead) {
      length = rows.path[i - 1]! - lines.starts[i - 1]!;
      isChange = rows.kind[i - 1] === CHANGE;
    } else {
      ({ length, isChange } = leadLength(lines, start, end));
      seen.words = seen.spaces = 0;
    }
    const isPath = readPath(rows, i, {
      from: start + length,
      known: isSameHead ? rows.name[i - 1]! - lines.starts[i - 1]! : length,
      seen,
    }) && (!rows.spaced[i] || maySpace(rows, i, length > 0));
    // Of a renamed file both names stay as they are, and count as one path.
    const isListed = isSized || (isChange && end > start + length);
    if (isPath || isListed) rows.count++;
    if (!isPath) continue;
    rows.kind[i] = isChange ? CHANGE : PATH;
    const isName = rows.name[i]! - start ===
      rows.name[i - 1]! - lines.starts[i - 1]!;
    rows.sameHead[i] = isSameHead && isName ? 1 : 0;
  }
  return rows;
}

/** Whether a line starts with the directory of the path above it: what was found there holds for it too. */
function hasHeadAbove(
  { lines, kind, path, name, stop }: Rows,
  line: number,
): boolean {
  if (line === 0 || kind[line - 1] === OTHER) return false;
  const above = lines.starts[line - 1]!;
  const length = name[line - 1]! - above;
  const start = lines.starts[line]!;
  return length >= LEAST_HEAD && name[line - 1]! > path[line - 1]! &&
    start + length < stop[line]! &&
    isSame(lines, [above, start], length);
}

/** Offset after the last unit of a line. */
export function endOf({ lines }: Rows, line: number): number {
  return lines.starts[line + 1]! - 1;
}

/** Text of a line before its base name: its directory, and what git says of it. */
export function headOf({ lines, name }: Rows, line: number): string {
  return lines.text.slice(lines.starts[line]!, name[line]!);
}

/** Extension of a line's name, its dot included; empty when it has none. */
export function extensionOf(rows: Rows, line: number): string {
  return rows.lines.text.slice(rows.dot[line]!, rows.stop[line]!);
}

/** Whether `text[a, a + length)` and `text[b, b + length)` are the same. */
export function isSame(
  { codes, text }: Lines,
  [a, b]: readonly [number, number],
  length: number,
): boolean {
  for (let n = length - 1; n >= 0; n--) {
    const code = codes[a + n]!;
    if (code !== codes[b + n]) return false;
    // Above ASCII a code stands for many units.
    if (code > 127 && text.charCodeAt(a + n) !== text.charCodeAt(b + n)) {
      return false;
    }
  }
  return true;
}

/** Units, at most `most`, that are the same from `a` and from `b` on. */
export function commonLength(
  { lines: { codes, text } }: Rows,
  [a, b]: readonly [number, number],
  most: number,
): number {
  let n = 0;
  while (n < most && codes[a + n] === codes[b + n]) {
    const isAscii = codes[a + n]! < 128;
    if (!isAscii && text.charCodeAt(a + n) !== text.charCodeAt(b + n)) break;
    n++;
  }
  return n;
}

/** Whether a code is a slash or a backslash. */
export function isSlash(code: number | undefined): boolean {
  return code === 47 || code === 92;
}

/** What is known of a path before it is read. */
interface Begun {
  /** Where it starts. */
  readonly from: number;
  /** Units of the line up to a directory that was read in another path, or up to `from`. */
  readonly known: number;
  /** What the directory has; on return that of the directory of this path. */
  readonly seen: { words: number; spaces: number };
}

function readPath(
  rows: { -readonly [K in keyof Rows]: Rows[K] },
  line: number,
  { from, known, seen }: Begun,
): boolean {
  const { codes } = rows.lines;
  const end = rows.stop[line]!;
  let name = rows.lines.starts[line]! + known;
  let dot = end;
  let { words, spaces } = seen;
  for (let at = name; at < end; at++) {
    const kind = CLASS[codes[at]!]!;
    if (kind <= WORD) words += kind;
    else if (kind === SLASH) {
      if (at + 1 === end) continue;
      name = at + 1;
      seen.words = words;
      seen.spaces = spaces;
    } else if (kind === DOT) dot = at;
    else if (kind === SPACE) spaces++;
    else if (kind === NEVER || at + 1 === end || codes[at + 1] === 32) {
      return false;
    }
  }
  rows.path[line] = from;
  rows.name[line] = name;
  // A dot at the start of a name, or right at its end, starts no extension.
  rows.dot[line] = dot > name && dot + 1 < end && !isSlash(codes[end - 1])
    ? dot
    : end;
  rows.spaced[line] = spaces > 0 ? 1 : 0;
  const isHere = end - from <= 2 && codes[from] === 46;
  return words > 0 || isHere;
}

/** A line with spaces is a path only if it starts like one, and names one path. */
function maySpace(rows: Rows, line: number, hasLead: boolean): boolean {
  const { codes, text } = rows.lines;
  const from = rows.path[line]!;
  const first = codes[from]!;
  const starts = hasLead || isSlash(first) ||
    (first === 46 && (isSlash(codes[from + 1]) ||
      (codes[from + 1] === 46 && isSlash(codes[from + 2])))) ||
    (codes[from + 1] === 58 && isSlash(codes[from + 2]));
  const path = text.slice(from, rows.stop[line]!);
  return starts && first !== 32 && !path.includes(" -> ") &&
    !/[ \]]$/.test(path) && !path.includes("  ");
}

function characterClasses(): Uint8Array {
  const table = new Uint8Array(256).fill(NORMAL);
  table.fill(NEVER, 0, 32);
  table.fill(WORD, 48, 58);
  table.fill(WORD, 65, 91);
  table.fill(WORD, 97, 123);
  table.fill(WORD, 128);
  table[127] = NEVER;
  table[32] = SPACE;
  table[34] = NEVER;
  table[42] = NEVER;
  table[46] = DOT;
  table[47] = SLASH;
  table[58] = COLON;
  table[92] = SLASH;
  table[124] = NEVER;
  return table;
}

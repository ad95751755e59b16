/** Search results as files with rows: `grep -n`, context lines, `rg --heading`, `grep -c`. @module */
import { indexLines, lineAt, type Lines } from "../../text/lines.ts";
import {
  bodyEnd,
  digitsEnd,
  isSeparator,
  matchAt,
  nextContextAt,
} from "./row_forms.ts";

/** One row of a file: a match, or a line of context around one. */
export interface Row {
  /** Index of the line in the text, from 0. */
  readonly line: number;
  /** Line number in the file, as printed; 0 for a `--` separator. */
  readonly number: number;
  /** A match; else context or a separator. */
  readonly isMatch: boolean;
  /** Offset in the text where `12:text` starts. */
  readonly bodyAt: number;
}

/** Consecutive rows of one file. */
export interface FileRows {
  /** As printed; empty where the search names no file. */
  readonly path: string;
  /** At least one; the first is not a separator. */
  readonly rows: Row[];
}

/** Lines that are neither rows nor headings of a file: banners, messages of the tool, blank lines. */
export interface OtherLines {
  /** Index of the first in the text, from 0. */
  readonly from: number;
  /** Index after the last. */
  to: number;
}

/** `path:N` of `grep -c`. */
export interface FileCount {
  /** Index of the line in the text, from 0. */
  readonly line: number;
  /** Matches in the file. */
  readonly count: number;
}

/** How the text is laid out. */
export type Layout = "flat" | "heading" | "counts";

/** A whole result. */
export interface SearchView {
  /** The lines. */
  readonly lines: Lines;
  /** How the text is laid out. */
  readonly layout: Layout;
  /** Files and other lines, in order; empty for `counts`. */
  readonly items: readonly (FileRows | OtherLines)[];
  /** Only for `counts`: one entry per line that is one. */
  readonly counts: readonly FileCount[];
}

/** UTF-16 units in which the line number is looked for. */
const HEAD = 300;
/** Borders of a number that are tried in one line. */
const TRIES = 4;

const DASH = 45;
const COLON = 58;
const SLASH = 47;
const BACKSLASH = 92;
const COUNT = /^(?:[A-Za-z]:[\\/])?[^:\t]*[./\\][^:\t]*:(\d+)$/;
const NOT_NAMED = /-\d+-/;

/** Reads a result. Lines that do not parse are kept as other lines. O(n). */
export function parseSearch(text: string): SearchView {
  const lines = indexLines(text);
  const offsets = matchOffsets(lines);
  const layout = layoutOf(lines, offsets);
  if (layout === "counts") {
    return { lines, layout, items: [], counts: countsOf(lines) };
  }
  const items = layout === "flat"
    ? flatItems(lines, offsets)
    : headingItems(lines);
  return { lines, layout, items, counts: [] };
}

/** {@linkcode matchAt} of every line. */
function matchOffsets(lines: Lines): Uint32Array {
  const offsets = new Uint32Array(lines.count);
  for (let i = 0; i < lines.count; i++) offsets[i] = matchAt(lines, i);
  return offsets;
}

/** By the form that most lines have. */
function layoutOf(lines: Lines, offsets: Uint32Array): Layout {
  let flat = 0;
  let heading = 0;
  let counts = 0;
  for (let i = 0; i < lines.count; i++) {
    const start = lines.starts[i]!;
    if (lines.starts[i + 1]! - start < 4) continue;
    if (bodyEnd(lines, i, start) > 0) heading++;
    else if (offsets[i]! > 0) flat++;
    else if (flat + heading <= i / 2 && COUNT.test(headOf(lines, i))) counts++;
  }
  if (counts > flat + heading) return "counts";
  return heading > flat ? "heading" : "flat";
}

function flatItems(
  lines: Lines,
  offsets: Uint32Array,
): (FileRows | OtherLines)[] {
  const known = knownPaths(lines, offsets);
  const items: (FileRows | OtherLines)[] = [];
  let path = "";
  // The line before, when it is a match: most lines repeat its path.
  let last = -1;
  for (let i = 0; i < lines.count; i++) {
    const same = last >= 0 && isSamePath(lines, offsets, last, i);
    const next = same ? 0 : nextContextAt(lines, i, path.length);
    const at = same ? offsets[i]! : next || rowAt(lines, i, offsets[i]!, known);
    last = at > 0 && at === offsets[i] ? i : -1;
    if (at === 0) {
      addOther(items, lines, i);
      path = "";
    } else {
      if (!same && next === 0) {
        path = lines.text.slice(lines.starts[i]!, at - 1);
      }
      addRow(items, path, rowOf(lines, i, at));
    }
  }
  return items;
}

/** Whether both lines are matches in the same file; false for a path with anything but ASCII. */
function isSamePath(
  { codes, starts }: Lines,
  offsets: Uint32Array,
  one: number,
  other: number,
): boolean {
  const a = starts[one]!;
  const b = starts[other]!;
  const length = offsets[other]! - b;
  if (offsets[other] === 0 || offsets[one]! - a !== length) return false;
  let n = 0;
  while (n < length && codes[a + n] === codes[b + n] && codes[a + n]! < 128) {
    n++;
  }
  return n === length;
}

/** Paths of the lines that can only be matches. */
function knownPaths(lines: Lines, offsets: Uint32Array): Set<string> {
  const known = new Set<string>();
  let last = -1;
  for (let i = 0; i < lines.count; i++) {
    const at = offsets[i]!;
    if (at === 0 || (last >= 0 && isSamePath(lines, offsets, last, i))) {
      continue;
    }
    const path = lines.text.slice(lines.starts[i]!, at - 1);
    if (!NOT_NAMED.test(path)) known.add(path);
    last = i;
  }
  return known;
}

/** Offset of the number of a match or a context line; 0 for another line. */
function rowAt(
  lines: Lines,
  line: number,
  at: number,
  known: ReadonlySet<string>,
): number {
  if (known.size === 0 || isSeparator(lines, line)) return at;
  const start = lines.starts[line]!;
  if (at > 0 && known.has(lines.text.slice(start, at - 1))) return at;
  return contextAt(lines, line, known) || at;
}

/** Offset of the number in `path-12-text`, where the path is known from a match. */
function contextAt(
  { codes, starts, text }: Lines,
  line: number,
  known: ReadonlySet<string>,
): number {
  const start = starts[line]!;
  const end = Math.min(starts[line + 1]! - 1, start + HEAD);
  let tries = 0;
  for (let at = start + 1; at < end && tries < TRIES; at++) {
    if (codes[at] !== DASH) continue;
    const stop = digitsEnd(codes, at + 1, end);
    if (stop === at + 1 || codes[stop] !== DASH) continue;
    if (known.has(text.slice(start, at))) return at + 1;
    tries++;
  }
  return 0;
}

function headingItems(lines: Lines): (FileRows | OtherLines)[] {
  const items: (FileRows | OtherLines)[] = [];
  let path: string | undefined = "";
  for (let i = 0; i < lines.count; i++) {
    const start = lines.starts[i]!;
    if (bodyEnd(lines, i, start) > 0 && path !== undefined) {
      addRow(items, path, rowOf(lines, i, start));
    } else if (isSeparator(lines, i) || !isHeading(lines, i)) {
      addOther(items, lines, i);
    } else path = lineAt(lines, i);
  }
  return items;
}

/** A line right above a row, itself no row. */
function isHeading(lines: Lines, line: number): boolean {
  const next = line + 1;
  return next < lines.count && lines.starts[next]! > lines.starts[line]! + 1 &&
    bodyEnd(lines, next, lines.starts[next]!) > 0;
}

function addRow(
  items: (FileRows | OtherLines)[],
  path: string,
  row: Row,
): void {
  const last = items.at(-1);
  if (last !== undefined && "rows" in last && last.path === path) {
    last.rows.push(row);
  } else items.push({ path, rows: [row] });
}

/** A separator below a row goes with the rows. */
function addOther(
  items: (FileRows | OtherLines)[],
  lines: Lines,
  line: number,
): void {
  const last = items.at(-1);
  if (isSeparator(lines, line) && last !== undefined && "rows" in last) {
    const bodyAt = lines.starts[line]!;
    last.rows.push({ line, number: 0, isMatch: false, bodyAt });
  } else if (last !== undefined && "from" in last) last.to = line + 1;
  else items.push({ from: line, to: line + 1 });
}

function rowOf(lines: Lines, line: number, bodyAt: number): Row {
  const stop = digitsEnd(lines.codes, bodyAt, lines.starts[line + 1]! - 1);
  return {
    line,
    number: Number(lines.text.slice(bodyAt, stop)),
    isMatch: lines.codes[stop] === COLON,
    bodyAt,
  };
}

function countsOf(lines: Lines): FileCount[] {
  const counts: FileCount[] = [];
  for (let line = 0; line < lines.count; line++) {
    const found = COUNT.exec(headOf(lines, line));
    if (found !== null) counts.push({ line, count: Number(found[1]) });
  }
  return counts;
}

function headOf(lines: Lines, line: number): string {
  const start = lines.starts[line]!;
  const end = lines.starts[line + 1]! - 1;
  return end - start > HEAD ? "" : lines.text.slice(start, end);
}

/** Length of the directory of a path, its last slash included; 0 when it has none. */
export function directoryLength(path: string): number {
  for (let i = path.length; i > 0; i--) {
    const code = path.charCodeAt(i - 1);
    if (code === SLASH || code === BACKSLASH) return i;
  }
  return 0;
}

/** The text of elided search results: kept rows below their path, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline } from "../../text/lines.ts";
import { bodyOf, commonRoot, shortPath, textOf } from "./fold.ts";
import {
  directoryLength,
  type FileRows,
  type Row,
  type SearchView,
} from "./parse.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 20;
/** A longer row is cut to this many units around its middle of interest. */
const LONG_ROW = 400;
const CUT_ROW = 240;
/** Units shown before a term of the query. */
const BEFORE_TERM = 80;

/** So many matches of a gap or file are listed with their lines. */
const LISTED = 5;

/** Blank lines between other lines and at their ends. */
const BLANK_LINES = /^\s*\n|\n\s*(?=\n|$)/g;

/** An elided text. */
export interface Rendered {
  /** Kept rows and notes. */
  readonly text: string;
  /** Matches left out or cut; files for counts. */
  readonly omitted: Omitted;
}

/**
 * Writes the kept rows and the notes.
 *
 * @param keep One byte per line of the text. @param terms Of the query: a long row is cut around one.
 */
export function renderRows(
  view: SearchView,
  keep: Uint8Array,
  terms: readonly string[],
): Rendered {
  const parts: string[] = [];
  const tally = { dropped: 0, cut: 0, total: 0, files: 0 };
  const root = commonRoot(view.items.filter((item) => "rows" in item));
  let unseen: FileRows[] = [];
  let before = "";
  const flush = () => {
    if (unseen.length === 0) return;
    const note = unseenNote(unseen);
    let size = 0;
    for (const { path, rows } of unseen) {
      size += path.length + 1 + sizeOf(view, rows);
    }
    const isShort = size < note.length + PROFIT;
    parts.push(...(isShort ? wholeFiles(view, unseen) : [note]));
    if (isShort) tally.dropped -= unseen.reduce(countIn, 0);
    unseen = [];
    before = "";
  };
  for (const item of view.items) {
    if ("from" in item) {
      const said = textOf(view, item).replace(BLANK_LINES, "");
      if (said === "") continue;
      flush();
      parts.push(said);
      continue;
    }
    const file = { path: item.path.slice(root.length), rows: item.rows };
    const written = writeFile({ view, keep, terms }, file);
    tally.total += written.matches;
    tally.files++;
    tally.dropped += written.dropped;
    tally.cut += written.cut;
    if (written.rows === 0) unseen.push(file);
    else {
      flush();
      parts.push(...headingOf(file.path, before, written), ...written.parts);
      before = file.path;
    }
  }
  flush();
  const { dropped, total } = tally;
  if (dropped > 0 || root !== "") parts.unshift(summary(tally, root));
  const end = endsWithNewline(view.lines) ? "\n" : "";
  return {
    text: parts.join("\n") + end,
    omitted: { count: dropped + tally.cut, total, unit: "matches" },
  };
}

function countIn(sum: number, { rows }: FileRows): number {
  return sum + matchCount(rows);
}

/** All rows below their paths. */
function wholeFiles(view: SearchView, files: readonly FileRows[]): string[] {
  return files.flatMap(({ path, rows }) => [
    ...(path === "" ? [] : [path]),
    ...rows.map((row) => bodyOf(view, row)),
  ]);
}

/** UTF-16 units of rows, their newlines included. */
function sizeOf({ lines }: SearchView, rows: readonly Row[]): number {
  let size = 0;
  for (const { line, bodyAt } of rows) size += lines.starts[line + 1]! - bodyAt;
  return size;
}

function summary(
  tally: { dropped: number; total: number; files: number },
  root: string,
): string {
  const shown = tally.total - tally.dropped;
  const inFiles = plural(tally.files, "file");
  const start = root === "" ? "" : `; paths start with ${JSON.stringify(root)}`;
  return `… ${shown} of ${tally.total} matches shown, in ${inFiles}${start}`;
}

/** `path`, with its number of matches when some are left out; `…/` is the directory of the heading before. */
function headingOf(
  path: string,
  before: string,
  { dropped, matches }: Written,
): string[] {
  if (path === "") return [];
  const count = dropped > 0 ? ` (${plural(matches, "match")})` : "";
  return [shortPath(path, before) + count];
}

/** One file as written. */
interface Written {
  readonly parts: string[];
  /** Matches in the file. */
  readonly matches: number;
  /** Rows that stay. */
  rows: number;
  /** Matches left out. */
  dropped: number;
  /** Matches cut. */
  cut: number;
}

/** What writing a row needs. */
interface Source {
  readonly view: SearchView;
  readonly keep: Uint8Array;
  readonly terms: readonly string[];
}

function writeFile(source: Source, { rows }: FileRows): Written {
  const { keep } = source;
  const matches = matchCount(rows);
  const written: Written = { parts: [], matches, rows: 0, dropped: 0, cut: 0 };
  for (let i = 0; i < rows.length;) {
    if (keep[rows[i]!.line]) {
      writeRow(source, rows[i++]!, written);
      continue;
    }
    let end = i + 1;
    while (end < rows.length && !keep[rows[end]!.line]) end++;
    writeGap(source, rows.slice(i, end), written);
    i = end;
  }
  return written;
}

function writeRow(
  { view, terms }: Source,
  row: Row,
  written: Written,
): void {
  const body = bodyOf(view, row);
  const cut = body.length > LONG_ROW;
  written.parts.push(cut ? cutRow(body, terms) : body);
  written.rows++;
  if (cut) written.cut++;
}

function writeGap(
  source: Source,
  gap: readonly Row[],
  written: Written,
): void {
  const note = gapNote(gap);
  const size = sizeOf(source.view, gap);
  const pays = size >= note.length + PROFIT * (gap.length === 1 ? 2 : 1);
  if (note !== "" && pays) {
    written.parts.push(note);
    written.dropped += matchCount(gap);
  } else for (const row of gap) writeRow(source, row, written);
}

/** `… 12 more matches: 40-310`; empty for a lone separator. */
function gapNote(gap: readonly Row[]): string {
  const matches = matchCount(gap);
  const context = gap.filter((row) => !row.isMatch && row.number > 0).length;
  const places = context === 0 ? placesOf(gap) : rangeOf(gap);
  if (places === "") return "";
  if (matches === 0) return `… ${plural(context, "context line")}: ${places}`;
  const also = context > 0 ? ` and ${plural(context, "context line")}` : "";
  const more = matches === 1 ? "1 more match" : `${matches} more matches`;
  return `… ${more}${also}: ${places}`;
}

/** Files of which no row stays, by directory, with counts and lines. */
function unseenNote(files: readonly FileRows[]): string {
  const byDirectory = new Map<string, string[]>();
  let matches = 0;
  for (const { path, rows } of files) {
    const length = directoryLength(path);
    const directory = path.slice(0, length);
    const count = matchCount(rows);
    matches += count;
    const places = placesOf(rows);
    const entry = places.includes("-")
      ? `${path.slice(length)} ×${count} (${places})`
      : `${path.slice(length)}:${places}`;
    byDirectory.set(directory, [...byDirectory.get(directory) ?? [], entry]);
  }
  const listed = [...byDirectory].map(([directory, entries]) =>
    `${directory}${directory === "" ? "" : " "}${entries.join(", ")}`
  );
  const inFiles = plural(files.length, "file");
  return `… ${plural(matches, "match")} in ${inFiles} omitted: ${
    listed.join("; ")
  }`;
}

/** Line numbers of the matches, `3,7,12`; their range where they are many or all of it: `3-120`. */
function placesOf(rows: readonly Row[]): string {
  const matches = rows.filter(({ isMatch }) => isMatch);
  const numbers = matches.map(({ number }) => number);
  const isWhole = numbers.length > 2 &&
    numbers.every((number, i) => number === numbers[0]! + i);
  return isWhole || numbers.length > LISTED
    ? rangeOf(matches)
    : numbers.join(",");
}

function rangeOf(rows: readonly Row[]): string {
  let first = Infinity;
  let last = 0;
  for (const { number } of rows) {
    if (number === 0) continue;
    first = Math.min(first, number);
    last = Math.max(last, number);
  }
  if (last === 0) return "";
  return first === last ? `${first}` : `${first}-${last}`;
}

/** A long row: its number and the text around the first term of the query, with notes for the rest. */
function cutRow(body: string, terms: readonly string[]): string {
  const lower = body.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at > 0);
  const wanted = found.length === 0 ? 0 : Math.min(...found);
  if (wanted < CUT_ROW) {
    return body.slice(0, unitEdge(body, CUT_ROW)) + rest(body, CUT_ROW);
  }
  const number = body.search(/[:-]/) + 1;
  const from = unitEdge(body, wanted - BEFORE_TERM);
  const to = Math.min(body.length, unitEdge(body, from + CUT_ROW));
  return `${body.slice(0, number)}… characters ${
    number + 1
  }-${from} of ${body.length} omitted … ${body.slice(from, to)}${
    rest(body, to)
  }`;
}

function rest(body: string, from: number): string {
  const at = unitEdge(body, from);
  return at >= body.length
    ? ""
    : ` … characters ${at + 1}-${body.length} of ${body.length} omitted`;
}

/** `at`, or one less where that would split a surrogate pair. */
function unitEdge(body: string, at: number): number {
  const last = body.charCodeAt(at - 1);
  return last >= 0xd800 && last < 0xdc00 ? at - 1 : at;
}

function matchCount(rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) if (row.isMatch) count++;
  return count;
}

function plural(count: number, word: string): string {
  if (count === 1) return `1 ${word}`;
  return `${count} ${word}${word.endsWith("ch") ? "es" : "s"}`;
}

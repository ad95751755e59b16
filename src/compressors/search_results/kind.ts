/** Search results: each path once, and of many matches the telling ones. @module */
import type { Gap, Kind, Told } from "../../core/kind.ts";
import { countText, rangeText } from "../../engine/note.ts";
import { lineAtOffset, lineStart, offsetAt } from "../../text/lines.ts";
import { foldSearch } from "./fold.ts";
import {
  directoryLength,
  MATCH,
  OTHER,
  parseSearch,
  type SearchView,
  SEPARATOR,
} from "./parse.ts";
import { searchUnits } from "./units.ts";

/** UTF-16 units of a long result. */
const LONG = 100_000;
/** Files of a gap that are named, and matches of one that are listed with their lines. */
const MOST_NAMED = 40;
const MOST_LISTED = 5;

/** Writes each path once, or keeps the telling matches of each file and notes the gaps by the numbers of its lines. */
export const searchKind: Kind<SearchView> = {
  id: "search",
  unit: "parts",
  parse: (text, { toolName }) => parseSearch(text, toolName),
  // No fold of a long result comes near what leaving out rows gains.
  fold: (view, { mayElide }) =>
    mayElide && view.lines.text.length > LONG ? undefined : foldSearch(view),
  units: (view, { query }) => searchUnits(view, query),
  missing: (view, gap, told) => missingIn(view, gap, told),
  label: (view, gap, told) => labelOf(view, gap, told),
};

/** Rows of one file in a gap. */
interface FileGap {
  readonly path: string;
  /** Numbers of the matches. */
  readonly matches: number[];
  /** First and last number of a row. */
  first: number;
  last: number;
  /** All rows of the file are in the gap. */
  readonly isWhole: boolean;
}

function missingIn(
  view: SearchView,
  gap: Gap,
  { units: { starts } }: Told,
): string | undefined {
  const start = offsetAt(starts, gap.from);
  const end = offsetAt(starts, gap.to);
  const line = lineAtOffset(view.lines, end - 1);
  if (start > lineStart(view.lines, line)) {
    return countText(end - start, "characters");
  }
  const files = filesIn(view, start, end);
  const [only] = files;
  if (only === undefined || view.layout === "counts") return undefined;
  if (files.length === 1 && !only.isWhole) return rangeText(only);
  const matches = countOf(files);
  const inFiles = files.length === 1 ? only.path : `${files.length} files`;
  return matches === 0 ? undefined : `${matchText(matches)} in ${inFiles}`;
}

function labelOf(
  view: SearchView,
  gap: Gap,
  { units: { starts } }: Told,
): string {
  const end = offsetAt(starts, gap.to);
  const files = filesIn(view, offsetAt(starts, gap.from), end);
  const [only] = files;
  if (only === undefined) return "";
  if (view.layout === "counts") return "0 matches each";
  if (files.length > 1) return listOf(files);
  if (only.isWhole) return placesOf(only);
  // A single row is a match, mostly.
  const isRow = only.first === only.last;
  const count = only.matches.length;
  return count === 0 || isRow ? "" : matchText(count);
}

/** The files of whole lines in `[start, end)`. */
function filesIn(view: SearchView, start: number, end: number): FileGap[] {
  const { lines, files, forms, numbers, paths } = view;
  const found: FileGap[] = [];
  const to = lineAtOffset(lines, end - 1) + 1;
  let before = 0;
  for (let line = lineAtOffset(lines, start); line < to; line++) {
    const file = files[line] ?? 0;
    const form = forms[line] ?? OTHER;
    const number = numbers[line] ?? 0;
    if (file === 0) continue;
    if (file !== before) {
      const isWhole = files[line - 1] !== file && endOf(files, line, to);
      const path = paths[file] ?? "";
      found.push({ path, matches: [], first: Infinity, last: 0, isWhole });
      before = file;
    }
    const entry = found.at(-1);
    if (entry === undefined || number === 0 || form === SEPARATOR) continue;
    if (form === MATCH) entry.matches.push(number);
    entry.first = Math.min(entry.first, number);
    entry.last = Math.max(entry.last, number);
  }
  return found;
}

/** Whether the rows of the file of `line` end before `to`. */
function endOf(files: Uint32Array, line: number, to: number): boolean {
  let at = line;
  while (at < to && files[at] === files[line]) at++;
  return at < to || files[to] !== files[line];
}

function countOf(files: readonly FileGap[]): number {
  return files.reduce((sum, { matches }) => sum + matches.length, 0);
}

function matchText(count: number): string {
  return count === 1 ? "1 match" : `${count} matches`;
}

/** Files by directory, each with the lines of its matches. */
function listOf(files: readonly FileGap[]): string {
  const named = files.slice(0, MOST_NAMED);
  const directories: string[] = [];
  let before: string | undefined;
  let names: string[] = [];
  const flush = () => {
    if (names.length > 0) directories.push(`${before}${names.join(", ")}`);
    names = [];
  };
  for (const file of named) {
    const length = directoryLength(file.path);
    const directory = length === 0 ? "" : `${file.path.slice(0, length)} `;
    if (directory !== before) flush();
    before = directory;
    const { matches } = file;
    const name = file.path.slice(length);
    names.push(
      matches.length > MOST_LISTED
        ? `${name} ×${matches.length}`
        : `${name}:${placesOf(file)}`,
    );
  }
  flush();
  const more = files.length - named.length;
  if (more > 0) directories.push(`and ${more} more files`);
  return directories.join("; ");
}

/** `3,7,12`, or the range of many. */
function placesOf({ matches, first, last }: FileGap): string {
  return matches.length > MOST_LISTED || matches.length === 0
    ? rangeText({ first, last })
    : matches.join(",");
}

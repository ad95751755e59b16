/** Search results: each path once, and of many matches the telling ones. @module */
import type { FileLines, Gap, Kind, Located, Told } from "../../core/kind.ts";
import { countText } from "../../engine/note.ts";
import { lineAtOffset, lineStart, offsetAt } from "../../text/lines.ts";
import { foldSearch } from "./fold.ts";
import {
  CONTEXT,
  directoryLength,
  HEADING,
  MATCH,
  parseSearch,
  type SearchView,
} from "./parse.ts";
import {
  addMissed,
  matchText,
  type Missed,
  missedPlaces,
  missedText,
} from "./missed.ts";
import { isToldByFile, lineOfUnit, searchUnits } from "./units.ts";

/** Directories of a gap that are named. */
const MOST_NAMED = 40;

/** Writes each path once, or keeps the telling matches of each file and counts the others. */
export const searchKind: Kind<SearchView> = {
  id: "search",
  unit: "parts",
  fewestLines: 2,
  parse: (text, { toolName }) => parseSearch(text, toolName),
  fold: foldSearch,
  units: (view, { query }) => searchUnits(view, query),
  missing: (view, gap, told) => missingIn(view, gap, told),
  label: (view, gap, told) => labelOf(view, gap, told),
  locate,
};

/** Rows of one file in a gap, but those of which the file says itself that they are missing. */
interface FileGap extends Missed {
  readonly path: string;
  /** The gap begins with the path: all rows of the file are missing. */
  readonly isWhole: boolean;
}

function missingIn(
  view: SearchView,
  gap: Gap,
  told: Told,
): string | undefined {
  const { starts } = told.units;
  const start = offsetAt(starts, gap.from);
  const end = offsetAt(starts, gap.to);
  const line = lineAtOffset(view.lines, end - 1);
  if (start > lineStart(view.lines, line)) {
    return countText(end - start, "characters");
  }
  const files = filesIn(view, gap, told);
  const [only] = files;
  if (only === undefined || view.layout === "counts") return undefined;
  if (files.length === 1 && !only.isWhole) return missedText(only);
  const matches = files.reduce((sum, file) => sum + file.matches.length, 0);
  const inFiles = files.length === 1 ? only.path : `${files.length} files`;
  return matches === 0 ? undefined : `${matchText(matches)} in ${inFiles}`;
}

function labelOf(view: SearchView, gap: Gap, told: Told): string {
  const files = filesIn(view, gap, told);
  const [only] = files;
  if (only === undefined) return "";
  if (view.layout === "counts") return "0 matches each";
  return files.length > 1 ? listOf(files) : missedPlaces(only);
}

/** The files of the rows in a gap. */
function filesIn(
  view: SearchView,
  gap: Gap,
  { units, kept }: Told,
): FileGap[] {
  const { files, forms, paths } = view;
  const { starts, parents } = units;
  const found: FileGap[] = [];
  let before = 0;
  let last = -1;
  for (let unit = gap.from; unit < gap.to; unit++) {
    const line = lineOfUnit(view, units, unit);
    const file = files[line] ?? 0;
    const isPath = starts[unit] === starts[unit + 1] || forms[line] === HEADING;
    // Of a long row there are several parts.
    const isSaid = line === last || isToldByFile(units, kept, unit);
    if (file === 0 || isPath || isSaid) continue;
    last = line;
    if (file !== before) {
      const isWhole = (parents?.[unit] ?? -1) >= gap.from;
      found.push({ path: paths[file] ?? "", matches: [], rows: 0, isWhole });
      before = file;
    }
    const entry = found.at(-1);
    if (entry !== undefined) addMissed(view, entry, line);
  }
  return found;
}

/** Directories with how many matches of each are missing. */
function listOf(files: readonly FileGap[]): string {
  const counts = new Map<string, number>();
  for (const { path, matches } of files) {
    const directory = path.slice(0, directoryLength(path)) || "./";
    counts.set(directory, (counts.get(directory) ?? 0) + matches.length);
  }
  const named = [...counts].slice(0, MOST_NAMED)
    .map(([directory, count]) => `${directory} ×${count}`);
  const more = counts.size - named.length;
  if (more > 0) named.push(`and ${more} more directories`);
  return named.join("; ");
}

/** Rows by their file. A search in one file names none: its lines go by the numbers of the rows. */
function locate(
  { lines, layout, forms, numbers, files, paths }: SearchView,
): Located {
  if (layout === "counts") return {};
  const found = new Map<
    number,
    FileLines & { lines: number[]; numbers: number[] }
  >();
  for (let line = 0; line < lines.count; line++) {
    if (forms[line] !== MATCH && forms[line] !== CONTEXT) continue;
    const file = files[line] ?? 0;
    const path = paths[file] ?? "";
    const names = path === "" ? [] : [path];
    const rows = found.get(file) ?? { names, lines: [], numbers: [] };
    rows.lines.push(line);
    rows.numbers.push(numbers[line] ?? 0);
    found.set(file, rows);
  }
  const isOne = paths.every((path) => path === "");
  return { files: [...found.values()], ...isOne && { numbers } };
}

/** Cuts search results into rows below their files; a file says itself how many of its rows are missing. @module */
import type { Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { foldNote, inlineNote } from "../../engine/note.ts";
import { windowsOf } from "../../engine/windows.ts";
import {
  codeAt,
  lineAtOffset,
  lineEnd,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { headingsOf, rootNote, writtenLine } from "./fold.ts";
import {
  addMissed,
  type Missed,
  missedPlaces,
  missedText,
  shortNote,
} from "./missed.ts";
import { HEADING, OTHER, type SearchView } from "./parse.ts";
import { searchWeights } from "./weights.ts";

/** A longer row is cut, in UTF-16 units. */
const LONG_ROW = 400;
/** Share of the text beside what stays: `SHARE / sqrt(tokens)`, less what stays, within limits. */
const SHARE = 10;
const STAYS_SHARE = 0.5;
const MOST_SHARE = 0.4;
const LEAST_SHARE = 0.01;
/** Up to so many files, each is written, with the lines of the matches that are missing. */
const MOST_FILES = 100;
/** Files with missing rows from which on a line on top explains a shorter note. */
const MANY_NOTES = 3;
const LEGEND = foldNote(
  '"+3,7" behind a path: its matches in lines 3 and 7 are omitted',
);

/** Cuts a result into rows, each below what is written of its path. O(n). */
export function searchUnits(
  view: SearchView,
  query: string,
): Units {
  const { lines, layout, forms, numbers, files } = view;
  const isCounts = layout === "counts";
  const weights = isCounts
    ? forms.map((_, line) => numbers[line] === 0 ? 0 : STAYS)
    : searchWeights(view, query);
  const headings = headingsOf(view);
  const isMap = !isCounts && headings.names.size <= MOST_FILES;
  const list = new UnitList(view);
  if (headings.root !== "") {
    list.add(0, rootNote(headings.root), { weight: STAYS });
  }
  if (isMap && headings.names.size >= MANY_NOTES) list.addLegend();
  const terms = queryTerms(query);
  let directory = -1;
  let file = -1;
  for (let line = 0; line < lines.count; line++) {
    const start = lineStart(lines, line);
    const above = headings.directories.get(line);
    const name = headings.names.get(line);
    if (above !== undefined) directory = list.add(start, `${above}\n`);
    if (name !== undefined) {
      file = /[/\\]/.test(name) ? -1 : directory;
      if (!isCounts) {
        const weight = isMap ? STAYS : 0;
        file = list.addFile(start, `${name}\n`, { parent: file, weight });
      }
    } else if (forms[line] === OTHER) file = -1;
    if (forms[line] === HEADING) continue;
    const traits = {
      weight: codeAt(weights, line),
      parent: file,
      group: offsetAt(files, line),
      isTold: isMap && file >= 0,
    };
    const written = writtenLine(view, headings, line);
    addRow(list, view, { line, written, traits, terms });
  }
  return list.units(lines.text);
}

/** Whether the file of a unit says that it is missing. */
export function isToldByFile(
  { told, parents }: Units,
  kept: Uint8Array,
  unit: number,
): boolean {
  return told?.[unit] === 1 && kept[parents?.[unit] ?? -1] === 1;
}

/** Line of a result in which a unit begins. */
export function lineOfUnit(
  { lines }: SearchView,
  { starts }: Units,
  unit: number,
): number {
  return lineAtOffset(lines, offsetAt(starts, unit));
}

/** What is known of a unit besides its place. */
interface Traits {
  readonly weight?: number;
  readonly parent?: number;
  readonly group?: number;
  readonly isTold?: boolean;
  readonly isPath?: boolean;
}

class UnitList {
  readonly #view: SearchView;
  readonly #starts: number[] = [];
  readonly #weights: number[] = [];
  readonly #parents: number[] = [];
  readonly #groups: number[] = [];
  readonly #told: number[] = [];
  readonly #written: string[] = [];
  /** Units that are the paths of files, and that explains the notes behind them. */
  readonly #files = new Set<number>();
  #legend = -1;
  #missed: Map<number, Missed> | undefined;
  #stays = 0;

  constructor(view: SearchView) {
    this.#view = view;
  }

  /** Adds what is written from `start` on; returns its index. */
  add(
    start: number,
    written: string,
    { weight = 0, parent = -1, group = 0, isTold = false, isPath = false }:
      Traits = {},
  ): number {
    this.#starts.push(start);
    this.#weights.push(weight);
    this.#parents.push(parent);
    this.#groups.push(group);
    this.#told.push(isTold ? 1 : 0);
    if (weight === STAYS && !isPath) this.#stays += written.length;
    return this.#written.push(written) - 1;
  }

  /** Adds the path of the rows that follow. */
  addFile(start: number, written: string, traits: Traits): number {
    const unit = this.add(start, written, { ...traits, isPath: true });
    this.#files.add(unit);
    return unit;
  }

  /** Adds the line that explains the notes behind paths; it is written where there are many. */
  addLegend(): void {
    this.#legend = this.add(0, "", { weight: STAYS });
  }

  units(text: string): Units {
    this.#starts.push(text.length);
    const share = SHARE / Math.sqrt(Math.max(1, text.length / 4)) -
      STAYS_SHARE * this.#stays / text.length;
    const units: Units = {
      starts: Uint32Array.from(this.#starts),
      weights: Uint8Array.from(this.#weights),
      parents: Int32Array.from(this.#parents),
      groups: Int32Array.from(this.#groups),
      told: Uint8Array.from(this.#told),
      share: Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share)),
      write: (unit, kept) => {
        const isFile = this.#files.has(unit);
        return kept !== undefined && (isFile || unit === this.#legend)
          ? this.#noted(units, kept, unit)
          : this.#written[unit] ?? "";
      },
    };
    return units;
  }

  /** The path of a file with a note about its rows that are missing, or the line that explains such notes. */
  #noted(units: Units, kept: Uint8Array, unit: number): string {
    if (this.#missed === undefined) this.#missed = this.#missedIn(units, kept);
    const isMany = this.#legend >= 0 && this.#missed.size >= MANY_NOTES;
    if (unit === this.#legend) return isMany ? `${LEGEND}\n` : "";
    const written = this.#written[unit] ?? "";
    const missed = this.#missed.get(unit);
    if (missed === undefined) return written;
    const end = written.trimEnd();
    const note = isMany
      ? shortNote(missed)
      : inlineNote(missedText(missed), missedPlaces(missed));
    return `${end} ${note}${written.slice(end.length)}`;
  }

  /** Rows that are missing, by the unit of their file. */
  #missedIn(units: Units, kept: Uint8Array): Map<number, Missed> {
    const found = new Map<number, Missed>();
    for (let unit = 0; unit < kept.length; unit++) {
      if (kept[unit] === 1 || !isToldByFile(units, kept, unit)) continue;
      const file = units.parents?.[unit] ?? -1;
      const missed = found.get(file) ?? { matches: [], rows: 0 };
      addMissed(this.#view, missed, lineOfUnit(this.#view, units, unit));
      if (missed.rows > 0) found.set(file, missed);
    }
    return found;
  }
}

/** A line of a result that is no path. */
interface SearchRow {
  readonly line: number;
  readonly written: string;
  readonly traits: Traits;
  readonly terms: readonly string[];
}

function addRow(list: UnitList, view: SearchView, row: SearchRow): void {
  const { line, written, traits } = row;
  const isOther = view.forms[line] === OTHER;
  if (written.length > LONG_ROW && !isOther) return addLong(list, view, row);
  const isBlank = isOther && written.trim() === "";
  const isTold = isBlank || traits.isTold === true;
  list.add(lineStart(view.lines, line), written, { ...traits, isTold });
}

/** Adds a row of which only the ends stay, what the question names and what reports a failure. */
function addLong(
  list: UnitList,
  { lines, bodies }: SearchView,
  { line, traits: { isTold: _, ...traits }, terms }: SearchRow,
): void {
  const span = { start: offsetAt(bodies, line), end: lineEnd(lines, line) };
  const windows = windowsOf(lines.codes, span, terms);
  let parent: number | undefined;
  let at = lineStart(lines, line);
  let from = span.start;
  for (const { start, end } of windows) {
    if (parent !== undefined) {
      list.add(at, lines.text.slice(from, start), { parent });
      at = from = start;
    }
    const to = end === span.end ? lineStart(lines, line + 1) : end;
    const written = lines.text.slice(from, to);
    const own = parent === undefined ? traits : { ...traits, parent };
    parent ??= list.add(at, written, own);
    if (own !== traits) list.add(at, written, own);
    at = from = to;
  }
}

/** A text with a note in place of each gap. @module */
import type { Omitted } from "../core/compressor.ts";
import type { Gap, Units } from "../core/kind.ts";
import { offsetAt } from "../text/lines.ts";
import { isToldIn } from "./choose.ts";
import { countText, inlineNote, lineNote, rangeText } from "./note.ts";

/** What is written. */
export interface Rendering {
  /** The whole text. */
  readonly text: string;
  /** Its units. */
  readonly units: Units;
  /** What is left out, ascending. */
  readonly gaps: readonly Gap[];
  /** Noun for units that are no whole lines. */
  readonly unit: string;
  /** Number that notes give the first line. */
  readonly firstLine: number;
  /** What a gap holds; it goes into the note where it costs less than what the gap saves. */
  readonly label: (gap: Gap) => string;
  /** What a gap lacks; its lines where absent. */
  readonly missing?: (gap: Gap) => string | undefined;
  /** 1 per unit that is kept; absent where no unit is written otherwise. */
  readonly kept?: Uint8Array;
}

const NEWLINE = "\n";
/** Unit of texts whose gaps are counted in UTF-16 units. */
const CHARACTERS = "characters";
/** UTF-16 units that a gap must have beyond its note. */
const PROFIT = 16;

/**
 * Writes the kept units and the notes.
 *
 * @returns The text; what is missing counts in lines where all gaps are whole lines, else in units. O(text).
 */
export function renderUnits(
  given: Rendering,
): { readonly text: string; readonly omitted: Omitted } {
  const { text, units, gaps } = given;
  const parts: string[] = [];
  const counter = new LineCounter(text);
  let isWhole = true;
  let lines = 0;
  let count = 0;
  let characters = 0;
  let from = 0;
  for (const gap of gaps) {
    writeKept(parts, given, from, gap.from);
    const isTold = isToldIn(units, gap);
    const first = counter.lineOf(offsetAt(units.starts, gap.from));
    const last = counter.lineOf(offsetAt(units.starts, gap.to) - 1);
    isWhole = (isTold || writeGap(parts, given, { ...gap, first, last })) &&
      isWhole;
    lines += last - first + 1;
    count += gap.to - gap.from;
    characters += offsetAt(units.starts, gap.to) -
      offsetAt(units.starts, gap.from);
    from = gap.to;
  }
  const total = units.starts.length - 1;
  writeKept(parts, given, from, total);
  const form = parts.join("");
  if (given.unit === CHARACTERS) {
    const omitted = { count: characters, total: text.length };
    return { text: form, omitted: { ...omitted, unit: CHARACTERS } };
  }
  const all = counter.lineOf(text.length - 1) + 1;
  return {
    text: form,
    omitted: isWhole
      ? { count: lines, total: all, unit: "lines" }
      : { count, total, unit: given.unit },
  };
}

function writeKept(
  parts: string[],
  { text, units: { starts, write }, kept }: Rendering,
  from: number,
  to: number,
): void {
  let done = from;
  for (let unit = from; unit < to && write !== undefined; unit++) {
    const form = write(unit, kept);
    if (form === undefined) continue;
    if (unit > done) {
      parts.push(text.slice(offsetAt(starts, done), offsetAt(starts, unit)));
    }
    parts.push(form);
    done = unit + 1;
  }
  if (to > done) {
    parts.push(text.slice(offsetAt(starts, done), offsetAt(starts, to)));
  }
}

/** A gap and its lines, from 0. */
interface PlacedGap extends Gap {
  readonly first: number;
  readonly last: number;
}

/** Writes the note of a gap; returns whether the gap takes whole lines. */
function writeGap(
  parts: string[],
  given: Rendering,
  gap: PlacedGap,
): boolean {
  const { text, units, firstLine, unit } = given;
  const start = offsetAt(units.starts, gap.from);
  const end = offsetAt(units.starts, gap.to);
  const startsLine = start === 0 || text[start - 1] === NEWLINE;
  const endsLine = end === text.length || text[end - 1] === NEWLINE;
  const own = given.missing?.(gap);
  const missing = own ??
    rangeText({ first: firstLine + gap.first, last: firstLine + gap.last });
  const label = given.label(gap);
  const newline = newlineBefore(text, end);
  if (startsLine && endsLine) {
    const note = lineNote(missing, label);
    const isShort = note.length + PROFIT > end - start;
    const lead = units.lead?.(gap) ?? "";
    parts.push(lead, isShort ? lineNote(missing) : note, newline);
    return true;
  }
  const isWithin = gap.first === gap.last;
  const what = own === undefined && isWithin
    ? countText(unit === CHARACTERS ? end - start : gap.to - gap.from, unit)
    : missing;
  if (!startsLine) parts.push(`${(parts.pop() ?? "").trimEnd()} `);
  const after = endsLine ? newline : " … ";
  parts.push(inlineNote(what, isWithin ? "" : label), after);
  return false;
}

/** The end of line right before an offset; empty where none is. */
function newlineBefore(text: string, end: number): string {
  if (text[end - 1] !== NEWLINE) return "";
  return text[end - 2] === "\r" ? "\r\n" : NEWLINE;
}

/** Counts the lines of a text up to ascending offsets. */
class LineCounter {
  readonly #text: string;
  #next: number;
  #line = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf(NEWLINE);
  }

  /** Index of the line that holds `offset`; offsets never fall. */
  lineOf(offset: number): number {
    while (this.#next >= 0 && this.#next < offset) {
      this.#line++;
      this.#next = this.#text.indexOf(NEWLINE, this.#next + 1);
    }
    return this.#line;
  }
}

/** The text of an elided document: kept units as they were, a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import type { Lines } from "../../text/lines.ts";
import { labelOf } from "./labels.ts";
import type { Gap } from "./select.ts";
import { ENDS_LINE, STARTS_LINE, type Unit } from "./units.ts";

/**
 * Writes the kept units. A gap of whole lines becomes a line `… lines 3-9 omitted`,
 * with the names of what is in it; one within a line
 * `… [2 sentences omitted] …`, one that starts or ends within a line `… [lines 3-9 omitted] …`.
 *
 * @param gaps Ascending, at least one. @param firstLine Number of the text's first line.
 * @returns The text, and what is missing: in `lines` when all gaps are whole lines, else in `sentences`, where
 * a line that is no running text counts as one.
 */
export function renderGaps(
  lines: Lines,
  { units, gaps, firstLine }: {
    readonly units: readonly Unit[];
    readonly gaps: readonly Gap[];
    readonly firstLine: number;
  },
): { text: string; omitted: Omitted } {
  const { text } = lines;
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of gaps) {
    const first = units[from]!;
    const last = units[to - 1]!;
    const range = rangeOf(firstLine + first.line, firstLine + last.lastLine);
    const count = to - from;
    const label = labelOf(lines, units, { from, to });
    const named = label === "" ? "" : ` (${label})`;
    if (isWhole(first, last)) {
      parts.push(text.slice(at, first.start), `… ${range} omitted${named}`);
      at = lineEnd(text, last);
      continue;
    }
    const before = first.place & STARTS_LINE
      ? text.slice(at, first.start)
      : `${text.slice(at, units[from - 1]!.end)} `;
    const what = first.line === last.lastLine
      ? `${sentences(count)} omitted`
      : `${range} omitted${named}`;
    parts.push(before, `… [${what}]`);
    at = lineEnd(text, last);
    if (last.place & ENDS_LINE) continue;
    parts.push(" … ");
    at = units[to]!.start;
  }
  parts.push(text.slice(at));
  return { text: parts.join(""), omitted: omittedOf(lines, units, gaps) };
}

/** Where the text goes on behind a unit: at the end of the line, which may be `\r\n`. */
function lineEnd(text: string, { end, place }: Unit): number {
  return place & ENDS_LINE && text[end - 1] === "\r" ? end - 1 : end;
}

function isWhole(first: Unit, last: Unit): boolean {
  return (first.place & STARTS_LINE) !== 0 && (last.place & ENDS_LINE) !== 0;
}

function rangeOf(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

function sentences(count: number): string {
  return count === 1 ? "1 sentence" : `${count} sentences`;
}

function omittedOf(
  lines: Lines,
  units: readonly Unit[],
  gaps: readonly Gap[],
): Omitted {
  let whole = true;
  let lineCount = 0;
  let unitCount = 0;
  for (const { from, to } of gaps) {
    const first = units[from]!;
    const last = units[to - 1]!;
    whole &&= isWhole(first, last);
    lineCount += last.lastLine - first.line + 1;
    unitCount += to - from;
  }
  return whole
    ? { count: lineCount, total: lines.count, unit: "lines" }
    : { count: unitCount, total: units.length, unit: "sentences" };
}

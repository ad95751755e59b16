/** Lines and rows that fit a query, as `grep -n` shows them. @module */
import { indexLines, type Lines } from "../../text/lines.ts";
import { matchText, type Piece } from "./piece.ts";
import { findUnits } from "./search.ts";
import { addWindows, LONGEST_LINE, startOf } from "./windows.ts";

/** Lines shown on each side of a match, nearest first. */
const AROUND = [-1, 1, -2, 2] as const;
/** UTF-16 units of all lines around matches, and of one of them. */
const MAX_AROUND = 4_000;
const AROUND_WIDTH = 200;
/** Lines in which the head of a table is looked for. */
const HEAD_LINES = 6;
const RULE = /^[-=+|:\s─━│┃┼├┤╞╪═╡┌┐╔╗╦╤┬]+$/;
const RULED = /[-=─━═]{2}/;

/** A text as lines, long lines as stretches. */
interface LineUnits {
  readonly lines: Lines;
  /** Where the units begin, and the end. */
  readonly starts: Uint32Array;
  /** Line of each unit. */
  readonly line: Uint32Array;
  /** Lines at the top that are no units. */
  readonly head: number;
}

/** Lines with a match, numbered, and two lines around each; of a table the rows below its head. O(n). */
export function matchLines(piece: Piece, query: string): Piece {
  const units = unitsOf(piece);
  const { count, best } = findUnits(
    { text: piece.text, starts: units.starts },
    query,
  );
  const total = units.starts.length - 1;
  const isWhole = total === units.lines.count - units.head;
  const noun = !isWhole ? "parts" : piece.way === "table" ? "rows" : "lines";
  const said = matchText(query, { shown: best.length, count, total, noun });
  const text = best.length === 0
    ? ""
    : piece.way === "table"
    ? tableText(piece, units, best)
    : linesText(piece, units, best);
  return {
    text,
    way: "lines",
    items: best.length,
    said: [...piece.said, said],
  };
}

function unitsOf(piece: Piece): LineUnits {
  const lines = indexLines(piece.text);
  const head = piece.way === "table" ? headOf(lines) : 0;
  const starts: number[] = [];
  const line: number[] = [];
  for (let i = head; i < lines.count; i++) {
    const start = lines.starts[i]!;
    const end = lines.starts[i + 1]! - 1;
    if (end - start > LONGEST_LINE) {
      addWindows(starts, piece.text, { start, end });
    } else starts.push(start);
    while (line.length < starts.length) line.push(i);
  }
  starts.push(lines.starts[lines.count]!);
  return {
    lines,
    starts: Uint32Array.from(starts),
    line: Uint32Array.from(line),
    head,
  };
}

/** Lines down to the rule below the names of the columns; 1 without a rule. */
function headOf(lines: Lines): number {
  let head = Math.min(1, lines.count);
  for (let i = 0; i < Math.min(HEAD_LINES, lines.count); i++) {
    const text = lines.text.slice(lines.starts[i]!, lines.starts[i + 1]! - 1);
    if (RULE.test(text) && RULED.test(text)) head = i + 1;
  }
  return head;
}

function tableText(
  { text }: Piece,
  units: LineUnits,
  best: readonly number[],
): string {
  const { lines, starts, line, head } = units;
  const parts = [text.slice(0, lines.starts[head]!)];
  for (const unit of best) {
    const i = line[unit]!;
    const isRow = starts[unit] === lines.starts[i] &&
      starts[unit + 1] === lines.starts[i + 1];
    parts.push(
      isRow ? lineText(lines, i) : windowText(units, unit, unit),
      "\n",
    );
  }
  return parts.join("");
}

function linesText(
  piece: Piece,
  units: LineUnits,
  best: readonly number[],
): string {
  const { lines, starts, line } = units;
  const shown = new Map<number, string>();
  const isOne = lines.count === 1;
  for (let b = 0; b < best.length; b++) {
    const unit = best[b]!;
    const i = line[unit]!;
    const lead = leadOf(piece, i, ":");
    if (starts[unit] === lines.starts[i] && line[unit + 1] !== i) {
      shown.set(i, lead + lineText(lines, i));
      continue;
    }
    let last = unit;
    while (best[b + 1] === last + 1 && line[last + 1] === i) last = best[++b]!;
    const before = shown.get(i);
    const text = (isOne ? "" : lead) + windowText(units, unit, last);
    shown.set(i, before === undefined ? text : `${before}\n${text}`);
  }
  addAround(piece, lines, shown);
  const parts: string[] = [];
  let last = -1;
  for (const i of [...shown.keys()].sort((a, b) => a - b)) {
    if (last >= 0 && i > last + 1) parts.push("--");
    parts.push(shown.get(i)!);
    last = i;
  }
  return parts.join("\n") + "\n";
}

/** Puts lines around those shown, `N-line`, as far as there is room. */
function addAround(
  piece: Piece,
  lines: Lines,
  shown: Map<number, string>,
): void {
  let left = MAX_AROUND;
  const matches = [...shown.keys()];
  for (const offset of AROUND) {
    for (const match of matches) {
      const i = match + offset;
      if (i < 0 || i >= lines.count || shown.has(i)) continue;
      const text = lineText(lines, i);
      left -= Math.min(text.length, AROUND_WIDTH);
      if (left < 0) return;
      const start = startOf(text, AROUND_WIDTH);
      const more = text.length - start.length;
      const rest = more > 0 ? ` … ${more} more characters` : "";
      shown.set(i, leadOf(piece, i, "-") + start + rest);
    }
  }
}

/** `12:`, `12-`; nothing before a line that has no number. */
function leadOf({ numbers }: Piece, i: number, sign: ":" | "-"): string {
  const number = numbers?.[i] ?? i + 1;
  return number === 0 ? "" : `${number}${sign}`;
}

function lineText(lines: Lines, i: number): string {
  return lines.text.slice(lines.starts[i]!, lines.starts[i + 1]! - 1);
}

/** `characters 201-400 of 5000: …`, counted from 1 within the line. */
function windowText(
  { lines, starts, line }: LineUnits,
  first: number,
  last: number,
): string {
  const from = lines.starts[line[first]!]!;
  const end = lines.starts[line[first]! + 1]! - 1;
  const start = starts[first]!;
  const stop = Math.min(end, starts[last + 1]!);
  return `characters ${start - from + 1}-${stop - from} of ${end - from}: ${
    lines.text.slice(start, stop)
  }`;
}

/** CSV and its relatives: records with quoted cells, ragged rows kept as they are. @module */
import type { Lines } from "../../text/lines.ts";
import { LAYOUTS, tightLayout } from "./layout.ts";
import type { Table } from "./table.ts";

const DELIMITERS = [44, 9, 59, 124];
const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
/** Records looked at to tell the delimiter. */
const SAMPLE = 40;
/** UTF-16 units that one record may have, so that a lone quote does not take the rest of the text with it. */
const LONGEST = 100_000;
/** Lines of other text at either end. */
const MOST_OTHER = 3;
/** Share of records that have the number of cells of the others. */
const LEAST_FIT = 0.9;
const LEAST_ROWS = 3;

/** Records of a text. */
interface Records {
  readonly delimiter: number;
  /** Start and end of each cell of each record. */
  readonly cells: Offsets;
  /** Index in `cells` of the first cell of each record; one more at the end. */
  readonly first: number[];
  /** Start of each record; one more at the end. */
  readonly starts: number[];
  /** Whether every record ends with a carriage return, which is then part of no cell. */
  isCrlf: boolean;
}

/** A growing list of pairs of offsets. */
class Offsets {
  values = new Uint32Array(256);
  length = 0;

  /** Adds a pair. */
  add(from: number, to: number): void {
    if (this.length + 2 > this.values.length) {
      const larger = new Uint32Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = from;
    this.values[this.length++] = to;
  }
}

/** The most frequent number of cells, and how many of the records have it. */
export interface Shape {
  /** Code of the delimiter. */
  readonly delimiter: number;
  /** Cells of most records. */
  readonly columns: number;
  /** Share of the records that have so many. */
  readonly share: number;
}

/** Finds the delimiter by the first records; `undefined` when no character splits most of them alike. */
export function delimiterOf(codes: Uint8Array): Shape | undefined {
  let best: Shape | undefined;
  for (const delimiter of DELIMITERS) {
    if (codes.subarray(0, LONGEST).indexOf(delimiter) < 0) continue;
    const shape = shapeOf(readRecords(codes, delimiter, SAMPLE));
    if (shape.columns < 2 || shape.share < LEAST_FIT) continue;
    const isBetter = best === undefined || shape.share > best.share ||
      (shape.share === best.share && shape.columns > best.columns);
    if (isBetter) best = shape;
  }
  return best;
}

/** The table that a text of delimited records is; `undefined` when it is none. O(n). */
export function parseDelimited(lines: Lines): Table | undefined {
  const shape = delimiterOf(lines.codes);
  if (shape === undefined) return undefined;
  const records = readRecords(lines.codes, shape.delimiter, Infinity);
  return tableOf(lines, records, shapeOf(records));
}

function tableOf(
  lines: Lines,
  records: Records,
  { columns, share }: Shape,
): Table | undefined {
  const { delimiter, first, isCrlf } = records;
  const fits = (record: number) =>
    first[record + 1]! - first[record]! === 2 * columns;
  let head = 0;
  let tail = first.length - 1;
  while (head < tail && head < MOST_OTHER && !fits(head)) head++;
  const least = tail - MOST_OTHER;
  while (tail > head && tail > least && !fits(tail - 1)) tail--;
  const rows = tail - head;
  if (rows < LEAST_ROWS || columns < 2 || share < LEAST_FIT) return undefined;
  const table = placeRows(lines, records, { head, rows, columns });
  const hasHeader = table.plain[0] === 0;
  const names = hasHeader
    ? namesIn(lines.text, table.cells.subarray(0, 2 * columns))
    : undefined;
  const split = String.fromCharCode(delimiter);
  return {
    lines,
    from: table.rowLine[0]!,
    to: table.rowTo[rows - 1]!,
    columns,
    rows,
    ...table,
    names,
    hasHeader: names !== undefined,
    layout: {
      ...tightLayout(split === LAYOUTS.get("TSV") ? "TSV" : "CSV", split),
      isCrlf,
    },
  };
}

/** Cells and lines of the records from `head` on; a record with more or fewer cells is plain. */
function placeRows(
  lines: Lines,
  { cells, first, starts }: Records,
  { head, rows, columns }: { head: number; rows: number; columns: number },
): Pick<Table, "cells" | "rowLine" | "rowTo" | "plain"> {
  const table = {
    cells: new Uint32Array(2 * rows * columns),
    rowLine: new Uint32Array(rows),
    rowTo: new Uint32Array(rows),
    plain: new Uint8Array(rows),
  };
  let line = 0;
  for (let row = 0; row < rows; row++) {
    while (lines.starts[line]! < starts[head + row]!) line++;
    table.rowLine[row] = line;
    while (
      line < lines.count && lines.starts[line]! < starts[head + row + 1]!
    ) {
      line++;
    }
    table.rowTo[row] = line;
    const from = first[head + row]!;
    if (first[head + row + 1]! - from !== 2 * columns) {
      table.plain[row] = 1;
      continue;
    }
    const to = 2 * row * columns;
    table.cells.set(cells.values.subarray(from, from + 2 * columns), to);
  }
  return table;
}

/** Names in the first row: all different, none empty, none a number. */
function namesIn(text: string, cells: Uint32Array): string[] | undefined {
  const names: string[] = [];
  for (let i = 0; i < cells.length; i += 2) {
    const name = text.slice(cells[i]!, cells[i + 1]!);
    if (!/[^\d\s.,:%"'+-]/.test(name) || name.length > 80) return undefined;
    names.push(name);
  }
  return new Set(names).size === names.length ? names : undefined;
}

function shapeOf({ delimiter, first }: Records): Shape {
  const counts = new Map<number, number>();
  for (let i = 0; i + 1 < first.length; i++) {
    const columns = (first[i + 1]! - first[i]!) / 2;
    counts.set(columns, (counts.get(columns) ?? 0) + 1);
  }
  let columns = 0;
  let most = 0;
  for (const [key, count] of counts) {
    if (count <= most) continue;
    columns = key;
    most = count;
  }
  const spare = Math.min(MOST_OTHER, Math.max(0, first.length - 1 - most));
  const others = first.length - 1 - most - spare;
  return { delimiter, columns, share: most / Math.max(1, most + others) };
}

/** Reads up to `limit` records. A record whose quotes do not close has no cells. */
function readRecords(
  codes: Uint8Array,
  delimiter: number,
  limit: number,
): Records {
  const records: Records = {
    delimiter,
    cells: new Offsets(),
    first: [],
    starts: [],
    isCrlf: false,
  };
  const { cells, first, starts } = records;
  let quotes = true;
  let at = 0;
  while (at < codes.length && first.length < limit) {
    first.push(cells.length);
    starts.push(at);
    const mark = cells.length;
    let end = readRecord(codes, at, delimiter, cells, quotes);
    if (end < 0) {
      cells.length = mark;
      // One lone quote shows that quotes in this text hold no newlines.
      if (end === TOO_LONG) quotes = false;
      end = codes.indexOf(NEWLINE, at);
      if (end < 0) end = codes.length;
    }
    at = end + 1;
  }
  first.push(cells.length);
  starts.push(at);
  endAtReturn(codes, records);
  return records;
}

/** Takes the carriage return out of the last cells if every record ends with one. */
function endAtReturn(codes: Uint8Array, records: Records): void {
  const { cells: { values }, first } = records;
  const lasts: number[] = [];
  for (let i = 0; i + 1 < first.length; i++) {
    if (first[i + 1] === first[i]) continue;
    const last = first[i + 1]! - 1;
    const end = values[last]!;
    const isEnded = codes[end - 1] === RETURN || codes[end] === RETURN;
    if (!isEnded) return;
    lasts.push(last);
  }
  for (const last of lasts) {
    if (codes[values[last]!] !== RETURN) values[last]!--;
  }
  records.isCrlf = lasts.length > 0;
}

const MALFORMED = -1;
const TOO_LONG = -2;

/** Reads one record; returns the offset of its end, or why there is none. */
function readRecord(
  codes: Uint8Array,
  from: number,
  delimiter: number,
  cells: Offsets,
  quotes: boolean,
): number {
  let at = from;
  for (;;) {
    const start = at;
    if (codes[at] === QUOTE) {
      at = quoteEnd(codes, at + 1, from + LONGEST, quotes);
      if (at < 0) return at;
    } else {
      while (at < codes.length) {
        const code = codes[at]!;
        if (code === delimiter || code === NEWLINE) break;
        at++;
      }
    }
    cells.add(start, at);
    if (codes[at] === RETURN && codes[at + 1] === NEWLINE) return at + 1;
    if (at >= codes.length || codes[at] === NEWLINE) return at;
    if (codes[at] !== delimiter) return MALFORMED;
    at++;
  }
}

/** Offset behind the closing quote. */
function quoteEnd(
  codes: Uint8Array,
  from: number,
  limit: number,
  quotes: boolean,
): number {
  const end = Math.min(codes.length, limit);
  for (let at = from; at < end; at++) {
    const code = codes[at]!;
    if (code === NEWLINE && !quotes) return MALFORMED;
    if (code !== QUOTE) continue;
    if (codes[at + 1] !== QUOTE) return at + 1;
    at++;
  }
  return TOO_LONG;
}

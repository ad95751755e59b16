/** What the columns of long lists hold, and which rows stand out of them. @module */
import type { Column } from "../../text/json/column.ts";
import type { Grid } from "../../text/json/grid.ts";
import { ARRAY, NUMBER, STRING, type Tape } from "../../text/json/tape.ts";
import {
  outliersOf,
  seriesOf,
  spreadOf,
  type Standout,
  weightiest,
} from "../../text/series.ts";
import { breakRows } from "../../text/signs/breaks.ts";
import { oddCells, shapeOf } from "../../text/signs/cell_shapes.ts";
import {
  groupsOf,
  hashOf,
  patternOf,
  rareRows,
  type RowGroups,
} from "../../text/signs/columns.ts";
import { extremesOf, LEAST_VALUES } from "../../text/signs/extremes.ts";
import { quantityAt } from "../../text/signs/quantity.ts";
import { timeAt } from "../../text/signs/times.ts";
import { largestInLists, nestedColumns } from "./nested.ts";

/** Rows with rare values, and with values of another shape, that stay, besides those of columns with few of them. */
const MAX_RARE = 12;
/** What a rare number says, where a rare text says 1: most numbers are rare by chance. */
const NUMBER_WEIGHT = 0.25;
const FEW_RARE = 3;
const MAX_ODD = 12;
/** Standard deviations from the mean from which one of few numbers is an outlier. */
const OUTLIER_SIGMA = 2.5;
/** Characters of a text that tell its pattern. */
const PATTERN_CHARS = 160;
/** Unusual members and rows of another shape that stay. */
const MAX_UNUSUAL = 6;
const UNUSUAL_SHARE = 0.2;
const MAX_MISFITS = 3;
/** Rows of columns of times of which the ends are kept. */
const MOST_TIMES = 3;
/** Characters of a number in a string, and items of a list that are counted. */
const LONGEST_NUMBER = 27;
const MOST_ITEMS = 20;

/** Statistics of one column. */
export interface Profile {
  readonly column: Column;
  /** Value of each row, with a unit or without, NaN where there is none; only when nearly all values are numbers. */
  readonly numbers: Float64Array | undefined;
  /** The same for times and dates. */
  readonly times: Float64Array | undefined;
  /** Rows with the same text; only when there are few texts. */
  readonly values: RowGroups | undefined;
  /** Rows with the same text but for digits; only of texts, and when there are few. */
  readonly patterns: RowGroups | undefined;
  /** Rows whose value is of a shape that hardly any other has. */
  readonly odd: readonly Standout[];
}

/** Where rows are, and what is known of them. */
interface Given {
  readonly grid: Grid | undefined;
  readonly codes: Uint8Array;
}

/** The columns of some rows, and of what is nested in their cells in nearly the same way. Linear. */
export function profilesOf(
  tape: Tape,
  rows: Int32Array,
  { grid, codes }: Given,
): { readonly profiles: Profile[]; readonly nested: Profile[] } {
  // What is in a short list within a row says little of the row.
  const columns =
    grid?.leaves.filter(({ key }) => key !== "" || grid.root.isList) ??
      [{ key: "", cells: rows, present: rows.length }];
  const profiles = columns.map((column) => profileOf(tape, column, codes));
  const nested = grid === undefined ? [] : columns
    .flatMap((column) => [
      ...nestedColumns(tape, column),
      ...largestInLists(tape, column),
    ])
    .map((column) => profileOf(tape, column, codes));
  return { profiles, nested };
}

function profileOf(tape: Tape, column: Column, codes: Uint8Array): Profile {
  const { cells } = column;
  const read = (valueOf: (node: number) => number) =>
    seriesOf(cells.length, (row) => {
      const node = cells[row] ?? 0;
      return node === 0 ? undefined : valueOf(node);
    })?.values;
  const numbers = read((node) => numberOf(tape, node, codes));
  const times = numbers === undefined
    ? read((node) => timeOf(tape, node))
    : undefined;
  const end = (node: number) => Math.min(tape.end(node), codes.length);
  const values = groupsOf(
    cells,
    (node) => hashOf(codes, tape.start(node), end(node)),
  );
  const isText = values === undefined && numbers === undefined &&
    cells.every((node) => node === 0 || !tape.isContainer(node));
  const patterns = isText
    ? groupsOf(cells, (node) => {
      const start = tape.start(node);
      const stop = Math.min(end(node), start + PATTERN_CHARS);
      return patternOf(codes, start, stop);
    })
    : undefined;
  const oddBy = (shapeAt: (node: number) => number) =>
    oddCells(cells.length, (row) => {
      const node = cells[row] ?? 0;
      return node === 0 ? 0 : shapeAt(node);
    });
  const shapes = oddBy((node) =>
    tape.isContainer(node)
      ? -tape.kind(node) - (tape.count(node) === 0 ? 100 : 0)
      : shapeOf(codes, tape.start(node), end(node))
  );
  const isNested = cells.some((node) => node !== 0 && tape.isContainer(node));
  const lengths = isNested ? oddBy((node) => -lengthOf(tape, node)) : [];
  const odd = [...shapes, ...lengths];
  return { column, numbers, times, values, patterns, odd };
}

/** Items of a list, as far as they are counted; more for anything else. */
function lengthOf(tape: Tape, node: number): number {
  return tape.kind(node) === ARRAY
    ? Math.min(tape.count(node), MOST_ITEMS)
    : 100;
}

/** A number, also in a string, with a unit. */
function numberOf(tape: Tape, node: number, codes: Uint8Array): number {
  if (tape.kind(node) === NUMBER) return Number(tape.raw(node));
  if (tape.kind(node) !== STRING || tape.size(node) >= LONGEST_NUMBER) {
    return NaN;
  }
  const end = tape.end(node) - 1;
  return quantityAt(codes, { start: tape.start(node) + 1, end }, end);
}

function timeOf(tape: Tape, node: number): number {
  if (tape.kind(node) !== STRING) return NaN;
  return timeAt(tape.text, tape.start(node), tape.end(node));
}

/** Rows worth keeping for their values, in no order, and the ends of times. */
export function standoutRows(
  profiles: readonly Profile[],
): { readonly stays: number[]; readonly ends: number[] } {
  const rare: (readonly Standout[])[] = [];
  const odd: Standout[] = [];
  const rows: number[] = [];
  const ends: number[] = [];
  for (const profile of profiles) {
    const { numbers, times } = profile;
    const found = rareIn(profile);
    if (found.length > FEW_RARE) rare.push(found);
    else rows.push(...found.map(({ row }) => row));
    odd.push(...profile.odd);
    const series = numbers ?? times;
    const spread = series && spreadOf(series);
    if (series === undefined || spread === undefined) continue;
    rows.push(...breakRows(series, times !== undefined));
    // Ids and times only rise.
    if (spread.isMonotone) continue;
    const extremes = extremesOf(series);
    // Too few values say little about what is usual.
    const furthest = series.length < 2 * LEAST_VALUES
      ? outliersOf(series, spread, OUTLIER_SIGMA)
      : [];
    rows.push(...extremes.map(({ row }) => row));
    rows.push(...weightiest(furthest, 1));
    if (times !== undefined && ends.length < 2 * MOST_TIMES) {
      ends.push(spread.least, spread.most);
    }
  }
  const stays = [
    ...rows,
    ...weightiest(summed(rare), MAX_RARE),
    ...weightiest(odd, MAX_ODD),
  ];
  return { stays, ends };
}

/** The first row of each rare value of a column; it weighs the more the fewer different values there are. */
function rareIn({ numbers, values, patterns }: Profile): Standout[] {
  const groups = values ?? patterns;
  const share = (numbers === undefined ? 1 : NUMBER_WEIGHT) /
    (groups?.sizes.length ?? 1);
  return rareRows(groups)
    .map(({ row, weight }) => ({ row, weight: weight * share }));
}

/** Each row once: what several columns find in it adds up. */
function summed(columns: readonly (readonly Standout[])[]): Standout[] {
  const weights = new Map<number, number>();
  for (const { row, weight } of columns.flat()) {
    weights.set(row, (weights.get(row) ?? 0) + weight);
  }
  return [...weights].map(([row, weight]) => ({ row, weight }));
}

/** The first row of each unusual member, rarest first, and the first rows that fit no columns. */
export function unusualRows({ root, misfits }: Grid): number[] {
  const rare: Column[] = [];
  const visit = (column: Column) => {
    column.members?.forEach(visit);
    if (column.present < root.present * UNUSUAL_SHARE) rare.push(column);
  };
  visit(root);
  rare.sort((a, b) => a.present - b.present);
  return [
    ...rare.slice(0, MAX_UNUSUAL)
      .map(({ cells }) => cells.findIndex((node) => node !== 0)),
    ...[...misfits].slice(0, MAX_MISFITS),
  ];
}

/** Which rows of a long array stay: both ends, failures, what stands out, what was asked for. @module */
import { middleOf } from "./affix.ts";
import type { Column, Grid } from "./column.ts";
import { type Digests, digestsOf } from "./digests.ts";
import { FIRST_FRACTION, LAST_FRACTION, MAX_ITEMS } from "./defaults.ts";
import { failuresIn, failuresOf, hitsOf } from "./failure.ts";
import { type Profile, profileOf } from "./profile.ts";
import { lowerBound } from "./order.ts";
import { hitsOfQuery, matchingRows, type QueryHits } from "./query.ts";
import { standoutRows } from "./signal.ts";
import { ARRAY, type Tape } from "./tape.ts";

const MAX_STRUCTURAL = 6;
const MAX_MISFITS = 3;
/** Share of the rows below which a member is unusual. */
const UNUSUAL_SHARE = 0.2;
const MAX_TUPLE = 40;
/** Characters of a run of rows that is shorter than a note about it, roughly. */
const SHORT_RUN = 60;

/** The rows of one container and what is known about them. */
export interface Sample {
  /** 1 for each row that stays. */
  readonly keep: Uint8Array;
  /** Statistics of the columns, for a summary of the rest. */
  readonly profiles: readonly Profile[];
}

/** What the choice depends on besides the text of the request. */
export interface SampleInput {
  /** Nodes that report failures, ascending. */
  readonly failures: Int32Array;
  /** What the query's words hit. */
  readonly hits: QueryHits;
}

/** What matters in a tape, and what does not. */
export interface Signals extends SampleInput {
  /** Machine-made strings that are left out. */
  readonly digests: Digests;
}

/** Finds what matters in a tape, failures and what a query asks for, and what does not. Linear. */
export function signalsOf(tape: Tape, query: string): Signals {
  const failures = failuresOf(tape);
  const hits = hitsOfQuery(tape, query);
  const digests = digestsOf(tape, { failures, hits, query });
  return { failures, hits, digests };
}

/** Values with a word of the query up to which each of them matters. */
const RARE_HITS = 20;

/** Whether a failure or a rare word of the query is in the subtree of `node`. O(words · log n). */
export function holdsSignal(
  tape: Tape,
  { failures, hits }: SampleInput,
  node: number,
): boolean {
  const end = tape.next[node]!;
  const holds = (nodes: Int32Array) =>
    lowerBound(nodes, node) < lowerBound(nodes, end);
  return holds(failures) ||
    hits.some((nodes) => nodes.length <= RARE_HITS && holds(nodes));
}

/** How the rows are going to be written. */
export interface SampledForm {
  /** Their columns, when they have any in common. */
  readonly grid: Grid | undefined;
  /** The first line of a table will show constants; needs a grid. */
  readonly asTable: boolean;
}

/** Chooses the rows that stay. Linear in the characters of the rows. */
export function sampleRows(
  tape: Tape,
  rows: Int32Array,
  { grid, asTable, failures, hits }: SampleInput & SampledForm,
): Sample {
  const keep = new Uint8Array(rows.length);
  keep.fill(1, 0, Math.ceil(MAX_ITEMS * FIRST_FRACTION));
  keep.fill(1, rows.length - Math.round(MAX_ITEMS * LAST_FRACTION));
  const profiles = (grid?.leaves ?? columnsWithoutGrid(tape, rows))
    .map((column) => profileOf(tape, column));
  // The first child follows its container: only failures in there matter.
  const own = failuresIn(tape, failures, rows[0]! - 1);
  const shown = asTable && own.length > 0
    ? shownFailures(tape, grid!.columns, own)
    : new Set<number>();
  keepOwners(tape, rows, own.filter((node) => !shown.has(node)), keep);
  for (const i of standoutRows(profiles)) keep[i] = 1;
  for (const i of matchingRows(tape, rows, hits)) keep[i] = 1;
  for (const i of grid === undefined ? [] : unusualRows(grid)) keep[i] = 1;
  closeShortGaps(tape, rows, keep);
  return { keep, profiles };
}

/** Keeps each row whose subtree holds one of `nodes`; both ascend. */
function keepOwners(
  tape: Tape,
  rows: Int32Array,
  nodes: Int32Array,
  keep: Uint8Array,
): void {
  let at = 0;
  for (let i = 0; i < rows.length && at < nodes.length; i++) {
    while (at < nodes.length && nodes[at]! < rows[i]!) at++;
    if (at < nodes.length && nodes[at]! < tape.next[rows[i]!]!) keep[i] = 1;
  }
}

/** Positions of arrays of the same length, or the items themselves. */
function columnsWithoutGrid(tape: Tape, rows: Int32Array): Column[] {
  const size = tape.count[rows[0]!]!;
  const areTuples = size > 0 && size <= MAX_TUPLE &&
    rows.every((row) => tape.kind[row] === ARRAY && tape.count[row] === size);
  const present = rows.length;
  if (!areTuples) return [{ key: "", cells: rows, present }];
  const columns: Column[] = [];
  let cells = rows.map((row) => row + 1);
  for (let k = 0; k < size; k++) {
    columns.push({ key: `[${k}]`, cells, present });
    if (k + 1 < size) cells = cells.map((node) => tape.next[node]!);
  }
  return columns;
}

/** Failures that the first line of the table shows: in constants and in affixes. */
function shownFailures(
  tape: Tape,
  columns: readonly Column[],
  failures: Int32Array,
): Set<number> {
  const shown = new Set<number>();
  const visit = (column: Column) => {
    column.members?.forEach(visit);
    column.tuple?.forEach((members) => members.forEach(visit));
    const { constant, affix, cells } = column;
    const fails = affix !== undefined
      ? hitsOf(`${affix.prefix}\n${affix.suffix}`).length > 0
      : constant !== undefined &&
        failuresIn(tape, failures, constant).length > 0;
    for (const node of fails ? cells : []) {
      if (node === 0) continue;
      const isShown = affix === undefined ||
        hitsOf(middleOf(tape, node, affix)).length === 0;
      for (const found of isShown ? failuresIn(tape, failures, node) : []) {
        shown.add(found);
      }
    }
  };
  columns.forEach(visit);
  return shown;
}

/** The first row of each unusual member, rarest first, and the first rows that fit no columns. */
function unusualRows(grid: Grid): number[] {
  const rare: Column[] = [];
  const fitting = grid.rows.length - grid.misfits;
  const visit = (column: Column) => {
    column.members?.forEach(visit);
    column.tuple?.forEach((members) => members.forEach(visit));
    if (column.present < fitting * UNUSUAL_SHARE) rare.push(column);
  };
  grid.columns.forEach(visit);
  rare.sort((a, b) => a.present - b.present);
  const rows = rare.slice(0, MAX_STRUCTURAL)
    .map(({ cells }) => cells.findIndex((node) => node !== 0));
  let misfit = grid.misfit.indexOf(1);
  for (let found = 0; misfit >= 0 && found < MAX_MISFITS; found++) {
    rows.push(misfit);
    misfit = grid.misfit.indexOf(1, misfit + 1);
  }
  return rows;
}

/** Keeps rows between kept ones when the note would be as long. */
function closeShortGaps(tape: Tape, rows: Int32Array, keep: Uint8Array): void {
  for (let i = 0; i < rows.length;) {
    if (keep[i] === 1) {
      i++;
      continue;
    }
    const from = i;
    while (i < rows.length && keep[i] === 0) i++;
    const size = tape.end[rows[i - 1]!]! - tape.start[rows[from]!]!;
    if (size <= SHORT_RUN) keep.fill(1, from, i);
  }
}

/** How a container is written when parts are left out: as a table or not, which rows stay, which are brief. @module */
import { type Column, type Grid, isAllConstant } from "./column.ts";
import {
  MAX_ITEMS,
  MAX_KEYS,
  MIN_ARRAY_CHARS,
  MIN_BRIEF_CHARS,
  MIN_OBJECT_CHARS,
} from "./defaults.ts";
import type { Detail } from "./detail.ts";
import { holdsDigest } from "./digests.ts";
import {
  type Cover,
  coverOf,
  type Reduced,
  withoutDigests,
} from "./leave_out.ts";
import { matchingRows } from "./query.ts";
import type { Tables } from "./reformat.ts";
import {
  type Sample,
  type SampleInput,
  sampleRows,
  type Signals,
} from "./sample.ts";
import { childrenOf, keyOf, OBJECT, type Tape } from "./tape.ts";

/** Columns up to which the rows that stay are surely shorter as a table. */
const MAX_COLUMNS = 30;
/** Rows of similar objects that are shown whole before the others are brief. */
const WHOLE_ROWS = 2;
/** Rows from which some are brief. */
const MIN_BRIEF_ROWS = 4;
/** Rows, and share of cells with a value, from which a table is surely shorter once a column of digests is gone. */
const MIN_SHRUNK_ROWS = 3;
const FILLED = 0.3;
/** Share of the rows of a lock file that have a version. */
const LOCK_SHARE = 0.5;
/** Key of a package with its version. */
const PACKAGE_KEY = /.@\d/;

/** How a container is written. */
export interface List {
  /** Its children. */
  readonly rows: Int32Array;
  /** The rows are members of an object. */
  readonly keyed: boolean;
  /** Columns of the rows, when they matter. */
  readonly grid: Grid | undefined;
  /** The table to be written, without digests; `undefined` when it is no table. */
  readonly table: Reduced | undefined;
  /** Digests among the rows, when it is no table. */
  readonly cover: Cover;
  /** The rows that stay; `undefined` when all do. */
  readonly sample: Sample | undefined;
  /** Rows that are not brief; `undefined` when none is. */
  readonly whole: ReadonlySet<number> | undefined;
}

/** What the choice depends on. */
export interface ListInput {
  /** Of the tape. */
  readonly tables: Tables;
  /** How much stays. */
  readonly detail: Detail;
  /** What matters in the tape. */
  readonly signals: Signals;
  /** Tables would break the line. */
  readonly inLine: boolean;
}

/** Decides how a container is written. Linear in its size. */
export function listOf(tape: Tape, node: number, input: ListInput): List {
  const { tables, detail, signals, inLine } = input;
  const rows = childrenOf(tape, node);
  const keyed = tape.kind[node] === OBJECT;
  const size = tape.end[node]! - tape.start[node]!;
  const isLong = keyed
    ? rows.length > MAX_KEYS && size > MIN_OBJECT_CHARS
    : rows.length > MAX_ITEMS && size > MIN_ARRAY_CHARS;
  const mayBeBrief = detail.brief && rows.length >= MIN_BRIEF_ROWS &&
    size > MIN_BRIEF_CHARS;
  const isChosen = tables.isChosen(node);
  const isKnown = isChosen || isLong || mayBeBrief;
  const most = isChosen ? Infinity : MAX_COLUMNS;
  const table = inLine
    ? undefined
    : isKnown
    ? reducedOf(node, input, most)
    : shrunkOf(tape, node, input);
  const grid = isKnown ? tables.gridOf(node) : table?.grid;
  const mayLoseRows = isLong && !(table !== undefined &&
    (isAllConstant(table.grid) || isLock(tape, table, keyed)));
  const asTable = table !== undefined;
  const sample = mayLoseRows
    ? sampleRows(tape, rows, { ...signals, grid, asTable })
    : undefined;
  const whole = mayBeBrief && grid !== undefined
    ? wholeRows(tape, rows, signals)
    : undefined;
  const shown = sample === undefined
    ? rows
    : rows.filter((_, i) => sample.keep[i] === 1);
  const cover = asTable ? NO_COVER : coverOf(shown, signals.digests);
  return { rows, keyed, grid, table, cover, sample, whole };
}

/** The table without digests; `undefined` when there are more than `most` columns, or none. */
function reducedOf(
  node: number,
  { tables, signals }: ListInput,
  most: number,
): Reduced | undefined {
  const grid = tables.gridOf(node);
  return grid === undefined || grid.columns.length > most
    ? undefined
    : withoutDigests(grid, signals.digests);
}

/** A table that is short only because a column of digests goes. */
function shrunkOf(
  tape: Tape,
  node: number,
  input: ListInput,
): Reduced | undefined {
  const mayShrink = tape.count[node]! >= MIN_SHRUNK_ROWS &&
    holdsDigest(input.signals.digests, tape, node);
  const table = mayShrink ? reducedOf(node, input, MAX_COLUMNS) : undefined;
  if (table === undefined || table.dropped.length === 0) return undefined;
  const { leaves, rows } = table.grid;
  const cells = leaves.reduce((sum, { present }) => sum + present, 0);
  return cells >= leaves.length * rows.length * FILLED ? table : undefined;
}

const NO_COVER: Cover = { covered: [], note: "" };

/** Packages with digests: each of them is what a reader looks for. */
function isLock(
  tape: Tape,
  { reduced, grid }: Reduced,
  keyed: boolean,
): boolean {
  const least = grid.rows.length * LOCK_SHARE;
  const isMost = ({ present }: Column) => present >= least;
  if (!reduced.some(isMost)) return false;
  const hasVersion = grid.columns.some((column) =>
    column.key === "version" && isMost(column)
  );
  if (hasVersion || !keyed) return hasVersion;
  const named = grid.rows.filter((row) => PACKAGE_KEY.test(keyOf(tape, row)));
  return named.length >= least;
}

/** Rows that show what is nested in them: the first ones and those asked for. */
function wholeRows(
  tape: Tape,
  rows: Int32Array,
  { hits }: SampleInput,
): Set<number> {
  const whole = new Set(matchingRows(tape, rows, hits));
  for (let i = 0; i < WHOLE_ROWS; i++) whole.add(i);
  return whole;
}

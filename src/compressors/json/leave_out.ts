/** Tables and lists without the machine-made strings in them: whole columns go, and one note tells which. @module */
import { NOTE } from "./cell.ts";
import { type Column, type Grid, leavesOf } from "./column.ts";
import type { Digests } from "./digests.ts";
import { namesOf } from "./summary.ts";
import { isContainer, type Tape } from "./tape.ts";

/** Values of a column or list from which one note stands for all. */
const MIN_COVERED = 3;
const MIN_COLUMN = 2;
/** Different labels that a note gives. */
const MAX_LABELS = 3;

/** A table that shows less. */
export interface Reduced {
  /** Without the columns that are left out. */
  readonly grid: Grid;
  /** Values for which the note stands, {@linkcode NOTE} in their cells. */
  readonly covered: readonly number[];
  /** Values that must be shown, since other columns are made from them. */
  readonly needed: readonly number[];
  /** Columns that are left out. */
  readonly dropped: readonly Column[];
  /** Those, and the columns of {@linkcode Reduced.covered}. */
  readonly reduced: readonly Column[];
  /** Tells what is left out; empty when nothing is. */
  readonly note: string;
}

/** Leaves out columns and cells of digests. O(cells). */
export function withoutDigests(
  grid: Grid,
  { nodes, labels }: Digests,
): Reduced {
  const covered: number[] = [];
  const needed: number[] = [];
  const dropped: Column[] = [];
  const reduced: Column[] = [];
  const parts: string[] = [];
  const lost = { covered, needed, dropped, reduced };
  if (nodes.length === 0) return { grid, ...lost, note: "" };
  const names = namesOf(grid.columns);
  const sources = sourcesOf(grid.columns);
  for (const column of grid.leaves) {
    const held = column.cells.filter((node) => labels.has(node));
    const isAll = held.length === column.present;
    if (held.length < (isAll ? MIN_COLUMN : MIN_COVERED)) continue;
    const name = names.get(column)!;
    if (sources.has(name)) {
      for (const node of held) needed.push(node);
      continue;
    }
    reduced.push(column);
    if (isAll) dropped.push(column);
    else for (const node of held) covered.push(node);
    const rows = grid.rows.length;
    const share = held.length === rows
      ? `all ${rows} rows`
      : `${held.length} of ${rows} rows`;
    parts.push(`${name} (${labelOf(held, labels)}) of ${share}`);
  }
  if (parts.length === 0) return { grid, ...lost, note: "" };
  const columns = without(grid.columns, new Set(dropped));
  const left = { ...grid, columns, leaves: leavesOf(columns) };
  return { grid: left, ...lost, note: `${NOTE} omitted: ${parts.join(", ")}` };
}

/** Names of the columns that others are made from. */
function sourcesOf(columns: readonly Column[]): Set<string> {
  const sources = new Set<string>();
  const visit = ({ affix, members, tuple }: Column) => {
    if (affix?.source !== undefined) sources.add(affix.source);
    members?.forEach(visit);
    tuple?.forEach((part) => part.forEach(visit));
  };
  columns.forEach(visit);
  return sources;
}

function without(
  columns: readonly Column[],
  dropped: ReadonlySet<Column>,
): Column[] {
  return columns.flatMap((column) => {
    if (dropped.has(column)) return [];
    const { members, tuple } = column;
    if (members !== undefined && members.length > 0) {
      const left = without(members, dropped);
      return left.length === 0 ? [] : [{ ...column, members: left }];
    }
    if (tuple === undefined) return [column];
    return [{ ...column, tuple: tuple.map((part) => without(part, dropped)) }];
  });
}

/** What values are, when they are alike: `sha512`, `64 hex digits or JWT`. */
function labelOf(
  nodes: Iterable<number>,
  labels: ReadonlyMap<number, string>,
): string {
  const kinds = new Set<string>();
  for (const node of nodes) kinds.add(labels.get(node)!.replace(/^\d+ × /, ""));
  const some = [...kinds];
  return some.length > MAX_LABELS
    ? `${some.slice(0, MAX_LABELS).join(", ")} and others`
    : some.join(" or ");
}

/** Values of a list that one note covers, and the note. */
export interface Cover {
  /** Children of the list. */
  readonly covered: readonly number[];
  /** Empty when there are too few of them. */
  readonly note: string;
}

/** One note for the digests among the children of a list that stay. */
export function coverOf(rows: Int32Array, { labels }: Digests): Cover {
  const covered = [...rows.filter((node) => labels.has(node))];
  if (covered.length < MIN_COVERED) return { covered: [], note: "" };
  const note = `${NOTE} ${covered.length} values omitted (${
    labelOf(covered, labels)
  })`;
  return { covered, note };
}

/** Stands for one value: `… sha512 omitted`, `[… 3 × sha256 omitted]`. */
export function digestNote(tape: Tape, node: number, label: string): string {
  const note = `${NOTE} ${label} omitted`;
  return isContainer(tape.kind[node]!) ? `[${note}]` : note;
}

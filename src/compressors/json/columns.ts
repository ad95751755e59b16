/** Columns of an array of similar objects, in their original order. @module */
import { shareAffixes } from "./affix.ts";
import { type Column, type Grid, leavesOf } from "./column.ts";
import { keysOf, type Shape } from "./shape.ts";
import { ARRAY, OBJECT, type Tape } from "./tape.ts";

/** Shapes beyond these are too different to share columns. */
const MAX_SHAPES = 64;
const MAX_NESTING = 6;
const MAX_TUPLE = 6;
const MAX_MISFIT_SHARE = 0.3;
/** Share of the rows from which the members of an object that some rows lack get columns. */
const MIN_OPTIONAL_SHARE = 0.3;

/**
 * Finds the columns of rows.
 *
 * @param tape The text. @param rows `n` nodes of any kind.
 * @returns `undefined` when fewer than two rows, or too few of them, share columns. O(size of the rows).
 */
export function gridOf(tape: Tape, rows: Int32Array): Grid | undefined {
  if (rows.length < 2) return undefined;
  const order = columnOrder(tape, rows);
  if (order === undefined || order.keys.length === 0) return undefined;
  const misfit = new Uint8Array(rows.length);
  let misfits = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (tape.kind[row] === OBJECT && order.places.has(tape.shape[row]!)) {
      continue;
    }
    misfit[i] = 1;
    misfits++;
  }
  const fitting = rows.length - misfits;
  if (fitting < 2 || misfits > MAX_MISFIT_SHARE * rows.length) return undefined;
  const columns = fill(tape, rows, misfit, order);
  refine(tape, columns, fitting, 0);
  shareAffixes(tape, columns, fitting);
  return { rows, columns, misfit, misfits, leaves: leavesOf(columns) };
}

/** Keys in an order that fits every shape with places; `places` of a shape: the column of each of its keys. */
interface ColumnOrder {
  readonly keys: readonly string[];
  readonly places: ReadonlyMap<number, Int32Array>;
}

/** Merges the shapes of the rows into one order, most frequent first. */
function columnOrder(tape: Tape, rows: Int32Array): ColumnOrder | undefined {
  const only = onlyShapeOf(tape, rows);
  if (only > 0) return orderOf(tape.shapes[only]!);
  const counts = new Map<number, number>();
  for (const row of rows) {
    const shape = row === 0 ? 0 : tape.shape[row]!;
    if (shape > 0) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const accepted: Shape[] = [];
  let keys: string[] = [];
  let limit = 0;
  for (const [id] of frequent.slice(0, MAX_SHAPES)) {
    const shape = tape.shapes[id]!;
    limit ||= 3 * shape.size + 8;
    const merged = merge(keys, keysOf(shape));
    if (merged === undefined || merged.length > limit) continue;
    keys = merged;
    accepted.push(shape);
  }
  const index = new Map(keys.map((key, i) => [key, i]));
  const places = new Map<number, Int32Array>();
  for (const shape of accepted) {
    places.set(
      shape.id,
      Int32Array.from(keysOf(shape), (key) => index.get(key)!),
    );
  }
  return { keys, places };
}

/** The shape of all rows that are there; 0 when there are several. */
function onlyShapeOf(tape: Tape, rows: Int32Array): number {
  let only = 0;
  for (let i = 0; i < rows.length; i++) {
    if (rows[i] === 0) continue;
    const shape = tape.shape[rows[i]!]!;
    if (shape === 0 || (only > 0 && shape !== only)) return 0;
    only = shape;
  }
  return only;
}

/** The order of one shape. */
function orderOf(shape: Shape): ColumnOrder {
  const keys = keysOf(shape);
  const places = new Map([[shape.id, Int32Array.from(keys.keys())]]);
  return { keys, places };
}

/** Adds new keys after the key they follow; `undefined` when the known ones come in another order. */
function merge(
  order: readonly string[],
  keys: readonly string[],
): string[] | undefined {
  const index = new Map(order.map((key, i) => [key, i]));
  const merged: string[] = [];
  let copied = 0;
  for (const key of keys) {
    const place = index.get(key);
    if (place === undefined) {
      merged.push(key);
      continue;
    }
    if (place < copied) return undefined;
    for (; copied <= place; copied++) merged.push(order[copied]!);
  }
  for (; copied < order.length; copied++) merged.push(order[copied]!);
  return merged;
}

function fill(
  tape: Tape,
  rows: Int32Array,
  misfit: Uint8Array | undefined,
  order: ColumnOrder,
): Column[] {
  const cells = order.keys.map(() => new Int32Array(rows.length));
  const present = new Int32Array(cells.length);
  let latest = 0;
  let places: Int32Array = new Int32Array(0);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row === 0 || misfit?.[i] === 1) continue;
    const shape = tape.shape[row]!;
    if (shape !== latest) {
      latest = shape;
      places = order.places.get(shape)!;
    }
    let child = row + 1;
    for (let k = 0; k < places.length; k++) {
      const place = places[k]!;
      cells[place]![i] = child;
      present[place]!++;
      child = tape.next[child]!;
    }
  }
  return order.keys.map((key, c) => ({
    key,
    cells: cells[c]!,
    present: present[c]!,
  }));
}

/** Finds constants, nested columns and tuples; `rows`: how many rows fit. */
function refine(
  tape: Tape,
  columns: Column[],
  rows: number,
  nesting: number,
): void {
  for (const column of columns) {
    if (column.present < rows) {
      if (nesting < MAX_NESTING) nestOptional(tape, column, rows, nesting);
      continue;
    }
    const first = column.cells.find((node) => node !== 0)!;
    if (isConstant(tape, column.cells, first)) column.constant = first;
    else if (nesting < MAX_NESTING) nest(tape, column, first, rows, nesting);
  }
}

function isConstant(tape: Tape, cells: Int32Array, first: number): boolean {
  const start = tape.start[first]!;
  const size = tape.end[first]! - start;
  const text = tape.text.slice(start, start + size);
  for (const node of cells) {
    if (node === 0) continue;
    if (
      tape.end[node]! - tape.start[node]! !== size ||
      !tape.text.startsWith(text, tape.start[node])
    ) return false;
  }
  return true;
}

/** Gives columns to objects that some rows lack, where a cell always tells that an object is there. */
function nestOptional(
  tape: Tape,
  column: Column,
  rows: number,
  nesting: number,
): void {
  const { cells, present } = column;
  if (present < 2 || present < rows * MIN_OPTIONAL_SHARE) return;
  if (tape.kind[cells.find((node) => node !== 0)!] !== OBJECT) return;
  const members = membersOf(tape, cells, present, nesting);
  const tells = members?.some((member) =>
    member.present === present && member.constant === undefined &&
    member.members === undefined && member.tuple === undefined
  );
  if (!tells) return;
  column.members = members!;
  column.optional = true;
}

function nest(
  tape: Tape,
  column: Column,
  first: number,
  rows: number,
  nesting: number,
): void {
  const kind = tape.kind[first]!;
  if (kind === OBJECT) {
    const members = membersOf(tape, column.cells, rows, nesting);
    if (members !== undefined) column.members = members;
  } else if (kind === ARRAY) {
    const tuple = tupleOf(tape, column.cells, rows, nesting);
    if (tuple !== undefined) column.tuple = tuple;
  }
}

/** Columns of cells that are all objects and fill at least half of them. */
function membersOf(
  tape: Tape,
  cells: Int32Array,
  rows: number,
  nesting: number,
): Column[] | undefined {
  let filled = 0;
  for (const node of cells) {
    if (node !== 0 && tape.kind[node] !== OBJECT) return undefined;
    filled += node === 0 ? 0 : tape.count[node]!;
  }
  const order = columnOrder(tape, cells);
  if (order === undefined || order.keys.length * rows > 2 * filled) {
    return undefined;
  }
  for (const node of cells) {
    if (node !== 0 && !order.places.has(tape.shape[node]!)) return undefined;
  }
  const columns = fill(tape, cells, undefined, order);
  refine(tape, columns, rows, nesting + 1);
  return columns;
}

/** Columns of cells that are all arrays of the same few objects. */
function tupleOf(
  tape: Tape,
  cells: Int32Array,
  rows: number,
  nesting: number,
): Column[][] | undefined {
  const first = cells.find((node) => node !== 0)!;
  const size = tape.count[first]!;
  if (size === 0 || size > MAX_TUPLE) return undefined;
  for (const node of cells) {
    if (
      node !== 0 && (tape.kind[node] !== ARRAY || tape.count[node] !== size)
    ) {
      return undefined;
    }
  }
  const tuple: Column[][] = [];
  let position = cells.map((node) => node === 0 ? 0 : node + 1);
  for (let k = 0; k < size; k++) {
    const members = membersOf(tape, position, rows, nesting);
    if (members === undefined) return undefined;
    tuple.push(members);
    if (k + 1 < size) {
      position = position.map((node) => node === 0 ? 0 : tape.next[node]!);
    }
  }
  return tuple;
}

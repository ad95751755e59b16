/** Columns of what is in cells that hold objects and lists, where some rows have others. @module */
import type { Column } from "../../text/json/column.ts";
import { ARRAY, NUMBER, OBJECT, type Tape } from "../../text/json/tape.ts";

/** Levels that are looked at, values of one cell, and columns. */
const MAX_DEPTH = 3;
const MAX_VALUES = 32;
const MAX_COLUMNS = 32;
/** Share of the rows that must have a value. */
const LEAST_SHARE = 0.5;

/** Names of numbers in the items of lists that are looked at. */
const MAX_NUMBERS = 8;

/** The largest number of each name in the lists of objects that are in a column: of each file its slowest test. O(items). */
export function largestInLists(tape: Tape, { cells }: Column): Column[] {
  const columns = new Map<string, Int32Array>();
  const keep = (member: number, row: number) => {
    const key = tape.key(member);
    const known = columns.get(key);
    if (known === undefined && columns.size === MAX_NUMBERS) return;
    const column = known ?? new Int32Array(cells.length);
    if (known === undefined) columns.set(key, column);
    const largest = column[row] ?? 0;
    const isLarger = largest === 0 ||
      Number(tape.raw(member)) > Number(tape.raw(largest));
    if (isLarger) column[row] = member;
  };
  for (let row = 0; row < cells.length; row++) {
    const list = cells[row] ?? 0;
    if (list === 0 || tape.kind(list) !== ARRAY) continue;
    const end = tape.next(list);
    for (let item = list + 1; item < end; item = tape.next(item)) {
      if (tape.kind(item) !== OBJECT) continue;
      const last = tape.next(item);
      for (let at = item + 1; at < last; at = tape.next(at)) {
        if (tape.kind(at) === NUMBER) keep(at, row);
      }
    }
  }
  return columnsOf(columns, cells.length);
}

/** The members below the cells of a column that most rows have, each as a column; items of lists are none. O(cells). */
export function nestedColumns(tape: Tape, { cells }: Column): Column[] {
  const columns = new Map<string, Int32Array>();
  for (let row = 0; row < cells.length; row++) {
    const node = cells[row] ?? 0;
    if (node === 0 || tape.count(node) === 0) continue;
    let left = MAX_VALUES;
    const visit = (parent: number, path: string, depth: number) => {
      let place = 0;
      const end = tape.next(parent);
      for (let at = parent + 1; at < end && left-- > 0; at = tape.next(at)) {
        const isMember = tape.keyStart(at) >= 0;
        const own = `${path}.${isMember ? tape.key(at) : place++}`;
        if (tape.count(at) > 0) {
          if (depth < MAX_DEPTH) visit(at, own, depth + 1);
        } else if (isMember) addCell(own, row, at);
      }
    };
    visit(node, "", 1);
  }
  return columnsOf(columns, cells.length);

  function addCell(path: string, row: number, node: number): void {
    let column = columns.get(path);
    if (column === undefined) {
      if (columns.size >= MAX_COLUMNS) return;
      columns.set(path, column = new Int32Array(cells.length));
    }
    column[row] = node;
  }
}

/** The columns that enough rows have a value of. */
function columnsOf(
  found: ReadonlyMap<string, Int32Array>,
  rows: number,
): Column[] {
  return [...found].flatMap(([path, cells]) => {
    const present = cells.reduce((sum, node) => sum + (node === 0 ? 0 : 1), 0);
    const key = path.slice(path.lastIndexOf(".") + 1);
    return present < LEAST_SHARE * rows ? [] : [{ key, cells, present }];
  });
}

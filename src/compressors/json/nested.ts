/** Columns of what is in cells that hold objects and lists, where some rows have others. @module */
import type { Column } from "../../text/json/grid.ts";
import type { Tape } from "../../text/json/tape.ts";

/** Levels that are looked at, values of one cell, and columns. */
const MAX_DEPTH = 3;
const MAX_VALUES = 32;
const MAX_COLUMNS = 32;
/** Share of the rows that must have a value. */
const LEAST_SHARE = 0.5;

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
  return [...columns].flatMap(([path, found]) => {
    const present = found.reduce((sum, node) => sum + (node === 0 ? 0 : 1), 0);
    const key = path.slice(path.lastIndexOf(".") + 1);
    return present < LEAST_SHARE * cells.length
      ? []
      : [{ key, cells: found, present }];
  });

  function addCell(path: string, row: number, node: number): void {
    let column = columns.get(path);
    if (column === undefined) {
      if (columns.size >= MAX_COLUMNS) return;
      columns.set(path, column = new Int32Array(cells.length));
    }
    column[row] = node;
  }
}

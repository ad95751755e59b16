/** Similar values as columns: what all rows have in common is named once. @module */
import { countsOf } from "../counts.ts";
import { type Column, leavesOf, MIN_AFFIX_ROWS, shareParts } from "./column.ts";
import { ARRAY, OBJECT, type Tape } from "./tape.ts";

/** Keys beyond which an object is no record, and orders of keys that share columns. */
const MAX_KEYS = 64;
const MAX_SHAPES = 64;
const MAX_NESTING = 10;
/** Items up to which each place of a list is a column. */
const MAX_PLACES = 6;
const MAX_MISFIT_SHARE = 0.3;

/** Rows as columns. */
export interface Grid {
  /** Nodes of the rows. */
  readonly rows: Int32Array;
  /** The rows themselves, as one column. */
  readonly root: Column;
  /** Rows that do not fit the columns. */
  readonly misfits: ReadonlySet<number>;
  /** Columns with a cell in each row, in order. */
  readonly leaves: readonly Column[];
}

/** Keys in an order that fits most rows, and the columns of each row that it fits. */
interface Order {
  readonly keys: Keys;
  readonly places: ReadonlyMap<Keys, readonly number[]>;
}

type Keys = readonly string[];

/** Finds the columns of rows, each container once. */
export class Grids {
  readonly #tape: Tape;
  readonly #known = new Map<number, Grid | undefined>();
  readonly #shapes = new Map<string, Keys>();
  #latest: Keys = [];

  /** For the containers of a tape. */
  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** The columns of the children of a container; `undefined` when too few of them share columns. O(its size). */
  of(container: number): Grid | undefined {
    if (!this.#known.has(container)) {
      const grid = this.#gridOf(this.#tape.children(container));
      this.#known.set(container, grid);
    }
    return this.#known.get(container);
  }

  #gridOf(rows: Int32Array): Grid | undefined {
    const [first = 0] = rows;
    if (rows.length < 2) return undefined;
    const cells = rows.slice();
    const misfits = new Set<number>();
    const size = this.#commonSize(rows);
    if (size === undefined && !this.#tape.isContainer(first)) return undefined;
    const places = size === undefined
      ? this.#columnsOf(cells, 0, misfits)
      : this.#placesOf(cells, size, { nesting: 0, misfits });
    const fitting = rows.length - misfits.size;
    if (
      places === undefined || fitting < 2 ||
      misfits.size > MAX_MISFIT_SHARE * rows.length
    ) return undefined;
    const root: Column = {
      key: "",
      cells,
      present: fitting,
      members: places,
      isList: size !== undefined,
    };
    if (fitting >= MIN_AFFIX_ROWS) shareParts(this.#tape, root);
    return { rows, root, misfits, leaves: leavesOf(root) };
  }

  /** The length of most rows, if they are lists; a row may be cut short, or be a heading of another length. */
  #commonSize(rows: Int32Array): number | undefined {
    const tape = this.#tape;
    const lists = [...rows].filter((node) => tape.kind(node) === ARRAY);
    if (lists.length < (1 - MAX_MISFIT_SHARE) * rows.length) return undefined;
    const counts = countsOf(lists.map((node) => tape.count(node)));
    const most = Math.max(...counts.values());
    return [...counts].find(([, count]) => count === most)?.[0];
  }

  /**
   * Columns of cells that are all objects or all lists of one length. Those that do not fit are set to 0 and added to
   * `misfits`; without that they must all fit.
   */
  #columnsOf(
    cells: Int32Array,
    nesting: number,
    misfits?: Set<number>,
  ): Column[] | undefined {
    const tape = this.#tape;
    const first = cells.find((node) => node !== 0) ?? 0;
    if (tape.kind(first) === ARRAY) {
      return this.#placesOf(cells, tape.count(first), { nesting });
    }
    const shapes = Array.from(cells, (node) => this.#keysOf(node));
    const order = orderOf(shapes);
    if (order === undefined) return undefined;
    const columns = order.keys.map((key) => ({
      key,
      cells: new Int32Array(cells.length),
      present: 0,
    }));
    let [rows, filled] = [0, 0];
    for (let row = 0; row < cells.length; row++) {
      const node = cells[row] ?? 0;
      if (node === 0) continue;
      const keys = shapes[row];
      const places = keys && order.places.get(keys);
      if (places === undefined) {
        if (misfits === undefined) return undefined;
        misfits.add(row);
        cells[row] = 0;
        continue;
      }
      rows++;
      filled += places.length;
      this.#fill(columns, { row, node, places });
    }
    if (nesting > 0 && columns.length * rows > 2 * filled) return undefined;
    for (const column of columns) this.#refine(column, rows, nesting);
    return columns;
  }

  /** Puts the members of a row into their columns. */
  #fill(
    columns: readonly { readonly cells: Int32Array; present: number }[],
    { row, node, places }: {
      readonly row: number;
      readonly node: number;
      readonly places: readonly number[];
    },
  ): void {
    let child = node + 1;
    for (const place of places) {
      const column = columns[place];
      if (column === undefined) continue;
      column.cells[row] = child;
      column.present++;
      child = this.#tape.next(child);
    }
  }

  /**
   * A column for each place of lists of one length. `undefined` where that is too long, or not the length of all cells
   * and there are no `misfits` to add the others to.
   */
  #placesOf(
    cells: Int32Array,
    size: number,
    { nesting, misfits }: {
      readonly nesting: number;
      readonly misfits?: Set<number>;
    },
  ): Column[] | undefined {
    const tape = this.#tape;
    if (size === 0 || size > MAX_PLACES) return undefined;
    for (const [row, node] of cells.entries()) {
      const fits = node === 0 ||
        (tape.kind(node) === ARRAY && tape.count(node) === size);
      if (fits) continue;
      if (misfits === undefined) return undefined;
      misfits.add(row);
      cells[row] = 0;
    }
    const columns: Column[] = [];
    const present = cells.reduce((sum, node) => sum + (node === 0 ? 0 : 1), 0);
    let place = cells.map((node) => node === 0 ? 0 : node + 1);
    for (let i = 0; i < size; i++) {
      const column = { key: "", cells: place, present };
      this.#refine(column, present, nesting);
      columns.push(column);
      place = place.map((node) => node === 0 ? 0 : tape.next(node));
    }
    return columns;
  }

  /** Finds constants and nested columns; `rows`: how many rows fit. */
  #refine(column: Column, rows: number, nesting: number): void {
    const { cells, present } = column;
    const tape = this.#tape;
    const first = cells.find((node) => node !== 0) ?? 0;
    if (present < rows) return;
    if (isConstant(tape, cells, first)) {
      column.constant = first;
      return;
    }
    if (nesting === MAX_NESTING || !tape.isContainer(first)) return;
    const members = this.#columnsOf(cells, nesting + 1);
    if (members === undefined) return;
    column.members = members;
    column.isList = tape.kind(first) === ARRAY;
  }

  /** The keys of an object, one list for all objects with the same; `undefined` when there are too many, or one twice. */
  #keysOf(object: number): Keys | undefined {
    const tape = this.#tape;
    const count = tape.count(object);
    if (tape.kind(object) !== OBJECT || count > MAX_KEYS) return undefined;
    if (this.#latest.length === count && this.#hasLatest(object)) {
      return this.#latest;
    }
    const own = Array.from(tape.children(object), (child) => tape.key(child));
    if (new Set(own).size < count) return undefined;
    const name = own.map((key) => `"${key}"`).join();
    this.#latest = this.#shapes.get(name) ?? own;
    this.#shapes.set(name, this.#latest);
    return this.#latest;
  }

  /** Whether an object has the keys of the one before. */
  #hasLatest(object: number): boolean {
    const tape = this.#tape;
    let child = object + 1;
    for (const key of this.#latest) {
      if (!tape.hasKey(child, key)) return false;
      child = tape.next(child);
    }
    return true;
  }
}

/** An order that fits most of the lists of keys. */
function orderOf(shapes: readonly (Keys | undefined)[]): Order | undefined {
  const counts = countsOf(shapes.filter((keys) => keys !== undefined));
  // Of the usual shapes the longest say most about the order.
  const usual = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_SHAPES)
    .map(([keys]) => keys).sort((a, b) => b.length - a.length);
  let order: Keys = [];
  const accepted = usual.filter((keys) => {
    const merged = merge(order, keys);
    const fits = merged !== undefined &&
      merged.length <= 3 * (usual[0]?.length ?? 0) + 8;
    if (fits) order = merged;
    return fits;
  });
  if (order.length === 0) return undefined;
  const index = new Map(order.map((key, i) => [key, i]));
  const places = accepted.map((keys) =>
    [keys, keys.map((key) => index.get(key) ?? 0)] as const
  );
  return { keys: order, places: new Map(places) };
}

/** Adds new keys after the key they follow; `undefined` when the known ones come in another order. */
function merge(
  order: Keys,
  keys: Keys,
): Keys | undefined {
  const merged: string[] = [];
  let copied = 0;
  for (const key of keys) {
    const place = order.indexOf(key);
    if (place >= 0 && place < copied) return undefined;
    merged.push(...place < 0 ? [] : order.slice(copied, place), key);
    copied = Math.max(copied, place + 1);
  }
  return [...merged, ...order.slice(copied)];
}

function isConstant(tape: Tape, cells: Int32Array, first: number): boolean {
  const text = tape.raw(first);
  return cells.every((node) =>
    node === 0 ||
    (tape.size(node) === text.length &&
      tape.text.startsWith(text, tape.start(node)))
  );
}

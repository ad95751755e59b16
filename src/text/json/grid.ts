/** Similar values as columns: what all rows have in common is named once. @module */
import { ARRAY, NUMBER, OBJECT, STRING, type Tape } from "./tape.ts";

/** Keys beyond which an object is no record, and orders of keys that share columns. */
const MAX_KEYS = 64;
const MAX_SHAPES = 64;
const MAX_NESTING = 10;
/** Items up to which each place of a list is a column. */
const MAX_PLACES = 6;
const MAX_MISFIT_SHARE = 0.3;
/** Rows, and characters of a common start and end, from which these are written once; columns that are compared. */
const MIN_AFFIX_ROWS = 3;
const MIN_AFFIX = 8;
const MAX_COMPARED = 200;
const PATH_KEY = /^[A-Za-z_]\w*$/;

/** One column. A plain column has a cell in each row. */
export interface Column {
  /** Raw key without quotes; empty for a place of a list. */
  readonly key: string;
  /** Node of each row; 0 where the row has no such member. */
  readonly cells: Int32Array;
  /** Rows that have the member. */
  readonly present: number;
  /** All rows hold the same text: one of their nodes. */
  constant?: number;
  /** All rows hold an object, or a list of the same length: its columns. */
  members?: readonly Column[];
  /** Of {@linkcode members}: they are the places of a list. */
  isList?: boolean;
  /** All rows hold a string that starts and ends alike. */
  affix?: Affix;
  /** Says what all rows hold, in place of it. */
  readonly note?: string;
}

/** What the strings of a column have in common. */
export interface Affix {
  /** Common start. */
  readonly prefix: string;
  /** Common end. */
  readonly suffix: string;
  /** Path of the column whose value always stands between them, so that there is no cell. */
  readonly source?: string;
}

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
    if (rows.length < 2 || !this.#tape.isContainer(first)) return undefined;
    const cells = rows.slice();
    const misfits = new Set<number>();
    const places = this.#columnsOf(cells, 0, misfits);
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
      isList: this.#tape.kind(first) === ARRAY,
    };
    if (fitting >= MIN_AFFIX_ROWS) shareParts(this.#tape, root);
    return { rows, root, misfits, leaves: leavesOf(root) };
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
      const size = tape.count(first);
      const isList = size > 0 && size <= MAX_PLACES &&
        cells.every((node) =>
          node === 0 || (tape.kind(node) === ARRAY && tape.count(node) === size)
        );
      return isList ? this.#placesOf(cells, size, nesting) : undefined;
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
      let child = node + 1;
      for (const place of places) {
        const column = columns[place];
        if (column === undefined) continue;
        column.cells[row] = child;
        column.present++;
        child = tape.next(child);
      }
    }
    if (nesting > 0 && columns.length * rows > 2 * filled) return undefined;
    for (const column of columns) this.#refine(column, rows, nesting);
    return columns;
  }

  #placesOf(cells: Int32Array, size: number, nesting: number): Column[] {
    const tape = this.#tape;
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
  const counts = new Map<Keys, number>();
  for (const keys of shapes) {
    if (keys !== undefined) counts.set(keys, (counts.get(keys) ?? 0) + 1);
  }
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

/** The columns that have cells, in order of the header. */
export function leavesOf(column: Column): Column[] {
  if (column.members !== undefined) return column.members.flatMap(leavesOf);
  const { constant, affix, note } = column;
  return (constant ?? affix?.source ?? note) === undefined ? [column] : [];
}

/** What stands in the cell of a column with an affix. */
export function middleOf(tape: Tape, node: number, affix: Affix): string {
  return tape.content(node).slice(
    affix.prefix.length,
    tape.size(node) - 2 - affix.suffix.length,
  );
}

/** Columns that can be named, by path. */
function pathsOf(
  { members = [], isList }: Column,
  parent = "",
): [string, Column][] {
  if (isList) return [];
  return members.flatMap((column): [string, Column][] => {
    if (!PATH_KEY.test(column.key)) return [];
    const path = parent + column.key;
    if (column.members !== undefined) return pathsOf(column, `${path}.`);
    return column.constant === undefined ? [[path, column]] : [];
  });
}

/** Sets `affix` on columns of strings that repeat another column, and on links and paths that start or end alike. */
function shareParts(tape: Tape, root: Column): void {
  const leaves = leavesOf(root);
  if (leaves.length > MAX_COMPARED) return;
  const sources = pathsOf(root).filter(([, { present }]) =>
    present === root.present
  );
  const used = new Set<Column>();
  for (const column of leaves) {
    const isText = column.cells.every((node) =>
      node === 0 || tape.kind(node) === STRING
    );
    const isRare = column.present < MIN_AFFIX_ROWS;
    if (!isText || isRare || used.has(column)) continue;
    const isFull = column.present === root.present;
    let isLater = false;
    for (const [path, source] of isFull ? sources : []) {
      isLater ||= source === column;
      if (source === column || source.affix !== undefined) continue;
      const around = aroundSource(tape, column, source);
      // Of equal columns the first one has the cells.
      const isCopy = around?.prefix === "" && around.suffix === "";
      if (around === undefined || (isLater && isCopy)) continue;
      used.add(source);
      column.affix = { ...around, source: path };
      break;
    }
    const shared = column.affix ?? sharedAffix(tape, column);
    if (shared !== undefined) column.affix = shared;
  }
}

/** What stands around the value of another column in all rows. */
function aroundSource(
  tape: Tape,
  { cells }: Column,
  source: Column,
): Affix | undefined {
  const row = cells.findIndex((node) => node !== 0);
  const model = tape.content(cells[row] ?? 0);
  const part = valueOf(tape, source.cells[row] ?? 0);
  const at = part === "" ? -1 : model.indexOf(part);
  if (at < 0) return undefined;
  const prefix = model.slice(0, at);
  const suffix = model.slice(at + part.length);
  // A name with a number in it is easier to read as it is.
  if (prefix + suffix !== "" && !model.includes("/")) return undefined;
  const isSame = cells.every((node, i) => {
    if (node === 0) return true;
    const middle = valueOf(tape, source.cells[i] ?? 0);
    return middle !== "" && tape.content(node) === prefix + middle + suffix;
  });
  return isSame ? { prefix, suffix } : undefined;
}

/** Text of a plain string or a number; empty for everything else. */
function valueOf(tape: Tape, node: number): string {
  const kind = tape.kind(node);
  if (kind === STRING) return tape.content(node);
  return kind === NUMBER ? tape.raw(node) : "";
}

/** The common start or end of links and paths, cut at a separator. */
function sharedAffix(tape: Tape, column: Column): Affix | undefined {
  const model = tape.content(column.cells.find((node) => node !== 0) ?? 0);
  if (!model.includes("/")) return undefined;
  const cells = column.cells.filter((node) => node !== 0);
  let [start, end, shortest] = [model.length, model.length, model.length];
  for (const node of cells) {
    const text = tape.content(node);
    shortest = Math.min(shortest, text.length);
    while (!text.startsWith(model.slice(0, start))) start--;
    while (!text.endsWith(model.slice(model.length - end))) end--;
  }
  while (start > 0 && !"/=?#@".includes(model.charAt(start - 1))) start--;
  end = Math.min(end, shortest - start);
  while (end > 0 && !"/{.?#".includes(model.charAt(model.length - end))) end--;
  const affix = {
    prefix: model.slice(0, start),
    suffix: model.slice(model.length - end),
  };
  const pays = start + end >= MIN_AFFIX &&
    cells.every((node) => isMiddle(middleOf(tape, node, affix)));
  return pays ? affix : undefined;
}

/** Whether a cell can hold such a text without quotes, and is not empty. */
function isMiddle(middle: string): boolean {
  return middle !== "" && !/[,\n]|^["[{…\s]|^item |\s$/.test(middle);
}

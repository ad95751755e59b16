/** A column of similar values: what all rows have in common is named once. @module */
import { NUMBER, STRING, type Tape } from "./tape.ts";

/** Rows, and characters of a common start and end, from which these are written once; columns that are compared. */
export const MIN_AFFIX_ROWS = 3;
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
export function shareParts(tape: Tape, root: Column): void {
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
    const copied = isFull ? sourceOf(tape, column, sources) : undefined;
    if (copied !== undefined) used.add(copied.source);
    const shared = copied?.affix ?? sharedAffix(tape, column);
    if (shared !== undefined) column.affix = shared;
  }
}

/** The first column whose value always stands within that of another one, and what is around it; `undefined` for none. */
function sourceOf(
  tape: Tape,
  column: Column,
  sources: readonly (readonly [path: string, source: Column])[],
): { readonly source: Column; readonly affix: Affix } | undefined {
  let isLater = false;
  for (const [path, source] of sources) {
    isLater ||= source === column;
    if (source === column || source.affix !== undefined) continue;
    const around = aroundSource(tape, column, source);
    if (around === undefined) continue;
    // Of equal columns the first one has the cells.
    const isCopy = around.prefix === "" && around.suffix === "";
    if (!(isLater && isCopy)) {
      return { source, affix: { ...around, source: path } };
    }
  }
  return undefined;
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

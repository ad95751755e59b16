/** Columns of strings that start and end alike, such as links: only what differs stands in the cells. @module */
import { contentOf, isBare } from "./cell.ts";
import { type Affix, type Column, leavesOf } from "./column.ts";
import { STRING, type Tape } from "./tape.ts";

const MIN_ROWS = 3;
/** Characters that a common start and end must have together. */
const MIN_SHARED = 8;
/** Columns of a table that are compared with each other. */
const MAX_COLUMNS = 200;
const PATH_KEY = /^[A-Za-z_]\w*$/;
const PREFIX_ENDS = "/=?#@";
const SUFFIX_STARTS = "/{.?#";

/** A column that others may be made from. */
interface Source {
  readonly path: string;
  readonly column: Column;
}

/**
 * Sets `affix` on the columns of links and paths, and on those that repeat another column.
 * `rows` is the number of rows that fit. Linear in the text for a bounded number of columns.
 */
export function shareAffixes(
  tape: Tape,
  columns: readonly Column[],
  rows: number,
): void {
  const leaves = leavesOf(columns);
  if (rows < MIN_ROWS || leaves.length > MAX_COLUMNS) return;
  const sources = sourcesOf(columns, "", rows);
  const used = new Set<Column>();
  for (const column of leaves) {
    if (
      column.present < MIN_ROWS || used.has(column) || !isText(tape, column)
    ) continue;
    const affix = sharedBy(tape, column);
    const source = column.present < rows
      ? undefined
      : sources.find((other) =>
        other.column !== column && other.column.affix === undefined &&
        isMadeFrom(tape, column, affix, other.column)
      );
    if (source !== undefined) {
      used.add(source.column);
      column.affix = { ...affix, source: source.path };
    } else if (
      affix.prefix.length + affix.suffix.length >= MIN_SHARED &&
      column.cells.every((node) =>
        node === 0 || isMiddle(middleOf(tape, node, affix))
      )
    ) column.affix = affix;
  }
}

/** What stands in the cell of a column with an affix. */
export function middleOf(
  tape: Tape,
  node: number,
  { prefix, suffix }: Affix,
): string {
  return tape.text.slice(
    tape.start[node]! + 1 + prefix.length,
    tape.end[node]! - 1 - suffix.length,
  );
}

function isMiddle(middle: string): boolean {
  return isBare("a" + middle) && middle !== "" &&
    !/^["[{…\s]|^item /.test(middle);
}

function isText(tape: Tape, column: Column): boolean {
  return column.cells.every((node) => node === 0 || tape.kind[node] === STRING);
}

/** Plain columns whose path can be named, outside of tuples. */
function sourcesOf(
  columns: readonly Column[],
  parent: string,
  rows: number,
): Source[] {
  return columns.flatMap((column) => {
    if (!PATH_KEY.test(column.key)) return [];
    const path = parent + column.key;
    if (column.members) return sourcesOf(column.members, path + ".", rows);
    const isPlain = column.tuple === undefined && column.constant === undefined;
    return isPlain && column.present === rows ? [{ path, column }] : [];
  });
}

/** Whether each string is the source's content between the affixes. */
function isMadeFrom(
  tape: Tape,
  column: Column,
  { prefix, suffix }: Affix,
  source: Column,
): boolean {
  const around = prefix.length + suffix.length + 2;
  for (let i = 0; i < column.cells.length; i++) {
    const node = column.cells[i]!;
    if (node === 0) continue;
    const content = contentOf(tape, source.cells[i]!);
    if (
      content === undefined || content === "" ||
      tape.end[node]! - tape.start[node]! !== content.length + around ||
      !tape.text.startsWith(content, tape.start[node]! + 1 + prefix.length)
    ) return false;
  }
  return true;
}

/** The common start and end of links and paths, cut at a separator. */
function sharedBy(
  tape: Tape,
  column: Column,
): Affix {
  const first = column.cells.find((node) => node !== 0)!;
  const model = contentOf(tape, first)!;
  if (!model.includes("/")) {
    return { prefix: "", suffix: "", source: undefined };
  }
  let start = model.length;
  let shortest = model.length;
  for (const node of column.cells) {
    if (node === 0) continue;
    const at = tape.start[node]! + 1;
    shortest = Math.min(shortest, tape.end[node]! - 1 - at);
    start = Math.min(start, shortest);
    if (tape.text.startsWith(model.slice(0, start), at)) continue;
    let same = 0;
    while (model.charCodeAt(same) === tape.text.charCodeAt(at + same)) same++;
    start = Math.min(start, same);
  }
  while (start > 0 && !PREFIX_ENDS.includes(model[start - 1]!)) start--;
  let end = shortest - start;
  for (const node of column.cells) {
    if (node === 0 || end === 0) continue;
    const after = tape.end[node]! - 1;
    let same = 0;
    while (
      same < end &&
      model.charCodeAt(model.length - 1 - same) ===
        tape.text.charCodeAt(after - 1 - same)
    ) same++;
    end = same;
  }
  while (end > 0 && !SUFFIX_STARTS.includes(model[model.length - end]!)) end--;
  return {
    prefix: model.slice(0, start),
    suffix: model.slice(model.length - end),
    source: undefined,
  };
}

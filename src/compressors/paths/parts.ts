/** Paths in the order of the list, cut into parts that are each worth a line. @module */
import { byExtension } from "./extensions.ts";
import { CONTINUES, OWN, placesOf } from "./inline.ts";
import { commonLength, isSlash, type Rows } from "./rows.ts";
import { runsOf } from "./runs.ts";

/** Rows of a list that one line, or a few, will stand for. */
export interface Part {
  /** First row; a part is not empty. */
  readonly from: number;
  /** Row after the last. */
  readonly to: number;
  /** Units of the line before the names: the same text in all rows but `self`. */
  readonly head: number;
  /** Whether the row before `from` is the directory itself. */
  readonly self: boolean;
  /** Whether the rows are alike in their extension, which is to be written once. */
  readonly hoist: boolean;
}

/**
 * Cuts the rows `[from, to)`, all of them paths, into parts, in order. O(their text).
 *
 * @param root Units of all lines that are not written.
 */
export function partsOf(
  rows: Rows,
  [from, to]: readonly [number, number],
  root: number,
): Part[] {
  if (to - from === 1) {
    const head = rows.name[from]! - rows.lines.starts[from]!;
    return [{ from, to, head, self: false, hoist: false }];
  }
  const runs = runsOf(rows, from, to);
  const places = placesOf(rows, runs, root);
  const parts: Part[] = [];
  for (let i = 0; i < runs.length; i++) {
    const first = runs[i]!;
    if (places[i] === OWN) {
      const { pieces } = byExtension(rows, first, root);
      pieces.forEach((piece, n) =>
        parts.push({ ...piece, head: first.head, self: first.self && n === 0 })
      );
      continue;
    }
    while (places[i + 1] === CONTINUES) i++;
    const begin = first.from - (first.self ? 1 : 0);
    const head = commonHead(rows, begin, runs[i]!.to);
    const whole = { ...first, from: begin, to: runs[i]!.to, head };
    for (const piece of byExtension(rows, whole, root).pieces) {
      parts.push({ ...piece, head, self: false });
    }
  }
  return parts;
}

/** Length of what the heads of all rows `[from, to)` start with, up to a slash. */
function commonHead(rows: Rows, from: number, to: number): number {
  const { lines, name, path } = rows;
  const start = lines.starts[from]!;
  let common = name[from]! - start;
  for (let i = from + 1; i < to; i++) {
    const most = Math.min(common, name[i]! - lines.starts[i]!);
    common = commonLength(rows, [start, lines.starts[i]!], most);
  }
  const lead = path[from]! - start;
  while (common > lead && !isSlash(lines.codes[start + common - 1])) common--;
  return common;
}

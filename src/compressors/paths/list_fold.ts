/** Rows of a list with each directory written once. Loses nothing. @module */
import { lineAt } from "../../text/lines.ts";
import { pathsOf, readGroup } from "./group_line.ts";
import { type LineStyle, partLine } from "./part_line.ts";
import { commonLength, isSame, isSlash, OTHER, type Rows } from "./rows.ts";
import { partsOf } from "./parts.ts";

/** Units of a token of a path, on average. */
const UNITS = 4;
/** Tokens of the words around the root in the first line. */
const ROOT_COST = 2;

/** The lines for the rows `[from, to)`; `undefined` when a row that is no path looks like one of them. */
export function foldRows(
  rows: Rows,
  [from, to]: readonly [number, number],
  style: LineStyle,
): string[] | undefined {
  const out: string[] = [];
  for (let i = from; i < to;) {
    if (rows.kind[i] === OTHER) {
      const line = lineAt(rows.lines, i++);
      if (readGroup(line) !== undefined) return undefined;
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < to && rows.kind[end] !== OTHER) end++;
    for (const part of partsOf(rows, [i, end], style.root)) {
      out.push(partLine(rows, part, style));
    }
    i = end;
  }
  return out;
}

/** Inverse of {@linkcode foldRows}. */
export function unfoldRows(
  body: readonly string[],
  root: string,
  isSized: boolean,
): string[] {
  const out: string[] = [];
  for (const line of body) {
    const group = readGroup(line);
    if (group === undefined) out.push(line);
    else for (const path of pathsOf(group, root, isSized)) out.push(path);
  }
  return out;
}

/** Directory that all paths start with, its last slash included; empty when it is not worth writing. */
export function rootOf(rows: Rows): string {
  const { lines, kind, name, path, sameHead } = rows;
  let first = -1;
  let length = 0;
  let switches = 0;
  let before = -1;
  let hasMoved = false;
  for (let i = 0; i < lines.count; i++) {
    if (kind[i] === OTHER) continue;
    const start = lines.starts[i]!;
    if (path[i] !== start) return "";
    const head = name[i]! - start;
    // A search names the directory it starts in first; the root may be that.
    const isSecond = before >= 0 && !hasMoved && before === first;
    if (first < 0 || (isSecond && isEntry(rows, first, i))) {
      hasMoved = first >= 0;
      first = i;
      length = head;
    } else if (sameHead[i] && before === i - 1) {
      before = i;
      continue;
    } else if (!hasHeadOf(rows, before, i)) switches++;
    length = sharedHead(rows, [first, i], Math.min(length, head));
    if (length === 0) return "";
    before = i;
  }
  const saved = switches * (length / UNITS + 0.5);
  if (length < 2 || saved <= length / UNITS + ROOT_COST) return "";
  const start = lines.starts[first]!;
  return lines.text.slice(start, start + length);
}

function hasHeadOf({ lines, name }: Rows, a: number, b: number): boolean {
  const starts = [lines.starts[a]!, lines.starts[b]!] as const;
  const length = name[a]! - starts[0];
  return length === name[b]! - starts[1] && isSame(lines, starts, length);
}

/** Whether row `b` stands in the directory that is row `a`. */
function isEntry(rows: Rows, a: number, b: number): boolean {
  const { lines } = rows;
  const starts = [lines.starts[a]!, lines.starts[b]!] as const;
  const end = rows.stop[a]!;
  const length = end - starts[0] - (isSlash(lines.codes[end - 1]) ? 1 : 0);
  return length < rows.name[b]! - starts[1] &&
    isSlash(lines.codes[starts[1] + length]) &&
    isSame(lines, starts, length);
}

/** Units, at most `most`, that rows `a` and `b` both start with, up to a slash. */
function sharedHead(
  rows: Rows,
  [a, b]: readonly [number, number],
  most: number,
): number {
  const { codes, starts } = rows.lines;
  let n = commonLength(rows, [starts[a]!, starts[b]!], most);
  while (n > 0 && !isSlash(codes[starts[a]! + n - 1])) n--;
  return n;
}

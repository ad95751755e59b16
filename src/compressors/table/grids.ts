/** Cutting lines into cells where no character says how: by place and by word. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { type Grid, WIDEST } from "./fixed.ts";

const SPACE = 32;
/** Rows in which a name of two words is looked for. */
const SAMPLE = 50;

/** A line of dashes below a header. */
export const DASHES = /^[-=]+(?: +[-=]+)*$/;
/** A line of dashes across all columns: no row. */
const ACROSS = /^[-=+]{8,}$/;

/** Columns between the places where every line of `[from, to)` has a blank, the first line names them; `undefined` when that gives a column two names. O(n). */
export function byPlace(
  lines: Lines,
  from: number,
  to: number,
): Grid | undefined {
  const { starts, codes } = lines;
  const used = new Uint8Array(WIDEST + 1);
  for (let line = from; line < to; line++) {
    if (isAcross(lines, line)) continue;
    const start = starts[line]!;
    const length = Math.min(starts[line + 1]! - 1 - start, WIDEST);
    for (let i = 0; i < length; i++) {
      if (codes[start + i] !== SPACE) used[i] = 1;
    }
  }
  const edges = edgesOf(lines, from, to, used);
  if (edges === undefined) return undefined;
  const grid = emptyGrid(lines, from, to, edges.length);
  for (let line = from; line < to; line++) {
    const start = starts[line]!;
    const end = starts[line + 1]! - 1;
    const first = 2 * (line - from) * edges.length;
    edges.forEach((edge, j) => {
      let left = Math.min(start + edge, end);
      let right = Math.min(start + (edges[j + 1] ?? Infinity), end);
      while (left < right && codes[left] === SPACE) left++;
      while (right > left && codes[right - 1] === SPACE) right--;
      grid.cells[first + 2 * j] = left;
      grid.cells[first + 2 * j + 1] = right;
    });
  }
  return grid;
}

/** Starts of the columns: each has a name of its own. `undefined` when one has two. */
function edgesOf(
  lines: Lines,
  from: number,
  to: number,
  used: Uint8Array,
): number[] | undefined {
  const header = lineAt(lines, from);
  const starts: number[] = [];
  for (let i = 0; i < WIDEST; i++) {
    if (used[i] && (i === 0 || !used[i - 1])) starts.push(i);
  }
  const bodies = bodiesOf(lines, from + 1, Math.min(to, from + SAMPLE));
  const edges: number[] = [];
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? Infinity;
    const name = header.slice(start, end);
    // A name of two words above short cells: `Mounted on`.
    const isSecond = header[start - 2] !== " " && header[start - 1] === " " &&
      !bodies.some((body) => body.slice(start, end).trim() !== "");
    if (edges.length === 0) edges.push(0);
    else if (name.trim() !== "" && !isSecond) edges.push(start);
  });
  const isSplit = edges.every((edge, j) =>
    !/\S {2,}\S/.test(header.slice(edge, edges[j + 1]))
  );
  return isSplit ? edges : undefined;
}

function bodiesOf(lines: Lines, from: number, to: number): string[] {
  return Array.from(
    { length: Math.max(0, to - from) },
    (_, i) => lineAt(lines, from + i).slice(0, WIDEST),
  );
}

/** Columns of one word each as many as the shortest line has; `undefined` below three. O(n). */
export function byWord(
  lines: Lines,
  from: number,
  to: number,
): Grid | undefined {
  let columns = WIDEST;
  for (let line = from; line < to; line++) {
    if (isDashes(lines, line)) continue;
    columns = Math.min(columns, countWords(lines, line, columns));
  }
  return columns < 3 ? undefined : wordGrid(lines, [from, to], columns);
}

function countWords({ starts, codes }: Lines, line: number, limit: number) {
  const end = starts[line + 1]! - 1;
  let words = 0;
  for (let i = starts[line]!; i < end && words < limit; i++) {
    const isStart = codes[i] !== SPACE &&
      (i === starts[line] || codes[i - 1] === SPACE);
    if (isStart) words++;
  }
  return words;
}

/** Cells of lines `[from, to)`, one word each; the last of `columns` takes the rest of the line. */
export function wordGrid(
  lines: Lines,
  [from, to]: readonly [number, number],
  columns: number,
): Grid {
  const { starts, codes } = lines;
  const grid = emptyGrid(lines, from, to, columns);
  for (let line = from; line < to; line++) {
    const end = starts[line + 1]! - 1;
    let at = starts[line]!;
    for (let j = 0; j < columns; j++) {
      while (at < end && codes[at] === SPACE) at++;
      const cell = 2 * ((line - from) * columns + j);
      grid.cells[cell] = at;
      if (j + 1 < columns) { while (at < end && codes[at] !== SPACE) at++; }
      else {
        const left = at;
        at = end;
        while (at > left && codes[at - 1] === SPACE) at--;
      }
      grid.cells[cell + 1] = at;
    }
  }
  return grid;
}

function emptyGrid(
  lines: Lines,
  from: number,
  to: number,
  columns: number,
): Grid {
  const rows = to - from;
  const plain = new Uint8Array(rows);
  const rowLine = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) {
    rowLine[i] = from + i;
    if (isAcross(lines, from + i)) plain[i] = 1;
  }
  return {
    lines,
    columns,
    rowLine,
    cells: new Uint32Array(2 * rows * columns),
    plain,
  };
}

function isDashes({ codes, starts, text }: Lines, line: number): boolean {
  const start = starts[line]!;
  const isDash = codes[start] === 45 || codes[start] === 61;
  return isDash &&
    DASHES.test(
      text.slice(start, Math.min(starts[line + 1]! - 1, start + WIDEST)),
    );
}

function isAcross(lines: Lines, line: number): boolean {
  const code = lines.codes[lines.starts[line]!]!;
  const isDash = code === 45 || code === 61 || code === 43;
  return isDash && ACROSS.test(lineAt(lines, line));
}

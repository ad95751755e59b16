/** Hunk headers of unified and combined diffs: read, count, write. @module */

/** Lines of one side of a hunk. */
export interface SideRange {
  /** First line, counted from 1; with a `count` of 0 the line before. */
  readonly start: number;
  /** Lines on this side. */
  readonly count: number;
}

/** A parsed header line. */
export interface HunkHeader {
  /** The old side, or every parent of a combined diff, then the new side; 2 or more. */
  readonly sides: readonly SideRange[];
  /** What follows the closing `@@`, its leading space included; often the enclosing function. */
  readonly heading: string;
}

const SIMPLE =
  /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?!@)/;
const COMBINED =
  /^(@{3,16})((?: -\d{1,9}(?:,\d{1,9})?)+) (\+\d{1,9}(?:,\d{1,9})?) (@{3,16})/;

const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

/** Reads `@@ -1,3 +1,4 @@ heading` or its combined form `@@@ -1 -1 +1 @@@`; `undefined` for any other line. */
export function parseHunkHeader(line: string): HunkHeader | undefined {
  if (!line.startsWith("@@")) return undefined;
  const match = SIMPLE.exec(line);
  if (match === null) return parseCombined(line);
  const [all, oldStart, oldCount, newStart, newCount] = match;
  const sides = [side(oldStart!, oldCount), side(newStart!, newCount)];
  return { sides, heading: line.slice(all.length) };
}

function parseCombined(line: string): HunkHeader | undefined {
  const match = COMBINED.exec(line);
  if (match === null) return undefined;
  const [all, open, old, added, close] = match as unknown as string[];
  const sides = `${old} ${added}`.trim().split(" ").map((range) => {
    const [start, count] = range.slice(1).split(",");
    return side(start!, count);
  });
  if (open !== close || open!.length !== sides.length) return undefined;
  return { sides, heading: line.slice(all!.length) };
}

function side(start: string, count: string | undefined): SideRange {
  return {
    start: Number(start),
    count: count === undefined ? 1 : Number(count),
  };
}

/**
 * Writes a header line as git does: no `,1`, and the line before when a side is empty.
 *
 * @param next Per side: number of the next line when the hunk begins.
 * @param counts Per side: lines of the hunk.
 * @param heading Text after the closing `@@`, with its leading space.
 */
export function formatHunkHeader(
  next: readonly number[],
  counts: readonly number[],
  heading: string,
): string {
  const at = "@".repeat(next.length);
  let header = at;
  for (let i = 0; i < next.length; i++) {
    const count = counts[i]!;
    const start = count === 0 ? next[i]! - 1 : next[i]!;
    header += `${i === next.length - 1 ? " +" : " -"}${start}`;
    if (count !== 1) header += `,${count}`;
  }
  return `${header} ${at}${heading}`;
}

/** Number of the next line on each side when the hunk of `header` begins. */
export function firstLines(header: HunkHeader): number[] {
  return header.sides.map(({ start, count }) =>
    count === 0 ? start + 1 : start
  );
}

/** Whether `line` is the remark `\ No newline at end of file`, which is on no side. */
export function isRemark(line: string): boolean {
  return line.charCodeAt(0) === BACKSLASH;
}

/** Whether a body line is added or removed, by any of its `parents` prefix columns. */
export function isChanged(line: string, parents: number): boolean {
  for (let i = 0; i < parents; i++) {
    const code = line.charCodeAt(i);
    if (code === PLUS || code === MINUS) return true;
  }
  return false;
}

/** Whether a body line is gone from the new side. */
export function isRemoved(line: string, parents: number): boolean {
  for (let i = 0; i < parents; i++) {
    if (line.charCodeAt(i) === MINUS) return true;
  }
  return false;
}

/**
 * Adds `by` to the sides of `counts` that a body line stands on.
 *
 * @returns False, and `counts` unchanged, for a line that cannot be in a hunk's body.
 */
export function countLine(line: string, counts: number[], by: 1 | -1): boolean {
  const parents = counts.length - 1;
  if (parents === 1) return countSimple(line, counts, by);
  if (isRemark(line)) return true;
  for (let i = 0; i < parents; i++) {
    if (!isPrefix(line.charCodeAt(i))) return false;
  }
  const removed = isRemoved(line, parents);
  for (let i = 0; i < parents; i++) {
    const code = line.charCodeAt(i);
    if (removed ? code === MINUS : code !== PLUS) counts[i]! += by;
  }
  if (!removed) counts[parents]! += by;
  return true;
}

function countSimple(line: string, counts: number[], by: 1 | -1): boolean {
  const code = line.charCodeAt(0);
  if (code === PLUS) counts[1]! += by;
  else if (code === MINUS) counts[0]! += by;
  else if (isPrefix(code)) {
    counts[0]! += by;
    counts[1]! += by;
  } else if (code !== BACKSLASH) return false;
  return true;
}

/** A blank context line whose one space was stripped on the way has no prefix at all. */
function isPrefix(code: number): boolean {
  return code === SPACE || code === PLUS || code === MINUS ||
    Number.isNaN(code) || code === 13;
}

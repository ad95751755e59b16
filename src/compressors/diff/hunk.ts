/** Hunks of unified, combined and word diffs: their headers, and on which sides each line is. @module */

/** Lines of one side of a hunk. */
interface SideRange {
  /** First line, counted from 1; with a `count` of 0 the line before. */
  readonly start: number;
  /** Lines on this side. */
  readonly count: number;
}

/** A hunk; `start` is its header line, its body begins behind it. */
export interface Hunk {
  /** Index of the header line. */
  readonly start: number;
  /** Index of the line behind the last. */
  readonly end: number;
  /** The old side, or every parent of a combined diff, then the new side. */
  readonly sides: readonly SideRange[];
  /** What follows the closing `@@`, its leading space included; often the enclosing function. */
  readonly heading: string;
  /** Whether the body has exactly the lines that the header counts. */
  readonly isComplete: boolean;
  /** Changes are marked within lines: `[-old-]{+new+}`. */
  readonly isWords: boolean;
}

const SIMPLE =
  /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?!@)/;
const COMBINED =
  /^(@{3,16})((?: -\d{1,9}(?:,\d{1,9})?)+) (\+\d{1,9}(?:,\d{1,9})?) (@{3,16})/;
const MARKED = /\[-.*-\]|\{\+.*\+\}/;
const OUTSIDE = /^(?:diff --git |commit [0-9a-f]{7,64}\b|@@ -)/;

/** What says nothing of the place in front of a name. */
const MODIFIERS =
  /^ (?:(?:export|default|public|private|protected|static|async|abstract|final|override|declare|pub) )+/;
/** UTF-16 units of a heading that stays as it is. */
const MOST_HEADING = 24;
/** What stays of a longer one: up to the parameters of a function (in Go its receiver is before its name), else some words, whole ones. */
const HEADING_START =
  /^ (?:func \([^)]*\) )?[^(]{1,48}\(|^.{20}[^\s({:=<]{0,40}/;

const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

/** Reads the hunk whose header is line `start`; `undefined` where there is none. Only the counts tell where it ends. */
export function hunkAt(
  lines: readonly string[],
  start: number,
  isWords: boolean,
): Hunk | undefined {
  const header = headerOf(lines[start] ?? "");
  if (header === undefined) return undefined;
  const { sides } = header;
  const left = sides.map(({ count }) => count);
  // The empty string behind the last line feed is no line.
  const limit = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  let end = start + 1;
  const down = { sides, isWords, by: -1 } as const;
  while (
    end < limit && isAnyAbove(left, 0) &&
    takeLine(down, lines[end] ?? "", left)
  ) end++;
  const isComplete = left.every((count) => count === 0);
  if (isComplete && end < limit && isRemark(lines[end] ?? "")) end++;
  return { start, end, ...header, isComplete, isWords };
}

/** Takes a line from what is left on each side; false where it is no line of the hunk, or there are too many. */
function takeLine(down: Counting, line: string, left: number[]): boolean {
  const { sides, isWords } = down;
  if (isWords && OUTSIDE.test(line)) return false;
  if (!passLine(down, line, left)) return false;
  if (isWords || isNoneBelow(left, 0)) return true;
  passLine({ sides, isWords }, line, left);
  return false;
}

// Loops rather than `some` and `every`: they run for each line of a diff.
function isAnyAbove(counts: readonly number[], limit: number): boolean {
  for (const count of counts) if (count > limit) return true;
  return false;
}

function isNoneBelow(counts: readonly number[], limit: number): boolean {
  for (const count of counts) if (count < limit) return false;
  return true;
}

function headerOf(
  line: string,
): Pick<Hunk, "sides" | "heading"> | undefined {
  if (!line.startsWith("@@")) return undefined;
  const [simple, old = "", oldCount, added = "", addedCount] =
    SIMPLE.exec(line) ?? [];
  if (simple !== undefined) {
    const sides = [side(old, oldCount), side(added, addedCount)];
    return { sides, heading: line.slice(simple.length) };
  }
  const [all, open = "", parents = "", last = "", close] =
    COMBINED.exec(line) ?? [];
  if (all === undefined) return undefined;
  const sides = `${parents} ${last}`.trim().split(" ").map((range) => {
    const [start = "", count] = range.slice(1).split(",");
    return side(start, count);
  });
  if (open !== close || open.length !== sides.length) return undefined;
  return { sides, heading: line.slice(all.length) };
}

function side(start: string, count = "1"): SideRange {
  return { start: Number(start), count: Number(count) };
}

/** Number of the next line on each side when the hunk begins. */
export function firstLines({ sides }: Pick<Hunk, "sides">): number[] {
  return sides.map(({ start, count }) => count === 0 ? start + 1 : start);
}

/**
 * Writes a header line as git does: no `,1`, and the line before when a side is empty.
 *
 * @param next Per side: number of the first line. @param counts Per side: how many lines.
 */
export function headerText(
  next: readonly number[],
  counts: readonly number[],
  heading: string,
): string {
  const at = "@".repeat(next.length);
  const ranges = next.map((line, i) => {
    const count = counts[i] ?? 0;
    const start = count === 0 ? line - 1 : line;
    const sign = i === next.length - 1 ? "+" : "-";
    return `${sign}${start}${count === 1 ? "" : `,${count}`}`;
  });
  return `${at} ${ranges.join(" ")} ${at}${heading}`;
}

/** Whether `line` is the remark `\ No newline at end of file`, which is on no side. */
export function isRemark(line: string): boolean {
  return line.charCodeAt(0) === BACKSLASH;
}

/** `+` for a line that is added, `-` for one that is gone, `~` for one with marks in it, a blank for context. */
export function signOf(
  { sides, isWords }: Pick<Hunk, "sides" | "isWords">,
  line: string,
): "+" | "-" | "~" | " " {
  if (isWords) return MARKED.test(line) ? "~" : " ";
  let sign: "+" | " " = " ";
  for (let i = 0; i < sides.length - 1; i++) {
    const code = line.charCodeAt(i);
    if (code === MINUS) return "-";
    if (code === PLUS) sign = "+";
  }
  return sign;
}

/** How lines are counted: up, or down from the counts of a header. */
type Counting = Pick<Hunk, "sides" | "isWords"> & { readonly by?: -1 };

/**
 * Counts a body line on the sides that it is on. Changes `counts`.
 *
 * @returns False for a line that cannot be in a hunk's body.
 */
export function passLine(
  hunk: Counting,
  line: string,
  counts: number[],
): boolean {
  const { by = 1 } = hunk;
  if (counts.length === 2 && !hunk.isWords) return passSimple(line, counts, by);
  if (isRemark(line)) return true;
  const last = counts.length - 1;
  const add = (side: number) => counts[side] = (counts[side] ?? 0) + by;
  if (hunk.isWords) {
    const said = line.trim();
    if (!said.startsWith("{+") || !said.endsWith("+}")) add(0);
    if (!said.startsWith("[-") || !said.endsWith("-]")) add(1);
    return true;
  }
  const isGone = signOf(hunk, line) === "-";
  for (let i = 0; i < last; i++) {
    if (!isPrefix(line.charCodeAt(i))) return false;
  }
  for (let i = 0; i < last; i++) {
    const code = line.charCodeAt(i);
    if (isGone ? code === MINUS : code !== PLUS) add(i);
  }
  if (!isGone) add(last);
  return true;
}

/** The same for a unified diff, which has most lines. */
function passSimple(line: string, counts: number[], by: 1 | -1): boolean {
  const code = line.charCodeAt(0);
  if (code === BACKSLASH) return true;
  if (!isPrefix(code)) return false;
  const [old = 0, added = 0] = counts;
  if (code !== PLUS) counts[0] = old + by;
  if (code !== MINUS) counts[1] = added + by;
  return true;
}

/** A blank context line whose one space was stripped on the way has no prefix at all. */
function isPrefix(code: number): boolean {
  return code === SPACE || code === PLUS || code === MINUS ||
    Number.isNaN(code) || code === 13;
}

/** The header of a hunk that counts what is kept, from the first line of it to the last. */
export function headerOfKept(
  lines: readonly string[],
  hunk: Hunk,
  { kept, isChange }: {
    readonly kept: Uint8Array;
    readonly isChange: (line: number) => boolean;
  },
): string {
  const header = lines[hunk.start] ?? "";
  const next = firstLines(hunk);
  let first = hunk.start + 1;
  let hidden = 0;
  for (; first < hunk.end && kept[first] === 0; first++) {
    passLine(hunk, lines[first] ?? "", next);
    hidden = isChange(first) ? -Infinity : hidden + 1;
  }
  let last = hunk.end;
  let behind = 0;
  for (; last > first && kept[last - 1] === 0; last--) {
    behind = isChange(last - 1) ? -Infinity : behind + 1;
  }
  // What counts more lines than there are was cut.
  if (last === first || !hunk.isComplete) return header;
  const counts = next.map(() => 0);
  for (let at = first; at < last; at++) {
    passLine(hunk, lines[at] ?? "", counts);
  }
  const heading = shortened(hunk.heading);
  const text = headerText(next, counts, heading);
  const context = Math.max(0, hidden) + Math.max(0, behind);
  if (context === 0) {
    return hunk.heading.trimEnd().endsWith(heading) ? text : `${text}…`;
  }
  return `${text} … ${context} unchanged`;
}

/** Cuts behind the name where there is a list of parameters, else behind a word. */
function shortened(heading: string): string {
  const said = heading.trimEnd().replace(MODIFIERS, " ");
  if (said.length <= MOST_HEADING) return said;
  return HEADING_START.exec(said)?.[0].trimEnd() ?? said;
}

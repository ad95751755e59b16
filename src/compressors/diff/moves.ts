/** Lines that a diff removes in one place and adds in another. @module */
import { type DiffView, pathOf } from "./parse.ts";
import type { Hunk } from "./hunk.ts";

/** Changed lines that are elsewhere in the diff too, further up: the inside of a run whose ends stay. */
export interface Move {
  /** First line that can go. */
  readonly start: number;
  /** Line behind the last. */
  readonly end: number;
  /** Where they are. */
  readonly said: string;
}

/** What is known of the lines of a diff. */
interface Numbers {
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** 1 for a line that stays. */
  readonly stays: Uint8Array;
}

/** UTF-16 units of a moved run that is worth a note. */
const LEAST = 400;
/** Lines that stay at its start and at its end. */
const HEAD = 2;
const TAIL = 1;
/** UTF-16 units of a line that can start a run; shorter ones are brackets and blanks. */
const LEAST_START = 12;
/** Places that are tried for one line. */
const MOST_PLACES = 4;

const PLUS = 43;
const MINUS = 45;

/** Finds the runs that moved. O(n). */
export function movesIn(view: DiffView, numbers: Numbers): readonly Move[] {
  const { lines } = view;
  const removed = removedIn(view);
  const moves: Move[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (removed.signs[at] !== PLUS) continue;
    const run = longestRun(lines, at, removed);
    const hidden = run.length - HEAD - TAIL;
    const size = lines.slice(at + HEAD, at + HEAD + Math.max(0, hidden))
      .reduce((sum, line) => sum + line.length + 1, 0);
    if (size < LEAST) continue;
    removed.signs.fill(0, run.from, run.from + run.length);
    const move = moveOf(view, run, { ...numbers, ...removed });
    if (move !== undefined) moves.push(move);
    at += run.length - 1;
  }
  return moves;
}

/** Lines that were removed, by what they say. */
interface Removed {
  /** Sign of each line that may have moved, as a code; 0 for the others. */
  readonly signs: Uint8Array;
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Index of the file of each line. */
  readonly owners: Uint32Array;
}

function removedIn({ lines, files }: DiffView): Removed {
  const signs = new Uint8Array(lines.length);
  const places = new Map<string, number[]>();
  const owners = new Uint32Array(lines.length);
  for (const [i, { start, end }] of files.entries()) owners.fill(i, start, end);
  for (const hunk of files.flatMap((file) => file.hunks)) {
    markSigns(lines, hunk, signs);
    for (let at = hunk.start + 1; at < hunk.end; at++) {
      if (signs[at] !== MINUS) continue;
      const text = textAt(lines, at);
      if (text.trim().length < LEAST_START) continue;
      const known = places.get(text) ?? [];
      if (known.length === 0) places.set(text, known);
      if (known.length < MOST_PLACES) known.push(at);
    }
  }
  return { signs, places, owners };
}

function textAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? "").slice(1);
}

/** Lines that are added at one place and removed at another. */
interface Run {
  readonly at: number;
  readonly from: number;
  readonly length: number;
}

/** The longest run that begins where a line is added. */
function longestRun(
  lines: readonly string[],
  at: number,
  { signs, places }: Removed,
): Run {
  const same = (a: number, b: number) =>
    signs[a] === PLUS && signs[b] === MINUS &&
    textAt(lines, a) === textAt(lines, b);
  let best = { at, from: 0, length: 0 };
  for (const from of places.get(textAt(lines, at)) ?? []) {
    let length = 0;
    while (same(at + length, from + length)) length++;
    if (length > best.length) best = { at, from, length };
  }
  return best;
}

/** The later of both places, where the earlier one stays whole: of a run that is at neither place nothing would be left. */
function moveOf(
  { lines, files }: DiffView,
  { at, from, length }: Run,
  numbers: Numbers & Pick<Removed, "owners">,
): Move | undefined {
  const isGone = (run: number) =>
    numbers.stays.subarray(run, run + length).includes(0);
  const goesAdded = isGone(at) || (at > from && !isGone(from));
  const [later, earlier] = goesAdded ? [at, from] : [from, at];
  if (isGone(earlier)) return undefined;
  const side = goesAdded ? numbers.before : numbers.after;
  const first = (side[earlier] ?? 0) + HEAD;
  const start = later + HEAD;
  const hidden = length - HEAD - TAIL;
  const file = files[numbers.owners[earlier] ?? 0];
  const path = file === undefined ? "" : pathOf(lines, file);
  const said = goesAdded
    ? `the same as removed from ${path}, old`
    : `the same as added to ${path}, new`;
  return {
    start,
    end: start + hidden,
    said: `${said} lines ${first}-${first + hidden - 1}`,
  };
}

/** Marks the changed lines of a hunk; a merge has a sign for each parent, nothing in it simply moved. */
function markSigns(
  lines: readonly string[],
  hunk: Hunk,
  signs: Uint8Array,
): void {
  if (hunk.sides.length !== 2 || !hunk.isComplete || hunk.isWords) return;
  for (let at = hunk.start + 1; at < hunk.end; at++) {
    const code = (lines[at] ?? "").charCodeAt(0);
    if (code === PLUS || code === MINUS) signs[at] = code;
  }
}

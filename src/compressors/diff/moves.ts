/** Lines that a diff removes in one place and adds in another. @module */
import { countLine, firstLines, isChanged, isRemoved } from "./hunk_header.ts";
import { pathOf } from "./names.ts";
import { lineRange } from "./note.ts";
import type { FileDiff, Hunk, LineSpan, ParsedDiff } from "./parse.ts";

/** Changed lines that stand elsewhere in the diff too, further up: the inside of a run whose ends stay. */
export interface Move extends LineSpan {
  /** Where they stand. */
  readonly said: string;
}

/** Characters of a moved run that is worth a note and another hunk header. */
const MIN_CHARS = 400;
/** Lines kept at the start and at the end of the run. */
const HEAD = 2;
const TAIL = 1;
/** A line that is too short to start a run: a bracket, a blank. */
const MIN_START = 12;
/** Places that are tried for one line. */
const MAX_PLACES = 4;

/** A changed line. */
interface Changed {
  readonly text: string;
  /** Index among all lines. */
  readonly at: number;
  /** Number on its own side. */
  readonly number: number;
  readonly file: FileDiff;
}

/** Moved lines by the index of the first. O(n). */
export function movesIn(diff: ParsedDiff): ReadonlyMap<number, Move> {
  const removed: Changed[] = [];
  const added: Changed[] = [];
  for (const file of diff.files) {
    for (const hunk of file.hunks) collect(diff, file, hunk, removed, added);
  }
  const places = placesOf(removed);
  const moves = new Map<number, Move>();
  const taken = new Uint8Array(removed.length);
  for (let i = 0; i < added.length;) {
    const run = longestRun(added, i, removed, places);
    const end = run.place + run.length;
    const isFree = !taken[run.place] && !taken[end - 1];
    const hidden = run.length - HEAD - TAIL;
    if (!isFree || charsOf(added, i + HEAD, hidden) < MIN_CHARS) {
      i++;
      continue;
    }
    taken.fill(1, run.place, end);
    const move = moveOf(diff, added, i, removed, run);
    moves.set(move.start, move);
    i += run.length;
  }
  return moves;
}

function collect(
  { lines }: ParsedDiff,
  file: FileDiff,
  hunk: Hunk,
  removed: Changed[],
  added: Changed[],
): void {
  // A merge has a sign for each parent: nothing in it is simply moved.
  if (hunk.header.sides.length !== 2 || !hunk.complete) return;
  const next = firstLines(hunk.header);
  for (let at = hunk.start + 1; at < hunk.end; at++) {
    const line = lines[at]!;
    if (isChanged(line, 1)) {
      const side = isRemoved(line, 1) ? 0 : 1;
      const text = line.slice(1);
      (side === 0 ? removed : added)
        .push({ text, at, number: next[side]!, file });
    }
    countLine(line, next, 1);
  }
}

function placesOf(lines: readonly Changed[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [i, { text }] of lines.entries()) {
    if (text.trim().length < MIN_START) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [i]);
    else if (known.length < MAX_PLACES) known.push(i);
  }
  return places;
}

interface Run {
  /** Index of its first line in the other list. */
  readonly place: number;
  readonly length: number;
}

function longestRun(
  added: readonly Changed[],
  from: number,
  removed: readonly Changed[],
  places: ReadonlyMap<string, readonly number[]>,
): Run {
  let best: Run = { place: 0, length: 0 };
  for (const place of places.get(added[from]!.text) ?? []) {
    let length = 1;
    while (
      added[from + length]?.text === removed[place + length]?.text &&
      added[from + length]?.at === added[from]!.at + length &&
      removed[place + length]?.at === removed[place]!.at + length
    ) length++;
    if (length > best.length) best = { place, length };
  }
  return best;
}

function charsOf(
  lines: readonly Changed[],
  from: number,
  length: number,
): number {
  let sum = 0;
  for (let i = from; i < from + length; i++) sum += lines[i]!.text.length + 2;
  return sum;
}

/** The run that comes later in the text; the earlier one stays. */
function moveOf(
  diff: ParsedDiff,
  added: readonly Changed[],
  from: number,
  removed: readonly Changed[],
  { place, length }: Run,
): Move {
  const [plus, minus] = [added[from]!, removed[place]!];
  const isAddedLater = plus.at > minus.at;
  const [later, earlier] = isAddedLater ? [plus, minus] : [minus, plus];
  const path = pathOf(diff.lines, earlier.file);
  const hidden = length - HEAD - TAIL;
  const range = lineRange(earlier.number + HEAD, hidden);
  const said = isAddedLater
    ? `the same as removed from ${path}, old lines ${range}`
    : `the same as added to ${path}, new lines ${range}`;
  const start = later.at + HEAD;
  return { start, end: start + hidden, said };
}

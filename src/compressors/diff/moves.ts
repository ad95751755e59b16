/** Lines that a diff removes in one place and adds in another. @module */
import { type DiffView, pathOf } from "./parse.ts";
import { type Hunk, signOf } from "./hunk.ts";

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

/** Finds the runs that moved. O(n). */
export function movesIn(view: DiffView, numbers: Numbers): readonly Move[] {
  const { lines, files } = view;
  const owner = new Map<number, string>();
  const added: number[] = [];
  const removed = new Set<number>();
  const places = new Map<string, number[]>();
  for (const file of files) {
    const path = pathOf(lines, file);
    for (const hunk of file.hunks) {
      for (const [at, sign] of signsOf(lines, hunk)) {
        owner.set(at, path);
        if (sign === "+") added.push(at);
        else {
          removed.add(at);
          const text = (lines[at] ?? "").slice(1);
          if (text.trim().length < LEAST_START) continue;
          const known = places.getOrInsertComputed(text, () => []);
          if (known.length < MOST_PLACES) known.push(at);
        }
      }
    }
  }
  const isAdded = new Set(added);
  const same = (a: number, b: number) =>
    isAdded.has(a) && removed.has(b) &&
    (lines[a] ?? "").slice(1) === (lines[b] ?? "").slice(1);
  const moves: Move[] = [];
  let done = -1;
  for (const at of added) {
    if (at < done) continue;
    let best = { from: 0, length: 0 };
    for (const from of places.get((lines[at] ?? "").slice(1)) ?? []) {
      let length = 0;
      while (same(at + length, from + length)) length++;
      if (length > best.length) best = { from, length };
    }
    const { from, length } = best;
    const hidden = length - HEAD - TAIL;
    const size = lines.slice(at + HEAD, at + HEAD + hidden)
      .reduce((sum, line) => sum + line.length + 1, 0);
    if (hidden <= 0 || size < LEAST) continue;
    for (let i = 0; i < length; i++) removed.delete(from + i);
    const isAddedLater = at > from;
    const [later, earlier] = isAddedLater ? [at, from] : [from, at];
    const side = isAddedLater ? numbers.before : numbers.after;
    const first = (side[earlier] ?? 0) + HEAD;
    const start = later + HEAD;
    moves.push({
      start,
      end: start + hidden,
      said: `the same as ${isAddedLater ? "removed from" : "added to"} ${
        owner.get(earlier)
      }, ${isAddedLater ? "old" : "new"} lines ${first}-${first + hidden - 1}`,
    });
    done = at + length;
  }
  return moves;
}

/** Changed lines of a hunk with their signs; a merge has a sign for each parent, nothing in it simply moved. */
function* signsOf(
  lines: readonly string[],
  hunk: Hunk,
): Generator<readonly [number, "+" | "-"]> {
  if (hunk.sides.length !== 2 || !hunk.isComplete) return;
  for (let at = hunk.start + 1; at < hunk.end; at++) {
    const sign = signOf(hunk, lines[at] ?? "");
    if (sign === "+" || sign === "-") yield [at, sign];
  }
}

/** Repeated lines and blocks of lines, of every kind of text. @module */
import type { Rewrite } from "../core/kind.ts";
import {
  endsWithNewline,
  indexLines,
  keyAt,
  lineAt,
  lineEnd,
  lineHead,
  lineLength,
  type Lines,
  lineStart,
} from "../text/lines.ts";
import { hashOf } from "../text/signs/columns.ts";
import { againNote, readLineNote, repeatedNote } from "./note.ts";

/** UTF-16 units that a note must save besides its own length. */
const PROFIT = 12;
/** Lines of a block that are hashed together, and the longest single line that is a block of its own. */
const BLOCK = 3;
const LONG_LINE = 60;
/** Places in a table at which a line is looked for. */
const PLACES = 8;
/** UTF-16 units of the first line of a block that its note quotes. */
const QUOTED = 24;
const WORD = /[^\d\s\p{P}\p{S}]{3}/u;
/** UTF-16 units of a line in which its first words are looked for. */
const LONGEST_LEAD = 200;

/** A stretch of lines that a note replaces. */
interface Fold {
  /** Lines replaced. */
  readonly length: number;
  /** What is written for them. */
  readonly note: string;
}

/** What is known while a text is folded. */
interface Folding {
  readonly lines: Lines;
  /** Equal lines have equal numbers. */
  readonly ids: Int32Array;
  /** First place of each block, by the hash of its first lines. */
  readonly blocks: Map<number, number>;
  /** Number of the first line. */
  readonly firstLine: number;
  /** The first line that is not where its number says in the folded text. */
  shiftedFrom: number;
}

/**
 * Writes a run of equal lines once with `… (repeated N times)`, N the length of the run, and lines that were there
 * earlier as `… (lines A-B again)`, numbers of the unfolded text. Where lines are not where a reader would count
 * them, since notes are above, it says how they begin: `… (lines A-B again: "how they begin")`.
 *
 * @param given A text, or its lines where they are known.
 * @param firstLine Number of the first line.
 * @param isBelowNotes Notes will be written above the folded text.
 * @returns `undefined` when nothing repeats, or when the text has lines that look like such notes. O(n).
 */
export function foldRepeats(
  given: string | Lines,
  firstLine = 1,
  isBelowNotes = false,
): Rewrite | undefined {
  const text = typeof given === "string" ? given : given.text;
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const lines = typeof given === "string" ? indexLines(given) : given;
  const { ids, times } = lineIds(lines);
  const shiftedFrom = isBelowNotes ? 0 : Infinity;
  const blocks = new Map<number, number>();
  const folding: Folding = { lines, ids, blocks, firstLine, shiftedFrom };
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.count;) {
    // A line that stands nowhere else begins no run and no block.
    if (keyAt(times, keyAt(ids, i)) === 1) {
      i++;
      continue;
    }
    const run = runAt(folding, i);
    const fold = run ?? blockAt(folding, i) ?? longLineAt(folding, i);
    remember(folding, i);
    if (fold === undefined) {
      i++;
      continue;
    }
    const start = run === undefined ? i : i + 1;
    parts.push(text.slice(lineStart(lines, from), lineStart(lines, start)));
    parts.push(fold.note, "\n");
    i = from = start + fold.length;
    folding.shiftedFrom = Math.min(folding.shiftedFrom, from);
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(lineStart(lines, from)));
  const out = parts.join("");
  const isCut = from === lines.count && !endsWithNewline(lines);
  return {
    text: isCut ? out.slice(0, -1) : out,
    restore: (folded) => unfoldRepeats(folded, firstLine),
  };
}

/** Inverse of {@linkcode foldRepeats} with the same numbering. */
export function unfoldRepeats(folded: string, firstLine = 1): string {
  if (!folded.includes("… (")) return folded;
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const note = line.startsWith("… (") ? readLineNote(line) : undefined;
    if (note?.type === "repeated") {
      const last = out.at(-1) ?? "";
      for (let n = note.times - 1; n > 0; n--) out.push(last);
    } else if (note?.type === "again") {
      const again = out.slice(
        note.first - firstLine,
        note.last - firstLine + 1,
      );
      for (let n = note.times; n > 0; n--) {
        for (const copy of again) out.push(copy);
      }
    } else out.push(line);
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

/**
 * Equal lines have equal numbers; `times` has for each number how many they are. A line whose places in the table are
 * taken by others is looked up by its text, so that no lines can be made that take longer. O(n).
 */
function lineIds(lines: Lines): { ids: Int32Array; times: Int32Array } {
  const ids = new Int32Array(lines.count);
  const times = new Int32Array(lines.count);
  // One more than the first line of each hash; 0 for none.
  const firsts = new Int32Array(2 << (32 - Math.clz32(lines.count)));
  const others = new Map<string, number>();
  let known = 0;
  for (let i = 0; i < lines.count; i++) {
    const place = placeOf(lines, firsts, i);
    const first = place < 0
      ? others.get(lineAt(lines, i)) ?? i
      : keyAt(firsts, place) - 1;
    if (place < 0 && first === i) others.set(lineAt(lines, i), i);
    const id = first === i ? known++ : keyAt(ids, first);
    ids[i] = id;
    times[id] = keyAt(times, id) + 1;
  }
  return { ids, times };
}

/** Where the first line that equals line `i` is; line `i` goes there if there is none. -1 where all places are taken. */
function placeOf(lines: Lines, firsts: Int32Array, i: number): number {
  const hash = hashOf(lines.codes, lineStart(lines, i), lineEnd(lines, i));
  for (let n = 0; n < PLACES; n++) {
    const place = (hash ^ hash >>> 15) + n & firsts.length - 1;
    const first = keyAt(firsts, place) - 1;
    if (first < 0) firsts[place] = i + 1;
    if (first < 0 || isSame(lines, first, i)) return place;
  }
  return -1;
}

function isSame(lines: Lines, a: number, b: number): boolean {
  return lineLength(lines, a) === lineLength(lines, b) &&
    lineAt(lines, a) === lineAt(lines, b);
}

/** The lines after line `i` that equal it. */
function runAt({ lines, ids }: Folding, i: number): Fold | undefined {
  let end = i + 1;
  while (end < ids.length && ids[end] === ids[i]) end++;
  const length = end - i - 1;
  if (length === 0) return undefined;
  const note = repeatedNote(length + 1);
  return pays(lines, [i + 1, end], note) ? { length, note } : undefined;
}

/** The lines from `i` on that were there earlier, once or several times in a row. */
function blockAt(folding: Folding, i: number): Fold | undefined {
  const { lines, ids, blocks, firstLine } = folding;
  const earlier = i + BLOCK <= ids.length
    ? blocks.get(blockKey(ids, i))
    : undefined;
  if (earlier === undefined) return undefined;
  const period = i - earlier;
  let length = 0;
  while (i + length < ids.length && ids[earlier + length] === ids[i + length]) {
    length++;
  }
  if (length < BLOCK) return undefined;
  const times = Math.max(1, Math.floor(length / period));
  const once = Math.min(length, period);
  const first = firstLine + earlier;
  const quoted = quoteOf(folding, earlier, once);
  const note = againNote({ first, last: first + once - 1, times, quoted });
  return pays(lines, [i, i + times * once], note)
    ? { length: times * once, note }
    : undefined;
}

/** A single long line that was there earlier. */
function longLineAt(folding: Folding, i: number): Fold | undefined {
  const { lines, ids, blocks, firstLine } = folding;
  if (lineLength(lines, i) < LONG_LINE) return undefined;
  const earlier = blocks.get(lineKey(ids, i));
  if (earlier === undefined) return undefined;
  const line = firstLine + earlier;
  const quoted = quoteOf(folding, earlier, 1);
  const note = againNote({ first: line, last: line, times: 1, quoted });
  return pays(lines, [i, i + 1], note) ? { length: 1, note } : undefined;
}

/** The first words of the first line that has any, no numbers; nothing where the lines are found by their numbers. */
function quoteOf(
  { lines, shiftedFrom }: Folding,
  from: number,
  count: number,
): string {
  if (from < shiftedFrom) return "";
  for (let i = from; i < from + count; i++) {
    const head = lineHead(lines, i, LONGEST_LEAD);
    const word = head.search(WORD);
    if (word < 0) continue;
    const words = head.slice(head.lastIndexOf(" ", word) + 1).trimEnd();
    if (words.length <= QUOTED) return words;
    const blank = words.lastIndexOf(" ", QUOTED);
    return `${words.slice(0, blank > 0 ? blank : QUOTED)}…`;
  }
  return "";
}

/** Notes where a block of lines begins, and a long line: the first place counts. */
function remember({ lines, ids, blocks }: Folding, i: number): void {
  const add = (key: number) => {
    if (!blocks.has(key)) blocks.set(key, i);
  };
  if (i + BLOCK <= ids.length) add(blockKey(ids, i));
  if (lineLength(lines, i) >= LONG_LINE) add(lineKey(ids, i));
}

/** Negative, as no block's key is. */
function lineKey(ids: Int32Array, i: number): number {
  return -1 - keyAt(ids, i);
}

function blockKey(ids: Int32Array, i: number): number {
  const two = Math.imul(keyAt(ids, i), 31) + keyAt(ids, i + 1);
  return (Math.imul(two, 0x01000193) ^ keyAt(ids, i + 2)) >>> 0;
}

function pays(
  lines: Lines,
  [from, to]: readonly [number, number],
  note: string,
): boolean {
  return lineStart(lines, to) - lineStart(lines, from) >=
    note.length + 1 + PROFIT;
}

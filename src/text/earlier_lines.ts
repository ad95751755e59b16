/** Runs of lines that are in an earlier text too, the numbers before them aside. @module */
import { isColumn, numberedRun, prefixOf } from "./line_numbers.ts";

/** Lines of one text that are looked at; work on more would take too long at a time. */
const MAX_TEXT_LINES = 12_000;
/** Lines of all texts together that are remembered. */
const MAX_LINES = 200_000;
/** Lines that are looked up together, which is also the shortest run. */
const GRAM = 3;
/** Places that are remembered for the same lines: the first ones. */
const MAX_PLACES = 4;
/** Lines that a run is extended backwards at most. */
const MAX_BACK = 64;
/** UTF-16 units of a run at least: fewer have no 40 tokens. */
const MIN_LENGTH = 40;
/** In place of a digest: equal to nothing. */
const NEVER = 0;

/** What is before the lines of a patch that are in the file then. */
const ADDED: ReadonlySet<string | undefined> = new Set(["+", " "]);

/** Lines of a text as they are compared. */
export interface ComparedLines {
  /** The text. */
  readonly text: string;
  /** Number of the first one, as a reader counts: before the lines where numbers are there, else from 1. */
  readonly first: number;
  /** Lines of the text before the first one. */
  readonly skipped: number;
  /** One digest per line, never 0. */
  readonly digests: Int32Array;
  /** Offsets in UTF-16 units: where each line begins, behind its number. */
  readonly starts: Uint32Array;
  /** Where it ends, before its newline. */
  readonly ends: Uint32Array;
}

/**
 * Reads the lines of a text. Where most have rising numbers, only those are compared, without their numbers.
 *
 * @param path File that the text is from; empty when unknown.
 * @param isPatch Whether the first character of a line says that it is added or stays: it is not compared either.
 * @returns `undefined` above 12,000 lines. O(n).
 */
export function comparedLines(
  text: string,
  path: string,
  isPatch = false,
): ComparedLines | undefined {
  const offsets = lineOffsets(text);
  if (offsets === undefined) return undefined;
  const run = isPatch ? undefined : numberedRun(text);
  const isNumbered = run !== undefined && !isColumn(run, path);
  const skipped = isNumbered ? offsets.indexOf(run.start) : 0;
  const count = isNumbered ? run.starts.length - 1 : offsets.length - 1;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const digests = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const start = offsets[skipped + i]!;
    const prefix = isNumbered
      ? prefixOf(run.style, run.first + i).length
      : isPatch && ADDED.has(text[start])
      ? 1
      : 0;
    starts[i] = start + prefix;
    ends[i] = offsets[skipped + i + 1]! - 1;
    digests[i] = digestOf(text, starts[i]!, ends[i]!);
  }
  const first = isNumbered ? run.first : 1;
  return { text, first, skipped, digests, starts, ends };
}

/** Where lines start, and where one more would; `undefined` for too many. */
function lineOffsets(text: string): number[] | undefined {
  const offsets = [0];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? text.length + 1 : newline + 1;
    if (offsets.push(at) > MAX_TEXT_LINES) return undefined;
  }
  return offsets;
}

function digestOf(text: string, start: number, end: number): number {
  let digest = 0x811c9dc5;
  for (let i = start; i < end; i++) {
    digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193);
  }
  return (digest ^ digest >>> 15) | 1;
}

/** Lines that are in an earlier text too. */
export interface EarlierRun<T> {
  /** The first of them, from 0, among the lines that are compared. */
  readonly line: number;
  /** How many. */
  readonly count: number;
  /** The earlier text. */
  readonly owner: T;
  /** The first of them among the lines of that text, from 0. */
  readonly at: number;
}

/** Lines of texts, in their order, to be found again. `T` names a text. */
export class EarlierLines<T> {
  /** Digests of all texts, one NEVER behind each. */
  #digests = new Int32Array(1024);
  #size = 0;
  readonly #grams = new Map<number, number[]>();
  readonly #owners: T[] = [];
  /** Where the lines of each text begin in `#digests`. */
  readonly #bases: number[] = [];

  /** Lines that are remembered. */
  get size(): number {
    return this.#size;
  }

  /** Adds a text behind the others; one that would be too much is left out. O(lines). */
  add(owner: T, { digests }: Pick<ComparedLines, "digests">): void {
    const base = this.#size;
    const end = base + digests.length;
    if (digests.length < GRAM || end >= MAX_LINES) return;
    if (end + 1 > this.#digests.length) {
      const grown = new Int32Array(2 * (end + 1));
      grown.set(this.#digests);
      this.#digests = grown;
    }
    this.#digests.set(digests, base);
    this.#digests[end] = NEVER;
    this.#size = end + 1;
    this.#owners.push(owner);
    this.#bases.push(base);
    for (let i = 0; i + GRAM <= digests.length; i++) {
      const gram = gramAt(digests, i);
      const places = this.#grams.get(gram);
      if (places === undefined) this.#grams.set(gram, [base + i]);
      else if (places.length < MAX_PLACES) places.push(base + i);
    }
  }

  /**
   * Finds the runs of three lines and more that are in a text that was added, the longest of a few places, of several
   * as long the first one. Runs are in order and disjoint. Digests are compared, not texts. O(lines).
   */
  find(
    { digests, starts, ends }: Omit<ComparedLines, "text">,
  ): EarlierRun<T>[] {
    const runs: EarlierRun<T>[] = [];
    // Lines from here on are in no run yet.
    let free = 0;
    let i = 0;
    while (i + GRAM <= digests.length) {
      const found = this.#longestAt(digests, i);
      if (found.count < GRAM) {
        i++;
        continue;
      }
      const back = this.#back(digests, i, { at: found.at, free });
      const next = i + found.count;
      if (ends[next - 1]! - starts[i - back]! >= MIN_LENGTH) {
        const text = this.#textAt(found.at);
        runs.push({
          line: i - back,
          count: found.count + back,
          owner: this.#owners[text]!,
          at: found.at - back - this.#bases[text]!,
        });
        free = next;
      }
      i = next;
    }
    return runs;
  }

  #longestAt(digests: Int32Array, line: number) {
    let [at, count] = [0, 0];
    for (const place of this.#grams.get(gramAt(digests, line)) ?? []) {
      let length = 0;
      while (
        line + length < digests.length &&
        digests[line + length] === this.#digests[place + length]
      ) length++;
      if (length > count) [at, count] = [place, length];
    }
    return { at, count };
  }

  /** Lines before a run that are the same as well: their grams may be known at other places only. */
  #back(
    digests: Int32Array,
    line: number,
    { at, free }: { readonly at: number; readonly free: number },
  ): number {
    let back = 0;
    while (
      back < MAX_BACK && line - back > free && at - back > 0 &&
      digests[line - back - 1] === this.#digests[at - back - 1]
    ) back++;
    return back;
  }

  /** Index of the text whose lines hold this place. */
  #textAt(place: number): number {
    let [low, high] = [0, this.#bases.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#bases[middle]! <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}

function gramAt(digests: Int32Array, line: number): number {
  const two = Math.imul(digests[line]!, 31) ^ digests[line + 1]!;
  return Math.imul(two, 0x9e3779b1) ^ digests[line + 2]!;
}

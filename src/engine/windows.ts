/** Which parts of a very long line stay: its ends, what the query asks for, messages of errors. @module */
import { codeAt } from "../text/lines.ts";
import { isWord, WordTable } from "../text/words.ts";

/** UTF-16 units that stay at the start and at the end. */
const HEAD = 160;
const TAIL = 80;
/** UTF-16 units that stay on each side of what was found. */
const AROUND = 80;
/** Places that a query keeps, and places of errors. */
const MAX_BEST = 5;
const MAX_ERRORS = 3;
/** Places looked at for one term. */
const MAX_HITS = 2000;
/** UTF-16 units that a cut may move to stand between two words. */
const SLACK = 24;
/** UTF-16 units between two parts that stay, at least. */
const LEAST_GAP = 60;

const ERRORS = new WordTable(
  "error exception failed failure fatal panic traceback denied cannot".split(
    " ",
  ).map((word) => [word, 1] as const),
);

/** Offsets `[start, end)` that stay. */
export interface Window {
  /** First offset. */
  readonly start: number;
  /** Offset after the last. */
  readonly end: number;
}

/** The parts of `codes[start, end)` that stay, ascending, apart from each other by at least 60. O(line). */
export function windowsOf(
  codes: Uint8Array,
  { start, end }: Window,
  terms: readonly string[],
): Window[] {
  const line = codes.subarray(start, end);
  const places = [...bestPlaces(line, terms), ...errorPlaces(line)]
    .map((at) => ({ start: at - AROUND, end: at + AROUND }));
  const all = [
    { start: 0, end: HEAD },
    ...places,
    { start: line.length - TAIL, end: line.length },
  ].map((window) => clean(line, window)).sort((a, b) => a.start - b.start);
  const joined: Window[] = [];
  for (const window of all) {
    const last = joined.at(-1);
    if (last !== undefined && window.start < last.end + LEAST_GAP) {
      const to = Math.max(last.end, window.end);
      joined[joined.length - 1] = { start: last.start, end: to };
    } else joined.push(window);
  }
  return joined.map((window) => ({
    start: start + window.start,
    end: start + window.end,
  }));
}

/** Where the terms of a query stand together, the rarest first. */
function bestPlaces(line: Uint8Array, terms: readonly string[]): number[] {
  if (terms.length === 0) return [];
  const table = new WordTable(terms.map((term, i) => [term, i + 1] as const));
  const counts = new Uint32Array(terms.length + 1);
  const hits: { term: number; at: number }[] = [];
  table.find(line, (term, at) => {
    const count = counts[term] ?? 0;
    counts[term] = count + 1;
    if (count < MAX_HITS) hits.push({ term, at });
  });
  const weigh = (term: number) => 1 / Math.sqrt(counts[term] ?? 1);
  const scored = hits.map(({ at }, i) => {
    const near = new Set<number>();
    for (const hit of hits.slice(Math.max(0, i - 15), i + 1)) {
      if (at - hit.at <= AROUND) near.add(hit.term);
    }
    let score = 0;
    for (const term of near) score += weigh(term);
    return { at, score };
  }).sort((a, b) => b.score - a.score || a.at - b.at);
  const best: number[] = [];
  for (const { at } of scored) {
    if (best.length === MAX_BEST) break;
    if (best.every((other) => Math.abs(other - at) > AROUND)) best.push(at);
  }
  return best;
}

/** The first messages of errors: in code, the word alone is only a name. */
function errorPlaces(line: Uint8Array): number[] {
  const places: number[] = [];
  ERRORS.find(line, (_, at, end) => {
    const last = places.at(-1) ?? -AROUND;
    if (places.length === MAX_ERRORS || at - last < AROUND) return;
    // `error: no such`, `failed to`, `Traceback (most`.
    const blank = line[end] === 32 ? end : end + 1;
    const next = line[blank + 1];
    const isMessage = line[blank] === 32 &&
      (next === 40 || next !== undefined && isWord(next)) &&
      (blank === end || line[end] === 58);
    if (isMessage) places.push(at);
  });
  return places;
}

/** Moves both ends outwards to a place between two words, never into a surrogate pair. */
function clean(line: Uint8Array, { start, end }: Window): Window {
  let from = Math.max(0, start);
  let to = Math.min(line.length, end);
  const first = Math.max(0, from - SLACK);
  while (from > first && isInWord(line, from)) from--;
  const last = Math.min(line.length, to + SLACK);
  while (to < last && isInWord(line, to)) to++;
  while (from > 0 && codeAt(line, from) >= 128) from--;
  while (to < line.length && codeAt(line, to) >= 128) to++;
  return { start: from, end: to };
}

function isInWord(line: Uint8Array, at: number): boolean {
  return at > 0 && at < line.length && isWord(line[at - 1]!) &&
    isWord(line[at]!);
}

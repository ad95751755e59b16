/** Which units of a text fit a query: whole matches of it first, then by BM25, then by its words. @module */
import { codesOf, type Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";

/** Units of a text in order: unit `i` is searched from `starts[i]` to `starts[i + 1]`. The last one ends with the text. */
export interface Units {
  /** The text they are in. */
  readonly text: string;
  /** `count + 1` offsets in UTF-16 units, rising. */
  readonly starts: Uint32Array;
}

/** Words of a query that are looked for one by one. */
const MAX_WORDS = 16;
/** Above every score of BM25. */
const WHOLE = 1e6;
/** Units of an answer, and UTF-16 units of them; the best one is given whatever its length. */
const MAX_UNITS = 40;
const MAX_CHARS = 8_000;

/** Units that fit, and the best of them. */
export interface Found {
  /** How many fit. */
  readonly count: number;
  /** Indexes of at most 40, in order. */
  readonly best: readonly number[];
}

/**
 * Finds the units that fit a query, in any letter case, and chooses the best of them.
 *
 * All that hold the whole query come first; with them those that BM25 finds. Where neither gives any: those that
 * hold most of its words as parts of others. O(text), for words at most sixteen times.
 *
 * @param spellings Other ways to write the query in this text, e.g. with escapes.
 */
export function findUnits(
  units: Units,
  query: string,
  spellings: readonly string[] = [],
): Found {
  if (units.starts.length < 2) return { count: 0, best: [] };
  // What stands before the first unit is in none.
  const first = units.starts[0]!;
  const text = units.text.slice(first);
  const starts = units.starts.map((start) => start - first);
  const lower = lowered(text);
  const scores = new Map<number, number>();
  for (const needle of new Set([query, ...spellings])) {
    const wanted = lowered(needle.trim());
    eachMatch(lower, wanted, (offset) => {
      const last = unitAt(starts, offset + wanted.length - 1);
      for (let unit = unitAt(starts, offset); unit <= last; unit++) {
        scores.set(unit, WHOLE);
      }
    });
  }
  const codes = codesOf(text);
  const lines: Lines = { text, count: starts.length - 1, starts, codes };
  for (const { line, score } of bestLines(lines, queryTerms(query), Infinity)) {
    scores.set(line, (scores.get(line) ?? 0) + score);
  }
  if (scores.size === 0) scoreWords(starts, lower, { query, scores });
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
    .map(([unit]) => unit);
  return { count: ranked.length, best: bestOf(units, ranked) };
}

/** One point for each word that a unit holds. */
function scoreWords(
  starts: Uint32Array,
  lower: string,
  { query, scores }: {
    readonly query: string;
    readonly scores: Map<number, number>;
  },
): void {
  const words = new Set(lowered(query).split(/[\s"'`|,;()]+/));
  let tried = 0;
  for (const word of words) {
    if (word.length < 2) continue;
    if (++tried > MAX_WORDS) return;
    let last = -1;
    eachMatch(lower, word, (offset) => {
      const unit = unitAt(starts, offset);
      if (unit !== last) scores.set(unit, (scores.get(unit) ?? 0) + 1);
      last = unit;
    });
  }
}

/** As many as an answer takes. */
function bestOf({ starts }: Units, ranked: readonly number[]): number[] {
  const best: number[] = [];
  let size = 0;
  for (const unit of ranked) {
    size += starts[unit + 1]! - starts[unit]!;
    if (best.length === MAX_UNITS || (size > MAX_CHARS && best.length > 0)) {
      break;
    }
    best.push(unit);
  }
  return best.sort((a, b) => a - b);
}

/** Lower case with every offset as it was: of ASCII alone, where lower case has another length. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}

/** Calls `found` for the matches of `needle` that do not overlap, by Knuth, Morris and Pratt: O(text + needle). */
function eachMatch(
  text: string,
  needle: string,
  found: (offset: number) => void,
): void {
  const { length } = needle;
  if (length === 0) return;
  const back = borders(needle);
  let matched = 0;
  // Up to the first start of it the engine's own search is quicker.
  for (let i = Math.max(0, text.indexOf(needle[0]!)); i < text.length;) {
    const code = text.charCodeAt(i);
    while (matched >= 0 && code !== needle.charCodeAt(matched)) {
      matched = back[matched]!;
    }
    i++;
    if (++matched < length) continue;
    found(i - length);
    matched = 0;
  }
}

/** Per length of a start of `needle`, the length of the longest shorter start that ends it; -1 for none. */
function borders(needle: string): Int32Array {
  const back = new Int32Array(needle.length + 1);
  back[0] = -1;
  let length = -1;
  for (let i = 0; i < needle.length;) {
    while (length >= 0 && needle.charCodeAt(i) !== needle.charCodeAt(length)) {
      length = back[length]!;
    }
    back[++i] = ++length;
  }
  return back;
}

/** The unit that holds an offset. O(log units). */
function unitAt(starts: Uint32Array, offset: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

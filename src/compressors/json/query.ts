/** Rows that match what was asked for, by rare words. @module */
import { lowerBound, lowered, nodeAt } from "./order.ts";
import type { Tape } from "./tape.ts";

const MAX_MATCHES = 4;
const MAX_QUERY_CHARS = 4_000;
const MAX_TERMS = 64;
const MIN_TERM_CHARS = 3;
/** Share of the rows above which a word says nothing. */
const COMMON_SHARE = 0.1;
/** Values with the same word beyond which it says nothing about a text. */
const MAX_HITS = 5_000;
/** BM25's usual constants. */
const K1 = 1.2;
const B = 0.5;

const WORD = /[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu;
const JOINT = /[-_.]/;

const STOP_WORDS = new Set(
  ("about after again all also and any are because been before but can check could did does each " +
    "find first for from get give has have her his how into its json just last let like list " +
    "make many more most not now one only other our out over please read run see show " +
    "some such tell than that the their them then there these they this those through " +
    "too use using very want was were what when where which while who why will with would " +
    "you your command limit name query true false null")
    .split(" "),
);

/** Words of a query that may tell rows apart, in lower case. */
export type QueryTerms = ReadonlySet<string>;

/** Finds the words of a query, and compounds such as `worker-17`: three characters or more, no stop words. */
export function termsOf(query: string): QueryTerms {
  const terms = new Set<string>();
  const words = query.slice(0, MAX_QUERY_CHARS).toLowerCase().match(WORD) ?? [];
  for (const word of words.flatMap((word) => [word, ...word.split(JOINT)])) {
    if (word.length < MIN_TERM_CHARS || STOP_WORDS.has(word)) continue;
    if (terms.size === MAX_TERMS) break;
    terms.add(word);
  }
  return terms;
}

/** For each word of a query the values that hold it: ascending nodes. */
export type QueryHits = readonly Int32Array[];

/** Finds the values that hold words of a query, whole words only, whatever their case; keys do not count. Linear. */
export function hitsOfQuery(tape: Tape, query: string): QueryHits {
  const terms = termsOf(query);
  if (terms.size === 0) return [];
  const lower = lowered(tape.text);
  const hits: Int32Array[] = [];
  for (const term of terms) {
    const nodes = nodesWith(tape, lower, term);
    if (nodes.length > 0) hits.push(Int32Array.from(nodes));
  }
  return hits;
}

/** Values that hold `term`; none when there are too many to tell anything. */
function nodesWith(tape: Tape, lower: string, term: string): number[] {
  const nodes: number[] = [];
  let node = 0;
  for (
    let at = lower.indexOf(term);
    at >= 0;
    at = lower.indexOf(term, at + term.length)
  ) {
    const end = at + term.length;
    if (isWordCode(lower.charCodeAt(at - 1))) continue;
    if (isWordCode(lower.charCodeAt(end))) continue;
    const found = nodeAt(tape, at, node);
    if (found === node || tape.end[found]! < end) continue;
    node = found;
    nodes.push(node);
    if (nodes.length > MAX_HITS) return [];
  }
  return nodes;
}

/**
 * The rows that fit a query best by BM25. O(hits + rows).
 *
 * @param rows Ascending nodes. @param hits What the query's words hit.
 * @returns At most four indexes of rows, best first.
 */
export function matchingRows(
  tape: Tape,
  rows: Int32Array,
  hits: QueryHits,
): number[] {
  const count = rows.length;
  if (count === 0) return [];
  const last = rows[count - 1]!;
  const mean = (tape.end[last]! - tape.start[rows[0]!]!) / count;
  const limit = Math.max(2, Math.floor(count * COMMON_SHARE));
  const scores = new Map<number, number>();
  for (const nodes of hits) {
    const found = new Set<number>();
    const end = lowerBound(nodes, tape.next[last]!);
    for (
      let i = lowerBound(nodes, rows[0]!);
      i < end && found.size <= limit;
      i++
    ) found.add(lowerBound(rows, nodes[i]! + 1) - 1);
    if (found.size === 0 || found.size > limit) continue;
    const weight = Math.log(count / found.size);
    for (const row of found) {
      const size = tape.end[rows[row]!]! - tape.start[rows[row]!]!;
      const norm = (K1 + 1) / (1 + K1 * (1 - B + B * size / mean));
      scores.set(row, (scores.get(row) ?? 0) + weight * norm);
    }
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const least = (ranked[0]?.[1] ?? 0) / 2;
  return ranked.slice(0, MAX_MATCHES)
    .filter(([, score]) => score >= least)
    .map(([row]) => row);
}

/** Whether a unit of a lower-case text belongs to a word. */
function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ||
    code > 0x7f;
}

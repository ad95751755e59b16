/** Rows that match what was asked for, by rare words. @module */
import type { Profile } from "./profile.ts";
import type { Tape } from "./tape.ts";

const MAX_MATCHES = 4;
const MAX_QUERY_CHARS = 4_000;
const MAX_TERMS = 64;
const MIN_TERM_CHARS = 3;
/** Share of the rows above which a word says nothing. */
const COMMON_SHARE = 0.1;

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

/** Words of a query that may tell rows apart, by the hash of their lower case. */
export type QueryTerms = ReadonlyMap<number, number>;

/** Finds the words of a query, and compounds such as `worker-17`: three characters or more, no stop words. */
export function termsOf(query: string): QueryTerms {
  const terms = new Map<number, number>();
  const words = query.slice(0, MAX_QUERY_CHARS).toLowerCase().match(WORD) ?? [];
  for (const word of words.flatMap((word) => [word, ...word.split(JOINT)])) {
    if (word.length < MIN_TERM_CHARS || STOP_WORDS.has(word)) continue;
    if (terms.size === MAX_TERMS) break;
    const hash = hashOf(word);
    if (!terms.has(hash)) terms.set(hash, terms.size);
  }
  return terms;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) {
    hash = Math.imul(hash, 31) + word.charCodeAt(i) | 0;
  }
  return hash;
}

/**
 * The rows that hold the rarest words of a query. O(characters of the columns).
 *
 * @param profiles Columns of the same rows. @param terms Words of the query.
 * @returns At most four rows, best first.
 */
export function matchingRows(
  tape: Tape,
  profiles: readonly Profile[],
  terms: QueryTerms,
): number[] {
  const count = profiles[0]?.column.cells.length ?? 0;
  if (terms.size === 0 || count === 0) return [];
  const limit = Math.max(2, Math.floor(count * COMMON_SHARE));
  const scores = new Map<number, number>();
  for (const rows of holdersOf(tape, profiles, terms, limit)) {
    if (rows.size === 0 || rows.size > limit) continue;
    const weight = Math.log(count / rows.size);
    for (const row of rows) scores.set(row, (scores.get(row) ?? 0) + weight);
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const least = (ranked[0]?.[1] ?? 0) / 2;
  return ranked.slice(0, MAX_MATCHES)
    .filter(([, score]) => score >= least)
    .map(([row]) => row);
}

/** Up to `limit` + 1 rows of each term; a repeated value is read once. */
function holdersOf(
  tape: Tape,
  profiles: readonly Profile[],
  terms: QueryTerms,
  limit: number,
): Set<number>[] {
  const holders = Array.from({ length: terms.size }, () => new Set<number>());
  const add = (term: number, rows: readonly number[]) => {
    const found = holders[term]!;
    for (let i = 0; i < rows.length && found.size <= limit; i++) {
      found.add(rows[i]!);
    }
  };
  for (const { column: { cells }, categories } of profiles) {
    if (categories === undefined) {
      for (let row = 0; row < cells.length; row++) {
        if (cells[row] === 0) continue;
        markTerms(tape, cells[row]!, terms, (term) => add(term, [row]));
      }
      continue;
    }
    for (const rows of categories.values()) {
      const node = cells[rows[0]!]!;
      if (node !== 0) markTerms(tape, node, terms, (term) => add(term, rows));
    }
  }
  return holders;
}

/** Calls `found` with each term of a value: of each word, and of each run of joined words. */
function markTerms(
  tape: Tape,
  node: number,
  terms: QueryTerms,
  found: (term: number) => void,
): void {
  const { text } = tape;
  const end = tape.end[node]!;
  const look = (hash: number, size: number) => {
    const term = size < MIN_TERM_CHARS ? undefined : terms.get(hash);
    if (term !== undefined) found(term);
  };
  let at = tape.start[node]!;
  while (at < end) {
    let compound = 0;
    const from = at;
    for (;;) {
      const start = at;
      let hash = 0;
      for (; at < end; at++) {
        const code = lowerWordCode(text.charCodeAt(at));
        if (code === 0) break;
        hash = Math.imul(hash, 31) + code | 0;
        compound = Math.imul(compound, 31) + code | 0;
      }
      look(hash, at - start);
      if (start > from) look(compound, at - from);
      const joint = text.charCodeAt(at);
      const isJoined = at > start && at + 1 < end && isJoint(joint) &&
        lowerWordCode(text.charCodeAt(at + 1)) !== 0;
      if (!isJoined) break;
      compound = Math.imul(compound, 31) + joint | 0;
      at++;
    }
    at++;
  }
}

/** Lower case of a letter or digit; 0 for anything else. */
function lowerWordCode(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code;
  if (code >= 0x30 && code <= 0x39) return code;
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code > 0x7f ? code : 0;
}

function isJoint(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x5f;
}

/** Which lines of a text answer a query: BM25 with the lines as documents. @module */
import type { Lines } from "./lines.ts";
import { WordTable } from "./words.ts";

/** One line and how well it fits, above 0. */
export interface RankedLine {
  /** Counted from 0. */
  readonly line: number;
  /** BM25 score. */
  readonly score: number;
}

/** A word, or a word in several forms. */
type Term = string | readonly string[];

/** Terms used of one query; later ones are ignored. */
const MAX_TERMS = 48;
/** UTF-16 units read at each end of a long query. */
const QUERY_END = 3000;
/** BM25's usual constants. */
const K1 = 1.2;
const B = 0.5;
/** A term in more than this share of the lines tells nothing. */
const COMMON = 0.25;

const STOP_WORDS = new Set(
  ("a about after again all also am an and any are as at be been before being but by can could did do does " +
    "doing don done each else find for from get give had has have he her here him his how i if in into is it its " +
    "just let like ll make many may me more most much my need no nor not now of off on once only or other our out " +
    "over own please re run s same see she should show so some such t tell than that the their them then there " +
    "these they this those to too try until up us use ve very want was we were what when where which while who why " +
    "will with would you your " +
    "bash cat cd cmd command content description false file files grep head input line lines null output path " +
    "pattern result results rg sed shell tail timeout tool true echo usr bin")
    .split(" "),
);

/**
 * Words of a query that can tell lines apart: lower case, without stop words, each once, at most 48.
 * Identifiers fall into their parts (`payment_timeout` and `paymentTimeout` give two terms).
 */
export function queryTerms(query: string): readonly string[] {
  if (query !== asked.query) asked = { query, terms: termsOf(query) };
  return asked.terms;
}

/** The query that was read last: several texts in a row are held against it. */
let asked: { readonly query: string; readonly terms: readonly string[] } = {
  query: "",
  terms: [],
};
/** Of terms that are asked for again. */
const TABLES = new WeakMap<readonly Term[], WordTable>();

function termsOf(query: string): string[] {
  const read = query.length > 2 * QUERY_END
    ? `${query.slice(0, QUERY_END)} ${query.slice(-QUERY_END)}`
    : query;
  const terms = new Set<string>();
  const parts =
    read.match(/[A-Z]+(?![a-z\u0080-\uffff])|[A-Z]?[a-z\u0080-\uffff]+|\d+/g) ??
      [];
  for (const part of parts) {
    const word = part.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const term = singular(word);
    if (terms.size === MAX_TERMS) break;
    if (term.length > 1 && !STOP_WORDS.has(word)) terms.add(term);
  }
  return [...terms];
}

/**
 * The `k` best lines for `terms`, best first; of equal ones the earlier line first.
 * A term in more than a quarter of the lines counts nothing, and a line below
 * 0.4 of the best score is not returned. O(text) time, O(hits) space.
 */
export function bestLines(
  lines: Lines,
  terms: readonly Term[],
  k: number,
): RankedLine[] {
  if (terms.length === 0 || k <= 0) return [];
  const hits = findHits(lines, terms);
  const weight = weights(hits.lineCount, lines.count);
  const ranked: RankedLine[] = [];
  const meanLength = Math.max(1, lines.text.length / Math.max(1, lines.count));
  for (let h = 0; h < hits.length;) {
    const line = hits.line[h]!;
    const length = lines.starts[line + 1]! - lines.starts[line]!;
    const norm = K1 * (1 - B + B * length / meanLength);
    let score = 0;
    while (h < hits.length && hits.line[h] === line) {
      const times = hits.times[h]!;
      score += weight[hits.term[h]!]! * times * (K1 + 1) / (times + norm);
      h++;
    }
    if (score > 0) ranked.push({ line, score });
  }
  ranked.sort((a, b) => b.score - a.score || a.line - b.line);
  const least = 0.4 * (ranked[0]?.score ?? 0);
  return ranked.slice(0, k).filter((entry) => entry.score >= least);
}

/** Hits in line order: `times[h]` occurrences of `term[h]` in `line[h]`. */
interface Hits {
  readonly length: number;
  readonly line: readonly number[];
  readonly term: readonly number[];
  readonly times: readonly number[];
  /** Per term: lines that have it. */
  readonly lineCount: Uint32Array;
}

function tableOf(terms: readonly Term[]): WordTable {
  let table = TABLES.get(terms);
  if (table === undefined) {
    table = new WordTable(
      terms.flatMap((term, i) =>
        [term].flat().map((form) => [form, i + 1] as const)
      ),
    );
    TABLES.set(terms, table);
  }
  return table;
}

function findHits(lines: Lines, terms: readonly Term[]): Hits {
  const table = tableOf(terms);
  const hits = { line: [], term: [], times: [] } as {
    line: number[];
    term: number[];
    times: number[];
  };
  const lineCount = new Uint32Array(terms.length);
  const latest = new Int32Array(terms.length).fill(-1);
  let line = 0;
  table.find(lines.codes, (value, at) => {
    const term = value - 1;
    while (lines.starts[line + 1]! <= at) line++;
    const last = latest[term]!;
    if (last >= 0 && hits.line[last] === line) hits.times[last]!++;
    else {
      latest[term] = hits.line.length;
      lineCount[term]!++;
      hits.line.push(line);
      hits.term.push(term);
      hits.times.push(1);
    }
  });
  return { ...hits, length: hits.line.length, lineCount };
}

/** Letters of a word that has forms. */
const LONGEST_WORD = 40;
/** What ends a word in one of its forms, and the ends that are looked for. */
const WORD_END =
  /(?<=[aeiouy][a-z]+)(?<=...)(?:ions?|ings?|ures?|i?ed|i?es|(?<=w)n|(?<!s)s|i?e|y)$/;
const ENDS = " e y n ed ied ies ing ying ion ure".split(" ");

/** What all forms of a word start with: `evict` of `eviction`, `retr` of `retries`. */
export function stemOf(word: string): string {
  if (word.length > LONGEST_WORD) return word;
  return word.replace(WORD_END, "").replace(/(?<=...)[ey]$/, "");
}

/** A word and its forms. */
export function wordForms(word: string): string[] {
  const stem = stemOf(word);
  return [word, ...ENDS.map((end) => stem + end)];
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss")
    ? word.slice(0, -1)
    : word;
}

function weights(lineCount: Uint32Array, total: number): Float64Array {
  const weight = new Float64Array(lineCount.length);
  lineCount.forEach((count, term) => {
    if (count > Math.max(1, total * COMMON)) return;
    weight[term] = Math.log(1 + (total - count + 0.5) / (count + 0.5));
  });
  return weight;
}

/** What of a text its query asks for: functions by their names, lines by their words. @module */
import type { Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";

/** What must stay. */
export interface Wanted {
  /** Identifiers in the query. */
  readonly names: ReadonlySet<string>;
  /** Its words. */
  readonly terms: ReadonlySet<string>;
  /** Wanted lines before each line: `count + 1` numbers. */
  readonly before: Uint32Array;
}

/** One line is asked for among this many. */
const LINES_PER_HIT = 40;
const FEWEST_HITS = 2;
const MOST_HITS = 10;
/** Least score of a line that is asked for: a word in every tenth line does not reach it. */
const CLEAR_SCORE = 2.5;
/** A line must score this share of the best one. */
const NEAR_BEST = 0.6;
/** UTF-16 units of a query that are read, at each end. */
const QUERY_END = 3000;
/** Identifiers of one query; later ones are ignored. */
const MOST_NAMES = 200;
/** A name of only small letters this short is more likely a word. */
const SHORT_WORD = 4;
/** Words that a name must have, all of them in the query, where it is not there itself. */
const LEAST_PARTS = 2;
/** Where the text came from: files and folders, and the keys of arguments. They name no part of it. */
const ORIGIN = new RegExp(
  [
    /"\w+":/,
    // Each starts where a word does, so that a long word is read once.
    /(?<![^\s"'`(),;|<>])[^\s"'`(),;|<>]*[\w-]\.(?:c|cc|cpp|cs|cxx|go|h|hh|hpp|java|jsx?|json|md|[cm]?[jt]s|pyi?|rb|rs|toml|tsx|txt|ya?ml)\b(?!\()/,
    /(?<![\w.-])(?:~|\.{0,2})\/[\w./-]+/,
    /(?<![\w./-])[\w.-]+\/[\w.-]+\/[\w./-]+/,
  ].map(({ source }) => source).join("|"),
  "g",
);

/** Finds what `query` asks for. O(text). */
export function wantedOf(lines: Lines, query: string): Wanted {
  const asked = questionIn(query);
  const terms = queryTerms(asked);
  const before = new Uint32Array(lines.count + 1);
  const share = Math.round(lines.count / LINES_PER_HIT);
  const count = Math.min(MOST_HITS, Math.max(FEWEST_HITS, share));
  const hits = bestLines(lines, terms, count);
  const least = Math.max(CLEAR_SCORE, NEAR_BEST * (hits[0]?.score ?? 0));
  for (const { line, score } of hits) {
    if (score >= least) before[line + 1] = 1;
  }
  for (let i = 0; i < lines.count; i++) before[i + 1]! += before[i]!;
  return { names: namesIn(asked), terms: new Set(terms), before };
}

/** Whether a line from `from` to `to` is wanted. */
export function isWanted(
  { before }: Wanted,
  from: number,
  to: number,
): boolean {
  return before[to + 1]! > before[from]!;
}

/** Whether the query has a name in it, or all words of it. */
export function isNamed({ names, terms }: Wanted, name: string): boolean {
  if (name === "") return false;
  if (names.has(name)) return true;
  const parts = queryTerms(name);
  return parts.length >= LEAST_PARTS && parts.every((part) => terms.has(part));
}

/** The query without what says where the text is from. */
function questionIn(query: string): string {
  const read = query.length > 2 * QUERY_END
    ? `${query.slice(0, QUERY_END)} ${query.slice(-QUERY_END)}`
    : query;
  return read.replace(ORIGIN, " ");
}

function namesIn(query: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: name, index } of query.matchAll(/[A-Za-z_$][\w$]+/g)) {
    const isWord = name.length <= SHORT_WORD && /^[a-z]+$/.test(name);
    const end = index + name.length;
    // `run` may be any word; `run()`, `.run` and `` `run` `` are names.
    const isMarked = read(query, end) === "(" ||
      /[.:>`"/]/.test(read(query, index - 1));
    if (isWord && !isMarked) continue;
    if (names.size < MOST_NAMES) names.add(name);
  }
  return names;
}

function read(query: string, at: number): string {
  return query[at] ?? "";
}

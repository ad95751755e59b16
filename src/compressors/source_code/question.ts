/** What of a text its question asks for: functions by their names, lines by their words. @module */
import type { Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";

/** What is asked for. */
export interface Asked {
  /** Whether the question has a name in it, or all words of it. */
  readonly isNamed: (name: string) => boolean;
  /** Lines that fit the question clearly better than others. */
  readonly lines: readonly number[];
}

/** One line is asked for among this many. */
const LINES_PER_HIT = 40;
const FEWEST_HITS = 2;
const MOST_HITS = 10;
/** Least score of a line that is asked for: a word in every tenth line does not reach it. */
const CLEAR_SCORE = 2.5;
/** A line must score this share of the best one. */
const NEAR_BEST = 0.6;
/** UTF-16 units of a question that are read, at each end. */
const QUERY_END = 3000;
/** A name of only small letters this short is more likely a word. */
const SHORT_WORD = 4;
/** Words that a name must have, all of them in the question, where it is not there itself. */
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
export function askedOf(lines: Lines, query: string): Asked {
  const read = query.length > 2 * QUERY_END
    ? `${query.slice(0, QUERY_END)} ${query.slice(-QUERY_END)}`
    : query;
  const question = read.replace(ORIGIN, " ");
  const terms = queryTerms(question);
  const share = Math.round(lines.count / LINES_PER_HIT);
  const count = Math.min(MOST_HITS, Math.max(FEWEST_HITS, share));
  const hits = bestLines(lines, terms, count);
  const least = Math.max(CLEAR_SCORE, NEAR_BEST * (hits[0]?.score ?? 0));
  const names = namesIn(question);
  const words = new Set(terms);
  return {
    isNamed(name) {
      if (names.has(name)) return true;
      const parts = words.size === 0 ? [] : queryTerms(name);
      return parts.length >= LEAST_PARTS &&
        parts.every((part) => words.has(part));
    },
    lines: hits.filter(({ score }) => score >= least).map(({ line }) => line),
  };
}

function namesIn(question: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: name, index } of question.matchAll(/[A-Za-z_$][\w$]+/g)) {
    const isWord = name.length <= SHORT_WORD && /^[a-z]+$/.test(name);
    // `run` may be any word; `run()`, `.run` and `` `run` `` are names.
    const isMarked = question.charAt(index + name.length) === "(" ||
      /[.:>`"/]/.test(question.charAt(index - 1));
    if (!isWord || isMarked) names.add(name);
  }
  return names;
}

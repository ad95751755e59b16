/** Lines of a text that answer the question stay. @module */
import { keyAt, type Lines } from "../text/lines.ts";
import { bestLines, queryTerms } from "../text/relevance.ts";
import { STAYS } from "./choose.ts";

/** Most lines that stay for a question, how many of the same group, and the lines of a text per line that stays. */
const MOST = 8;
const FEWEST = 3;
const ALIKE = 2;
const PER_LINE = 8;

/** What is asked about. */
export interface Question {
  /** The question. */
  readonly query: string;
  /** Groups of lines that say the same about different things; 0 is a group of none. */
  readonly groups?: Int32Array;
  /** Least weight of lines that fit and need not stay; none when absent. */
  readonly fits?: number;
  /** Whether a line can be an answer; all can when absent. */
  readonly mayAnswer?: (line: number) => boolean;
}

/**
 * Makes the lines that best fit the question stay, at most two of a group. Units must be the lines of `lines`.
 *
 * @param weights Changed in place.
 */
export function keepAnswers(
  lines: Lines,
  { query, groups, fits, mayAnswer }: Question,
  weights: Uint8Array,
): void {
  const limit = Math.min(
    MOST,
    Math.max(FEWEST, Math.round(lines.count / PER_LINE)),
  );
  const taken = new Map<number, number>();
  let left = limit;
  for (const { line } of bestLines(lines, queryTerms(query), 8 * MOST)) {
    if (left === 0 && fits === undefined) return;
    if (mayAnswer !== undefined && !mayAnswer(line)) continue;
    weights[line] = Math.max(weights[line] ?? 0, fits ?? 0);
    const group = groups === undefined ? 0 : keyAt(groups, line);
    const times = taken.get(group) ?? 0;
    if (left === 0 || (group !== 0 && times >= ALIKE)) continue;
    taken.set(group, times + 1);
    weights[line] = STAYS;
    left--;
  }
}

/** Which lines of a log stay. @module */
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { SUMMARY, WARNING } from "../../text/signs/flags.ts";
import { coarseShape, exactShape } from "../../text/similarity.ts";
import { type Ends, endsOfGroups } from "./ends.ts";
import { indentOf, isQuoted, keepBelow, keepFailures } from "./failures.ts";
import { asksForTime, slowestLines } from "./slowest.ts";
import {
  DETAIL,
  FRAME,
  LIBRARY,
  type LogView,
  QUIET,
  SECTION,
  VOID,
} from "./view.ts";

/** Most lines of each end that stay of whatever kind, and size of a kind that is rare. */
const HEAD = 3;
const TAIL = 6;
const RARE = 4;
/** Lines that go without a look at what they say. */
const DULL = QUIET | LIBRARY;
/** Lines of which no example is kept. */
const UNTOLD = QUIET | FRAME | DETAIL;
const SUMMARY_ENDS: Ends = { first: 2, last: 2 };
/** Groups of warnings and of headings that stay. */
const MAX_GROUPS = 40;
const WARNING_ENDS: Ends = { first: 1, last: 1, maxGroups: MAX_GROUPS };
const SECTION_ENDS: Ends = { first: 2, last: 1, maxGroups: MAX_GROUPS };
/** Lines that best fit the query. */
const QUERY_LINES = 8;
const QUIET_ANSWERS = 2;
/** Other lines below a warning. */
const BELOW_WARNING = 5;
/** Distinct totals from which on alike ones are joined. */
const DISTINCT_TOTALS = 80;

/**
 * Marks the lines that stay: both ends, failures with context, results, the first and last
 * of each kind of message, and what fits the query.
 *
 * @returns One byte per line, 1 for a line that stays.
 */
export function selectLines(view: LogView, query: string): Uint8Array {
  const keep = new Uint8Array(view.lines.count);
  keepEnds(view, keep);
  keepFailures(view, keep);
  keepGroups(view, keep, SUMMARY, SUMMARY_ENDS);
  for (const i of keepGroups(view, keep, WARNING, WARNING_ENDS)) {
    keepBelow(view, keep, { from: i, limit: BELOW_WARNING });
  }
  keepGroups(view, keep, SECTION, SECTION_ENDS);
  keepAnswers(view, keep, query);
  for (const line of view.standouts) keep[line] = 1;
  if (asksForTime(query)) {
    for (const line of slowestLines(view.lines)) keep[line] = 1;
  }
  keepKinds(view, keep);
  return keep;
}

/** Keeps the first and last few lines that say something; some more of each end when they are of rare kinds. */
function keepEnds({ flags, groups, sizes }: LogView, keep: Uint8Array): void {
  const count = keep.length;
  const head = clamp(count / 20, HEAD, 10);
  const tail = count - clamp(count / 10, TAIL, 20);
  const first = clamp(count / 15, 1, HEAD);
  const last = count - clamp(count / 10, 2, TAIL);
  for (let i = 0; i < count; i++) {
    if (i >= head && i < tail || flags[i]! & DULL) continue;
    const isEnd = i < first || i >= last;
    if (isEnd || sizes.get(groups[i]!)! <= RARE) keep[i] = 1;
  }
  const isBare = keep.every((byte) => byte === 0);
  if (isBare && count > 0) keep[0] = keep[count - 1] = 1;
}

/** Keeps the ends of each group of lines that have `flag`; returns them. */
function keepGroups(
  view: LogView,
  keep: Uint8Array,
  flag: number,
  ends: Ends,
): number[] {
  const wanted: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    if (view.flags[i]! & flag) wanted.push(i);
  }
  const keys = flag === SUMMARY
    ? totalsOf(view, wanted)
    : Int32Array.from(wanted, (i) => view.groups[i]!);
  const kept = endsOfGroups(wanted, keys, ends);
  for (const i of kept) keep[i] = 1;
  return kept;
}

/** One number per total, equal for the same total of the same name; looser where there are very many. */
function totalsOf({ lines }: LogView, wanted: readonly number[]): Int32Array {
  const exact = Int32Array.from(wanted, (i) => exactShape(lines, i));
  return new Set(exact).size <= DISTINCT_TOTALS
    ? exact
    : Int32Array.from(wanted, (i) => coarseShape(lines, i));
}

/** Keeps the lines that best fit the query, not more than two of a kind, and few that say nothing. */
function keepAnswers(view: LogView, keep: Uint8Array, query: string): void {
  const ranked = bestLines(view.lines, queryTerms(query), 8 * QUERY_LINES);
  const taken = new Map<number, number>();
  let left = clamp(keep.length / 8, 3, QUERY_LINES);
  let quiet = QUIET_ANSWERS;
  for (const { line } of ranked) {
    const group = view.groups[line]!;
    const times = taken.get(group) ?? 0;
    const flag = view.flags[line]!;
    if (times >= 2 || flag & VOID) continue;
    if (flag & DULL && quiet-- <= 0) continue;
    taken.set(group, times + 1);
    keep[line] = 1;
    if (--left === 0) return;
  }
}

/** A kind of message of which nothing is kept yet. */
interface Kind {
  readonly first: number;
  last: number;
  readonly size: number;
  readonly indented: boolean;
}

/** Keeps an example of each kind of message, the rarest first, and the last of the most frequent. */
function keepKinds(view: LogView, keep: Uint8Array): void {
  const kinds = missingKinds(view, keep);
  const rare = kinds.filter((kind) => kind.size <= 2 && !kind.indented);
  const count = view.lines.count;
  const least = clamp(count / 10, 2, 6);
  const budget = clamp(Math.max(count * 0.06, rare.length * 0.15), least, 90);
  const ordered = [
    ...spread(rare, budget),
    ...kinds.filter((kind) => kind.size > 2)
      .sort((a, b) => a.size - b.size || a.first - b.first),
  ].slice(0, budget);
  for (const kind of ordered) keep[kind.first] = 1;
  const frequent = kinds.filter((kind) => kind.size >= 10)
    .sort((a, b) => b.size - a.size || a.first - b.first);
  const left = Math.min(4, budget - ordered.length);
  for (const kind of frequent.slice(0, Math.max(0, left))) keep[kind.last] = 1;
}

function missingKinds(view: LogView, keep: Uint8Array): Kind[] {
  const shown = new Set<number>();
  const { groups, flags, lines } = view;
  for (let i = 0; i < keep.length; i++) if (keep[i]) shown.add(groups[i]!);
  const kinds = new Map<number, Kind>();
  for (let i = 0; i < keep.length; i++) {
    const group = groups[i]!;
    if (group === 0 || flags[i]! & UNTOLD || shown.has(group)) continue;
    const kind = kinds.get(group);
    if (kind !== undefined) kind.last = i;
    else {
      kinds.set(group, {
        first: i,
        last: i,
        size: view.sizes.get(group)!,
        indented: indentOf(lines, i) > 0 || isQuoted(lines, i),
      });
    }
  }
  return [...kinds.values()];
}

/** At most `limit` of the items, evenly spread. */
function spread<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  return Array.from(
    { length: limit },
    (_, i) => items[Math.floor(i * items.length / limit)]!,
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}

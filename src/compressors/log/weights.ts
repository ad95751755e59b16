/** How much each line of a log says: what must stay, and what stays while there is room. @module */
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import { type Ends, endsOfGroups } from "../../engine/ends.ts";
import { keyAt } from "../../text/lines.ts";
import { SUMMARY, WARNING } from "../../text/signs/flags.ts";
import { exactShape } from "../../text/similarity.ts";
import { keepFailures, raise, raiseAll, raiseBelow } from "./failures.ts";
import {
  DETAIL,
  FRAME,
  indentOf,
  LIBRARY,
  type LogView,
  PART,
  QUIET,
  SECTION,
  VOID,
} from "./view.ts";

/** Weights below {@linkcode STAYS}. */
const WEIGHT = {
  total: 230,
  warning: 220,
  frame: 200,
  end: 180,
  section: 150,
  rare: 130,
  head: 110,
  example: 100,
  last: 40,
} as const;

/** Kept of a group of totals, of warnings and of headings. */
const TOTAL_ENDS: Ends = { first: 2, last: 2 };
const WARNING_ENDS: Ends = { first: 1, last: 1, maxGroups: 40 };
const SECTION_ENDS: Ends = { first: 2, last: 1, maxGroups: 40 };
/** Totals and warnings up to which all of them stay. */
const FEW = 12;
/** Lines at the end that stay of whatever kind. */
const ALWAYS_LAST = 2;
/** Lines of a kind that is rare, and one of which there are few. */
const RARE = 4;
const SINGLE = 2;
/** Lines below a warning that stay with it. */
const BELOW_WARNING = 5;
/** Lines that are no end, and lines of which no example is kept. */
const DULL = QUIET | LIBRARY;
const UNTOLD = QUIET | FRAME | DETAIL | PART;

/** Weighs the lines of a log by what they say, where they are, how rare they are and what is asked. O(text). */
export function weigh(view: LogView, query: string): Uint8Array {
  const weights = new Uint8Array(view.lines.count);
  weighKinds(view, weights);
  weighEnds(view, weights);
  raiseAll(weights, endsOf(view, SECTION, SECTION_ENDS), WEIGHT.section);
  for (const [i, flag] of view.flags.entries()) {
    if ((flag & (FRAME | LIBRARY)) === FRAME) raise(weights, i, WEIGHT.frame);
  }
  const totals = endsOf(view, SUMMARY, TOTAL_ENDS);
  raiseAll(weights, totals, totals.length <= FEW ? STAYS : WEIGHT.total);
  const warnings = endsOf(view, WARNING, WARNING_ENDS);
  const warned = warnings.length <= FEW ? STAYS : WEIGHT.warning;
  raiseAll(weights, warnings, warned);
  for (const from of warnings) {
    raiseBelow(view, weights, { from, limit: BELOW_WARNING, weight: warned });
  }
  keepFailures(view, weights);
  raiseAll(weights, view.standouts, STAYS);
  keepAnswers(view.lines, {
    query,
    groups: view.groups,
    mayAnswer: (line) => ((view.flags[line] ?? 0) & (VOID | DULL)) === 0,
  }, weights);
  return weights;
}

/** The first and last few lines that say something; some more of each end when they are of rare kinds. */
function weighEnds(
  { flags, groups, sizes }: LogView,
  weights: Uint8Array,
): void {
  const count = weights.length;
  const head = clamp(count / 20, 3, 10);
  const tail = count - clamp(count / 10, 6, 20);
  const first = clamp(count / 15, 1, 3);
  const last = count - ALWAYS_LAST;
  for (const [i, flag] of flags.entries()) {
    if ((i >= head && i < tail) || flag & DULL) continue;
    const isRare = (sizes.get(keyAt(groups, i)) ?? 0) <= RARE;
    if (i < first) raise(weights, i, WEIGHT.end);
    else if (i >= last) raise(weights, i, STAYS);
    else if (isRare) raise(weights, i, i < head ? WEIGHT.head : WEIGHT.end);
  }
}

/** An example of each kind of message, and the last of a frequent one. */
function weighKinds(view: LogView, weights: Uint8Array): void {
  const { groups, flags, messages, sizes } = view;
  const lasts = new Map<number, number>();
  for (const [i, group] of groups.entries()) {
    const flag = flags[i] ?? 0;
    if (group === 0 || flag & UNTOLD) continue;
    if (!lasts.has(group)) {
      const size = sizes.get(group) ?? 0;
      const isAside = size <= SINGLE && indentOf(messages, i) > 0;
      const rarity = Math.min(20, Math.ceil(Math.log2(size + 1)));
      const weight = size <= SINGLE ? WEIGHT.rare : WEIGHT.example - rarity;
      if (!isAside) raise(weights, i, weight);
    }
    lasts.set(group, i);
  }
  for (const [group, last] of lasts) {
    if ((sizes.get(group) ?? 0) >= 10) raise(weights, last, WEIGHT.last);
  }
}

/** The ends of each group of lines that have `flag`; totals are told apart by what they say. */
function endsOf(view: LogView, flag: number, ends: Ends): number[] {
  const wanted: number[] = [];
  for (const [i, flags] of view.flags.entries()) {
    if (flags & flag) wanted.push(i);
  }
  const keys = flag === SUMMARY
    ? Int32Array.from(wanted, (i) => exactShape(view.said, i))
    : Int32Array.from(wanted, (i) => keyAt(view.groups, i));
  return endsOfGroups(wanted, keys, ends);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** How much each line of a log says: what must stay, and what stays while there is room. @module */
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import { type Ends, endsOfGroups } from "../../engine/ends.ts";
import { keyAt } from "../../text/lines.ts";
import {
  ERROR,
  FAILED,
  PASSED,
  SUMMARY,
  WARNING,
} from "../../text/signs/flags.ts";
import { exactShape } from "../../text/similarity.ts";
import { clockSteps } from "./clock.ts";
import { counterJumps } from "./counters.ts";
import { SOURCE } from "./findings.ts";
import {
  isPlace,
  keepFailures,
  raise,
  raiseAll,
  raiseBelow,
} from "./failures.ts";
import { oddForms } from "./odd.ts";
import { isHead, keepHeadings, ownersOf, raiseHeads } from "./owners.ts";
import { rareFindings } from "./rules.ts";
import {
  DETAIL,
  FRAME,
  indentOf,
  LIBRARY,
  type LogView,
  PART,
  QUIET,
  VOID,
} from "./view.ts";

/** Weights below {@linkcode STAYS}. */
const WEIGHT = {
  total: 230,
  warning: 220,
  end: 180,
  rare: 130,
  head: 110,
  example: 100,
} as const;

/** Kept of a group of totals and of warnings. */
const TOTAL_ENDS: Ends = { first: 2, last: 2 };
const WARNING_ENDS: Ends = { first: 1, last: 1, maxGroups: 40 };
/** Totals and warnings up to which all of them stay. */
const FEW = 12;
/** Lines at the end that stay of whatever kind. */
const ALWAYS_LAST = 2;
/** Lines of a kind that is rare, and one of which there are few. */
const RARE = 4;
const SINGLE = 2;
/** Lines below a warning that stay with it. */
const BELOW_WARNING = 5;
/** Lines that fit the question best; of others none answers that is a step or a test that passed. */
const BEST = 1;
/** Lines that may be odd, and how many others make them so. */
const MOST_ODD = 3;
const FEWEST_USUAL = 8;
/** Lines that are no end, and lines of which no example is kept. */
const DULL = QUIET | LIBRARY;
const UNTOLD = QUIET | FRAME | DETAIL | PART;

/** Weighs the lines of a log by what they say, where they are, how rare they are and what is asked. O(text). */
export function weigh(view: LogView, query: string): Uint8Array {
  const weights = new Uint8Array(view.lines.count);
  weighKinds(view, weights);
  weighEnds(view, weights);
  const totals = endsOf(view, SUMMARY, TOTAL_ENDS);
  for (const i of totals) {
    const isPassed = ((view.flags[i] ?? 0) & (PASSED | ERROR)) === PASSED;
    const stays = totals.length <= FEW && !isPassed;
    raise(weights, i, stays ? STAYS : WEIGHT.total);
  }
  const warnings = endsOf(view, WARNING, WARNING_ENDS);
  const warned = warnings.length <= FEW ? STAYS : WEIGHT.warning;
  raiseAll(weights, warnings, warned);
  for (const from of warnings) {
    raiseBelow(view, weights, { from, limit: BELOW_WARNING, weight: warned });
  }
  keepFailures(view, weights);
  lowerSource(view, weights);
  raiseAll(weights, view.standouts, STAYS);
  raiseAll(weights, ownersOf(view, weights), STAYS);
  const odd = [
    ...oddLines(view),
    ...oddFormsOf(view),
    ...rareFindingsOf(view),
  ];
  raiseAll(weights, odd, STAYS);
  raiseAll(weights, clockSteps(view.lines), STAYS);
  raiseAll(weights, counterJumps(view.lines), STAYS);
  raiseAll(weights, view.plan?.wanted ?? [], WEIGHT.warning);
  raiseAll(weights, view.plan?.stays ?? [], STAYS);
  keepHeadings(view, weights, odd);
  let rank = 0;
  keepAnswers(view.lines, {
    query,
    groups: view.groups,
    mayAnswer: (line) => {
      const flag = view.flags[line] ?? 0;
      // A step or a passed test answers only if no line answers better.
      const most = ++rank <= BEST ? VOID | LIBRARY : VOID | DULL;
      return (flag & most) === 0;
    },
  }, weights);
  raiseHeads(view, weights);
  return weights;
}

/** Lines that are like no other, where nearly all are: what is destroyed among what is refreshed. */
function oddLines(
  { flags, groups, sizes, messages }: LogView,
): readonly number[] {
  const odd: number[] = [];
  let usual = 0;
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    const group = keyAt(groups, i);
    if (group === 0 || flag & (VOID | FRAME | LIBRARY)) continue;
    if (sizes.get(group) === 1 && !isHead(messages, i)) odd.push(i);
    else usual++;
  }
  return odd.length <= MOST_ODD && usual >= FEWEST_USUAL ? odd : [];
}

/** Lines of a form of their own; failures and warnings are weighed as such. */
function oddFormsOf({ flags, lines, quoted }: LogView): readonly number[] {
  return oddForms(lines, {
    isSeen: (line) => {
      const flag = flags[line] ?? 0;
      if (flag & (VOID | FRAME) || quoted[line] !== 0) return false;
      // Steps go on behind a warning, however they are indented.
      return (flag & PART) === 0 || (flag & QUIET) !== 0;
    },
    mayBeOdd: (line) => ((flags[line] ?? 0) & (ERROR | FAILED | WARNING)) === 0,
  });
}

/** Findings of rules that few others break, with the line below that says where. */
function rareFindingsOf({ flags, messages, quoted }: LogView): number[] {
  const found = rareFindings(
    messages,
    (line) =>
      ((flags[line] ?? 0) & (VOID | FRAME | QUIET)) === 0 &&
      ((quoted[line] ?? 0) & SOURCE) === 0,
  );
  return found.flatMap((line) =>
    isPlace(messages, line + 1) ? [line, line + 1] : [line]
  );
}

/** Takes the weight from source that findings quote, and from what says nothing below them. */
function lowerSource({ quoted, flags }: LogView, weights: Uint8Array): void {
  for (let i = 0; i < quoted.length; i++) {
    const flag = quoted[i]!;
    const isVoid = flag !== 0 && ((flags[i] ?? 0) & VOID) !== 0;
    if (flag & SOURCE || isVoid) weights[i] = 0;
  }
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
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    if ((i >= head && i < tail) || flag & DULL) continue;
    const isRare = (sizes.get(keyAt(groups, i)) ?? 0) <= RARE;
    if (i < first) raise(weights, i, WEIGHT.end);
    else if (i >= last) raise(weights, i, STAYS);
    else if (isRare) raise(weights, i, i < head ? WEIGHT.head : WEIGHT.end);
  }
}

/** An example of each kind of message. */
function weighKinds(view: LogView, weights: Uint8Array): void {
  const { groups, flags, messages, sizes } = view;
  const known = new Set<number>();
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    const flag = flags[i] ?? 0;
    if (group === 0 || flag & UNTOLD || known.has(group)) continue;
    known.add(group);
    const size = sizes.get(group) ?? 0;
    const isAside = size <= SINGLE && indentOf(messages, i) > 0;
    const rarity = Math.min(20, Math.ceil(Math.log2(size + 1)));
    const weight = size <= SINGLE ? WEIGHT.rare : WEIGHT.example - rarity;
    if (!isAside) raise(weights, i, weight);
  }
}

/** The ends of each group of lines that have `flag`; totals are told apart by what they say, but for those that passed. */
function endsOf(view: LogView, flag: number, ends: Ends): number[] {
  const wanted: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    const flags = view.flags[i]!;
    if (flags & flag) wanted.push(i);
  }
  const keys = wanted.map((i) =>
    flag === SUMMARY && ((view.flags[i] ?? 0) & PASSED) === 0
      ? exactShape(view.said, i)
      : keyAt(view.groups, i)
  );
  return endsOfGroups(wanted, Int32Array.from(keys), ends);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}

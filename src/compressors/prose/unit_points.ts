/** Points of a sentence, a row or a line of code, by its words and its place. @module */
import type { Lines } from "../../text/lines.ts";
import { isLicence, isPleasantry, mayBeEmpty } from "./clutter.ts";
import { RULE } from "./cues.ts";
import type { EchoIndex } from "./echoes.ts";
import type { Facts } from "./facts.ts";
import type { Focus } from "./focus.ts";
import { CLUTTER, CODE, FENCE, HEADING, ITEM, TEXT } from "./kinds.ts";
import { ASIDE, RESULT, type Section } from "./outline.ts";
import { bounded, HARD, HEADS } from "./points.ts";
import { BLOCK, LIST, ROWS, type Runs, TABLE } from "./runs.ts";
import {
  DESCRIBES,
  IN_ITEM,
  IN_LAST,
  OPENS_PARAGRAPH,
  OPENS_SECTION,
  type Unit,
} from "./units.ts";

/** What is known about all units. */
export interface Document {
  readonly lines: Lines;
  readonly units: readonly Unit[];
  /** Names and numbers, per unit. */
  readonly facts: readonly Facts[];
  /** Estimated, per unit. */
  readonly tokens: Float64Array;
  readonly sections: readonly Section[];
  readonly runs: Runs;
  readonly focus: Focus;
  /** The strongest cue of each unit. */
  readonly cues: Uint8Array;
  /** Points for what a unit is the first to name. */
  readonly news: Uint8Array;
  /** The sentences so far. */
  readonly echoes: EchoIndex;
  /** 1 for a line that names who says what follows. */
  readonly speakers: Uint8Array;
}

/** What the units of a section have in common, and what of it was met so far. */
export interface Around {
  readonly section: Section;
  /** Points that each of its units gets. */
  readonly bonus: number;
  /** Tokens of the section. */
  readonly size: number;
  /** Tokens before the unit, since the last section that is no part of another one's list. */
  readonly talk: { tokens: number };
  /** Rules so far. */
  rules: number;
  /** Sentences of a result so far. */
  results: number;
  /** Sentences so far. */
  sentences: number;
}

/** Lines of code that stay together, the fence's start among them. */
export const CODE_HEAD = 9;
/** Rows of a table that stay: its head, the line below it, one more. */
const TABLE_HEAD = 3;
/** Rules of one section that stay for certain: the first ones, and more of those with numbers. */
const RULES = 3;
const RULES_WITH_NUMBERS = 6;
/** Tokens of a section that allow for one more rule. */
const TOKENS_PER_RULE = 150;
/** Units of a result that stay for certain. */
const RESULTS = 3;
/** Items at the start of a list, and entries that make a list long. */
const LIST_HEAD = 3;
const LONG_LIST = 8;
/** Points for the best fit to the query. */
const FIT = 30;
/** Points lost each time that the tokens said before in the section, in steps of this size, double; and at most. */
const TALK_STEP = 60;
const TALK = 6;
const MOST_TALK = 24;
/** Points of what repeats an earlier sentence, and of what only leads somewhere. */
const ECHO = 2;
const NOTHING = 4;
/** Points for `HINT`, `CLAIM` and `RULE`, after those for no cue. */
const CUES = [0, 8, 16, 30];

/** UTF-16 units of a sentence in which its form is looked for. */
const WIDTH = 160;
/** What `gh` prints of an issue and of each comment: who and what it is about, and the rest. */
const META =
  /^(?:(title|state|author|labels|assignees|milestone|number)|comments|projects|association|edited|status|reviewers|url):\t/;
/** Starts what came out of it. */
const VERDICT =
  /^[\s>*_\d.-]*(?:decision|decided|verdict|conclusion|result|recommendation|status|root cause|cause|tl;dr|summary|short version|short answer|bottom line|outcome|workaround|fazit|ergebnis|вывод|итог|结论)\b[^.:\n]{0,24}:/i;
const DEFINITION =
  /^[\s>*_"'`(-]*(?!(?:this|that|it|there|these|those|here|he|she|they|we|you|what|which)\b)[^.,;:!?]{1,80}?\s(?:is|are|means)\s(?:an?|the(?! (?:same|case|most|best|part|reason|other|rest)\b)|any|one|how|what|when|where|whether)\s/i;
/** Where a generator found something. */
const TRACE =
  /^[\s>]*(?:Defined in|Inherited from|Implementation of|Overrides|View source|Source)\b:?/;
/** A place that links lead to. */
const ANCHOR = /^\s*<a (?:id|name)="[^"]*"><\/a>\s*$/;
const EXAMPLE =
  /^[\s>]*(?:[-*] )?(?:for example|for instance|e\.g\.|example:|as an example|suppose|imagine|think of|zum beispiel|например)/i;

/** Rates one unit; units of a section in order. O(unit). */
export function rateUnit(
  document: Document,
  u: number,
  around: Around,
): number {
  const { lines, units, runs, focus, cues, facts, speakers } = document;
  const { kind, start, end } = units[u]!;
  if (kind === CLUTTER) return 0;
  // Whether it goes depends on what stands below it.
  if (kind === HEADING) return HEADS;
  const head = lines.text.slice(start, Math.min(end, start + WIDTH));
  if (runs.alike[u] === 1 && focus.fit[u] === 0) return NOTHING;
  const talk = TALK * Math.log2(1 + around.talk.tokens / TALK_STEP);
  const more = around.bonus + document.news[u]! + FIT * focus.fit[u]! -
    Math.min(MOST_TALK, talk);
  if (kind === TEXT || kind === ITEM) {
    if (speakers[u - 1] !== 1 && saysNothing(document, u, head)) return 0;
    if (ANCHOR.test(head)) return NOTHING;
    const sentence = { start, end, facts: facts[u]! };
    const isEcho = document.echoes.isEcho(sentence, cues[u] === 0);
    if (isEcho && !opens(units[u]!)) return ECHO;
    const rated = rateSentence(document, u, { around, head });
    return rated === HARD ? HARD : bounded(rated + more);
  }
  if (speakers[u] === 1) return HARD;
  const meta = META.exec(head);
  if (meta !== null) return meta[1] === undefined ? NOTHING : HARD;
  const rated = rateLine(runs, u, { around, kind });
  if (rated === HARD) return HARD;
  const isRule = cues[u] === RULE && runs.what[u] !== ROWS;
  if (isRule && isRuleToKeep(facts[u]!, around)) return HARD;
  return bounded(rated + more);
}

/** A row, or a line of code. */
function rateLine(
  runs: Runs,
  u: number,
  { around, kind }: { readonly around: Around; readonly kind: number },
): number {
  const index = runs.index[u]!;
  const isSoft = around.section.isMember || around.section.role === ASIDE;
  if (runs.odd[u] === 1) return HARD;
  if (runs.what[u] === BLOCK) {
    if (index < CODE_HEAD || kind === FENCE) return isSoft ? 62 : HARD;
    return 34;
  }
  if (runs.what[u] === TABLE) {
    if (index < TABLE_HEAD) return isSoft && index > 1 ? 60 : HARD;
    return runs.size[u]! > LONG_LIST + TABLE_HEAD ? 34 : 46;
  }
  return kind === CODE ? 42 : 48;
}

function rateSentence(
  document: Document,
  u: number,
  { around, head }: { readonly around: Around; readonly head: string },
): number {
  const { units, runs, cues, speakers } = document;
  const unit = units[u]!;
  const { section } = around;
  const isLast = (unit.place & IN_LAST) !== 0;
  const isFirst = around.sentences++ === 0;
  if (runs.odd[u] === 1 || isVerdict(head)) return HARD;
  if (cues[u] === RULE && isRuleToKeep(document.facts[u]!, around)) return HARD;
  // Nobody must seem to have said what another one said.
  if (speakers[u] === 1 || speakers[u - 1] === 1) return HARD;
  if (isFirst && section.role !== ASIDE && !section.isMember) return HARD;
  const isResult = section.role === RESULT && !section.isMember;
  if (isResult && around.results++ < RESULTS) return HARD;
  if (asks(document.lines, unit.end)) {
    return isLast || around.sentences <= 2 ? HARD : 80;
  }
  let points = placePoints(runs, u, unit) + CUES[cues[u]!]!;
  if (isFirst) points += 8;
  if (isDefinition(head)) points += 14;
  if (head.includes("**")) points += 8;
  if (EXAMPLE.test(head)) points -= 12;
  if (TRACE.test(head)) points -= 40;
  return isLast ? points + 14 : points;
}

function isVerdict(head: string): boolean {
  return head.includes(":") && VERDICT.test(head);
}

/** Looks for the verb first: the pattern is slow. */
function isDefinition(head: string): boolean {
  const hasVerb = head.includes(" is ") || head.includes(" are ") ||
    head.includes(" means ");
  return hasVerb && DEFINITION.test(head);
}

/** Points by where a sentence stands. */
function placePoints(runs: Runs, u: number, { place }: Unit): number {
  const opensParagraph = (place & OPENS_PARAGRAPH) !== 0;
  if (runs.what[u] === LIST) {
    if (!opensParagraph) return 34;
    if (runs.index[u]! < LIST_HEAD) return 58;
    return runs.size[u]! > LONG_LIST ? 38 : 46;
  }
  if (place & DESCRIBES) return 48;
  return opensParagraph ? 50 : 38;
}

function isRuleToKeep({ numbers }: Facts, around: Around): boolean {
  const least = numbers.length > 0 ? RULES_WITH_NUMBERS : RULES;
  return around.rules++ < least + around.size / TOKENS_PER_RULE;
}

/** A pleasantry, or a licence behind the start. */
function saysNothing(
  { facts, cues }: Document,
  u: number,
  head: string,
): boolean {
  if (u === 0 || !mayBeEmpty(head)) return false;
  if (isLicence(head)) return true;
  const { names, numbers } = facts[u]!;
  const isBare = cues[u] !== RULE && names.length + numbers.length === 0;
  return isBare && isPleasantry(head);
}

/** Where a reader looks first: behind a heading, in a list item, below an option. */
function opens({ place }: Unit): boolean {
  return (place & (OPENS_SECTION | DESCRIBES)) !== 0 ||
    (place & (IN_ITEM | OPENS_PARAGRAPH)) === (IN_ITEM | OPENS_PARAGRAPH);
}

function asks({ text, codes }: Lines, end: number): boolean {
  let last = end - 1;
  while (last > 0 && (codes[last]! <= 32 || codes[last] === 42)) last--;
  const code = codes[last]!;
  return code === 63 || (code >= 128 && text[last] === "？");
}

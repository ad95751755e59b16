/** Words for what a gap in a log holds; each is true of every line that it counts. @module */
import { addTo } from "../../text/counts.ts";
import type { Gap, Told } from "../../core/kind.ts";
import {
  keyAt,
  lineEnd,
  lineHead,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { ERROR, PASSED, WARNING } from "../../text/signs/flags.ts";
import { planLabel } from "./plan_names.ts";
import { ruleOf } from "./rules.ts";
import { FRAME, type LogView, PART, QUIET, VOID } from "./view.ts";

/** Gaps of fewer UTF-16 units are not described, unless something failed in them. */
const LEAST_TOLD = 160;
/** UTF-16 units of a line that is searched for places. */
const LONGEST = 400;
/** UTF-16 units of an example. */
const EXAMPLE = 48;
/** Levels and ids before a message, which say nothing about it. */
const UNSAID =
  /^(?:(?:(?:level|lvl)=)?[[<(]?(?:INFO|DEBUG|TRACE|NOTICE|LOG)[\])>]?[\s:|]+|\S*\d[\da-f]{2}\S* +)+/i;
const WORD = /[A-Za-z]{2}/;
/** Share of the lines of a gap that alike lines must have to be worth an example, unless they failed. */
const MOST_SHARE = 0.4;

/** A file with a line, or a host with a port. */
const PLACE =
  /(?:[A-Za-z][\w./@-]*|\d+\.\d+\.\d+\.\d+)(?::\d+(?::\d+)?|\(\d+,\d+\))/g;
/** Places that a note lists. */
const MAX_PLACES = 12;

/** A level that calls a line harmless, and words of errors in it; without such a word it fails by a value. */
const HARMLESS = /(?:^|[\s[(<=|"])(?:INFO|DEBUG|TRACE|NOTICE|NOTE)(?![\w-])/i;
const ERROR_WORD =
  /err(?:or|no)|fail|abort|except|denied|fatal|critical|panic/i;
const WARNS = /(?:^|[\s[(<=|"])WARN(?:ING)?(?![\w-])/i;
/** UTF-16 units behind the start of a line in which its level is. */
const LEVEL_WIDTH = 12;
const MENTION = 3;

/** Rules that a note lists. */
const MAX_RULES = 6;

/** Lines of each group. */
type Groups = Map<number, number[]>;

/** What a gap holds. Blank lines and frames are not counted. */
interface Content {
  /** Lines that speak of errors, and whose level says that they are none. */
  mentions: number;
  warned: number;
  passed: number;
  /** Lines of steps that every run takes. */
  steps: number;
  readonly failing: Groups;
  readonly others: Groups;
}

/** `3 error lines in 2 groups, 2 like "disk 4 lost"; at src/a.ts:3, db-2:5432; 1 warning; 2 E501; 28 passed, 45 steps, 9 like "GET /health"`. */
export function labelOf(view: LogView, gap: Gap, told: Told): string {
  if (told.gaps[0] === gap) noteKept(view, told);
  const size = lineStart(view.lines, gap.to) - lineStart(view.lines, gap.from);
  const content = contentOf(view, gap);
  const { failing, mentions, warned, passed, steps, others } = content;
  let failed = 0;
  for (const lines of failing.values()) failed += lines.length;
  const like = size < LEAST_TOLD
    ? ""
    : likeText(view, { groups: failing, least: 1 }, told);
  const least = Math.max(3, MOST_SHARE * (gap.to - gap.from));
  const rest = size < LEAST_TOLD ? [] : [
    passed > 1 ? `${passed} lines ok` : "",
    steps > 1 ? `${steps} steps` : "",
    likeText(view, { groups: others, least }, told),
  ];
  return [
    failing.size > 1
      ? `${counted(failed, "error line")} in ${failing.size} groups, ${like}`
      : `${counted(failed, "error line")} ${like.replace(/^\d+ /, "")}`,
    failed === 0 ? "" : placesText(view, gap, told),
    counted(mentions, "line") +
    (mentions > 0 ? " about errors below WARN" : ""),
    counted(warned, "warning"),
    size < LEAST_TOLD ? "" : rulesText(view, gap),
    rest.filter((part) => part !== "").join(", "),
    view.plan === undefined ? "" : planLabel(view.plan, gap),
  ].map((part) => part.replace(/[ ,]+$/, "")).filter((part) => part !== "")
    .join("; ");
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `9 like "GET /health 200"`: the most frequent lines of a gap, and one of them, cut; nothing where a note or a kept line shows it. */
function likeText(
  { lines, behind }: LogView,
  { groups, least }: { groups: Groups; least: number },
  { said }: Told,
): string {
  let most: number[] = [];
  let key = 0;
  for (const [group, members] of groups) {
    if (members.length > most.length) [key, most] = [group, members];
  }
  if (most.length < least || said.has(key)) return "";
  const [line = 0] = most;
  const from = offsetAt(behind, line);
  const message = lines.text.slice(from, lineEnd(lines, line)).trim()
    .replace(UNSAID, "");
  if (!WORD.test(message)) return "";
  said.add(key);
  const isCut = message.length > EXAMPLE;
  const example = isCut ? `${message.slice(0, EXAMPLE).trimEnd()}…` : message;
  return `${most.length} like "${example}"`;
}

/** Files with a line and hosts with a port that no note and no kept line names: `at src/a.ts:3, db-2:5432 and 7 more`. */
function placesText(view: LogView, { from, to }: Gap, { said }: Told): string {
  const places: string[] = [];
  for (let i = from; i < to; i++) {
    if (rankOf(view, i) !== ERROR) continue;
    for (const place of placesOf(view, i)) {
      if (!said.has(place)) places.push(place);
      said.add(place);
    }
  }
  if (places.length === 0) return "";
  const listed = places.slice(0, MAX_PLACES).join(", ");
  const rest = places.length - MAX_PLACES;
  return `at ${listed}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** How many findings break which rule, the most frequent first: `205 E501, 198 F401`. */
function rulesText({ flags, messages }: LogView, { from, to }: Gap): string {
  const counts = new Map<string, number>();
  for (let i = from; i < to; i++) {
    if (((flags[i] ?? 0) & (ERROR | WARNING)) === 0) continue;
    const rule = ruleOf(lineHead(messages, i, LONGEST));
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const listed = ranked.slice(0, MAX_RULES)
    .map(([rule, count]) => `${count} ${rule}`).join(", ");
  const more = ranked.length - MAX_RULES;
  return more > 0 ? `${listed} and ${more} more rules` : listed;
}

function placesOf({ lines, behind }: LogView, line: number): readonly string[] {
  const from = offsetAt(behind, line);
  const end = Math.min(lineEnd(lines, line), from + LONGEST);
  return lines.text.slice(from, end).match(PLACE) ?? [];
}

/** Notes the places of failures and the kinds of other lines that are kept, before the first gap is described. */
function noteKept(view: LogView, { kept, said }: Told): void {
  for (const [i, keep] of kept.entries()) {
    if (keep !== 1) continue;
    if (rankOf(view, i) !== ERROR) said.add(keyOf(view, i));
    else for (const place of placesOf(view, i)) said.add(place);
  }
}

/** Equal for lines of a group that failed, and for those that did not. */
function keyOf(view: LogView, line: number): number {
  return 2 * keyAt(view.groups, line) + (rankOf(view, line) === ERROR ? 1 : 0);
}

/** {@linkcode ERROR}, {@linkcode WARNING}, {@linkcode MENTION} or 0: what a line is by its signs and by its level. */
function rankOf({ flags, lines, behind }: LogView, line: number): number {
  const flag = flags[line] ?? 0;
  if ((flag & ERROR) === 0) return flag & WARNING;
  const from = offsetAt(behind, line);
  const start = lines.text.slice(lineStart(lines, line), from + LEVEL_WIDTH);
  if (WARNS.test(start)) return WARNING;
  const end = Math.min(lineEnd(lines, line), from + LONGEST);
  return HARMLESS.test(start) && ERROR_WORD.test(lines.text.slice(from, end))
    ? MENTION
    : ERROR;
}

function contentOf(view: LogView, { from, to }: Gap): Content {
  const { flags, groups } = view;
  const content: Content = {
    mentions: 0,
    warned: 0,
    passed: 0,
    steps: 0,
    failing: new Map(),
    others: new Map(),
  };
  for (let i = from; i < to; i++) {
    const flag = flags[i] ?? 0;
    const group = keyAt(groups, i);
    const rank = rankOf(view, i);
    if (flag & QUIET) {
      if (flag & PASSED) content.passed++;
      else if (!(flag & VOID)) content.steps++;
    } else if (group === 0 || flag & (FRAME | PART)) continue;
    else if (rank === WARNING) content.warned++;
    else if (rank !== ERROR && view.plan?.inside[i] === 1) continue;
    else if (rank === MENTION) content.mentions++;
    else {
      const known = rank === ERROR ? content.failing : content.others;
      addTo(known, keyOf(view, i), i);
    }
  }
  return content;
}

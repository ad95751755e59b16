/** How much each line of a log says: what must stay, and what stays while there is room. @module */
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  keyAt,
  lineAt,
  lineEnd,
  lineLength,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import {
  ERROR,
  FAILED,
  REFUSED,
  SUMMARY,
  WARNING,
} from "../../text/signs/flags.ts";
import { requestedIn } from "../../text/signs/requests.ts";
import { exactShape } from "../../text/similarity.ts";
import {
  DETAIL,
  FRAME,
  indentOf,
  isBlank,
  isQuoted,
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
  near: 190,
  end: 180,
  section: 150,
  rare: 130,
  head: 110,
  example: 100,
  last: 40,
} as const;

/** Up to here every failing name stays, however alike. */
const ALL_NAMES = 200;
/** More distinct errors than this are told apart more loosely. */
const DISTINCT_ERRORS = 150;
/** Kept of a group of failures, of totals, of warnings and of headings. */
const ERROR_ENDS: Ends = { first: 2, last: 1 };
/** Up to here all refused requests stay; of more, so many places. */
const FEW_REFUSED = 4;
const REFUSED_ENDS: Ends = { first: 1, last: 1, maxGroups: 8 };
/** Errors of a compiler of which the place stays. */
const MOST_PLACES = 60;
/** Lines from a failure to its trace, and between frames of one. */
const TRACE_REACH = 4;
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
/** Failures that stay with two lines on both sides, and with one. */
const WIDE_REACH = 10;
const NARROW_REACH = 40;
/** Frames in the user's code of one failure, and other lines below an error and below a warning. */
const USER_FRAMES = 24;
const BELOW_ERROR = 16;
const BELOW_WARNING = 5;
/** Lines below a message that are looked at. */
const REACH = 400;
/** UTF-16 units of a note of a compiler that stays. */
const LONGEST_NOTE = 160;
/** Lines next to a failure that say nothing about it, lines that are no end, and lines of which no example is kept. */
const UNRELATED = QUIET | LIBRARY | DETAIL | ERROR | FAILED;
const DULL = QUIET | LIBRARY;
const UNTOLD = QUIET | FRAME | DETAIL | PART;

const COLON = 58;
/** Marks below quoted source. */
const POINTER = /^ *\d* *\| *(?:[|/\\] *)*[\^~-]/;

/** Kept of a group of alike lines: so many from its start, so many from its end. */
interface Ends {
  readonly first: number;
  readonly last: number;
  /** Groups of which lines are taken, in order of appearance; all when absent. */
  readonly maxGroups?: number;
}

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

function raise(weights: Uint8Array, line: number, weight: number): void {
  if (codeAt(weights, line) < weight) weights[line] = weight;
}

function raiseAll(
  weights: Uint8Array,
  lines: readonly number[],
  weight: number,
): void {
  for (const line of lines) raise(weights, line, weight);
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

/** Keeps failures with what is around and below them: every failing name, of alike errors the first two and the last. */
function keepFailures(view: LogView, weights: Uint8Array): void {
  const errors: number[] = [];
  const names: number[] = [];
  const refused: number[] = [];
  for (const [i, flag] of view.flags.entries()) {
    if (flag & FAILED) names.push(i);
    else if (flag & REFUSED) refused.push(i);
    else if (flag & ERROR) errors.push(i);
  }
  raiseAll(weights, refusedIn(view, refused), STAYS);
  // Of alike messages of a compiler each place stays, which is in the next line.
  const placed: number[] = [];
  for (const [i, flag] of view.flags.entries()) {
    if (flag & (ERROR | WARNING) && isPlace(view.messages, i + 1)) {
      placed.push(i);
    }
  }
  for (const i of placed.slice(0, MOST_PLACES)) {
    weights[i] = weights[i + 1] = STAYS;
  }
  const kept = names.length <= ALL_NAMES
    ? names
    : endsOfGroups(names, namesOf(view, names), ERROR_ENDS);
  kept.push(...endsOfGroups(errors, namesOf(view, errors), ERROR_ENDS));
  const reach = kept.length <= WIDE_REACH
    ? 2
    : kept.length <= NARROW_REACH
    ? 1
    : 0;
  for (const line of kept) {
    weights[line] = STAYS;
    keepAround(view, weights, { line, reach });
    raiseBelow(view, weights, {
      from: line,
      limit: BELOW_ERROR,
      weight: STAYS,
    });
  }
  keepTraces(view, weights);
}

/** Whether a line is an arrow and a place: `  --> src/main.rs:4:5`. */
function isPlace(lines: Lines, line: number): boolean {
  const at = lineStart(lines, line) + indentOf(lines, line);
  return lines.text.startsWith("--> ", at);
}

/** Refused requests that stay, of many the first and the last of each place. */
function refusedIn({ lines }: LogView, refused: readonly number[]): number[] {
  if (refused.length <= FEW_REFUSED) return [...refused];
  const numbers = new Map<string, number>();
  const places = Int32Array.from(refused, (i) => {
    const place = requestedIn(lineAt(lines, i)) ?? "";
    const known = numbers.get(place) ?? numbers.size + 1;
    numbers.set(place, known);
    return known;
  });
  return [
    ...refused.slice(0, 1),
    ...refused.slice(-1),
    ...endsOfGroups(refused, places, REFUSED_ENDS),
  ];
}

/** The user's frames of the traces that follow failures that stay, each distinct one once, with the heads of threads. */
function keepTraces({ lines, flags }: LogView, weights: Uint8Array): void {
  const known = new Set<string>();
  // The last line of a trace, the head of its thread, and frames of it.
  let last = -Infinity;
  let head = -1;
  let frames = 0;
  for (const [i, flag] of flags.entries()) {
    if (flag & FRAME) {
      if (i - last > TRACE_REACH) continue;
      last = i;
      if (flag & LIBRARY || ++frames > USER_FRAMES) continue;
      const frame = lineAt(lines, i);
      if (known.has(frame)) continue;
      known.add(frame);
      raise(weights, i, STAYS);
      if (head >= 0) raise(weights, head, STAYS);
    } else if (flag & (ERROR | FAILED | WARNING) && weights[i] === STAYS) {
      [last, head, frames] = [i, -1, 0];
    } else if (last >= 0 && isThread(lines, i) && (flags[i + 1] ?? 0) & FRAME) {
      [last, head, frames] = [i, i, 0];
    }
  }
}

/** Whether a line heads the frames of a thread: `goroutine 18 [running]:`, `Previous write at 0x7f by thread 3:`. */
function isThread(lines: Lines, line: number): boolean {
  return codeAt(lines.codes, lineEnd(lines, line) - 1) === COLON;
}

/** The neighbours of a failure: the next ones, and those behind them if they are of a rare kind. */
function keepAround(
  view: LogView,
  weights: Uint8Array,
  { line, reach }: { line: number; reach: number },
): void {
  const { flags, groups, sizes } = view;
  for (const step of [-1, 1]) {
    for (let n = 1; n <= reach; n++) {
      const near = line + step * n;
      if (near < 0 || near >= weights.length) break;
      if ((flags[near] ?? 0) & UNRELATED) break;
      // What is above may belong to another message, or to a frame.
      if (step < 0 && (flags[near] ?? 0) & PART) break;
      const isRare = (sizes.get(keyAt(groups, near)) ?? 0) <= RARE;
      if (n === 1) raise(weights, near, STAYS);
      else if (isRare) raise(weights, near, WEIGHT.near);
    }
  }
}

/** One number per failure, equal for the same message about the same name; looser where very many lines would stay. */
function namesOf(view: LogView, failures: readonly number[]): Int32Array {
  const shapes = Int32Array.from(failures, (i) => exactShape(view.said, i));
  return new Set(shapes).size <= DISTINCT_ERRORS
    ? shapes
    : Int32Array.from(failures, (i) => keyAt(view.groups, i));
}

/** What belongs to a message. */
interface Message {
  /** Its line. */
  readonly from: number;
  /** Most lines below it that are no frames. */
  readonly limit: number;
  /** Weight of these lines. */
  readonly weight: number;
}

/** Raises what belongs to a message: lines indented deeper, notes of a compiler, frames in the user's code. */
function raiseBelow(
  { messages: lines, flags }: LogView,
  weights: Uint8Array,
  { from, limit, weight }: Message,
): void {
  const depth = indentOf(lines, from);
  let frames = 0;
  let others = 0;
  // Lines deeper than this belong to something that is left out.
  let skipped = Infinity;
  let isNoted = false;
  const end = Math.min(lines.count, from + REACH);
  for (let i = from + 1; i < end && others < limit; i++) {
    const flag = flags[i] ?? 0;
    const indent = indentOf(lines, i);
    if (flag & FRAME) {
      skipped = flag & LIBRARY ? indent : Infinity;
      if (!(flag & LIBRARY) && ++frames <= USER_FRAMES) {
        raise(weights, i, weight);
      }
    } else if (isBlank(lines, i)) {
      if (i + 1 >= lines.count || indentOf(lines, i + 1) <= depth) return;
    } else if (flag & DETAIL) {
      isNoted = true;
      if (!isShortNote(lines, i)) continue;
      raise(weights, i, weight);
      others++;
    } else if (indent <= depth && !isQuoted(lines, i)) return;
    else if (!isNoted && indent <= skipped) {
      // The source below a note is that of another place.
      skipped = Infinity;
      const isContext = isQuoted(lines, i) && !isPointed(lines, i);
      raise(weights, i, isContext ? Math.min(weight, WEIGHT.near) : weight);
      others++;
    }
  }
}

/** Whether a line of quoted source is the one in question: marked, or above a mark. */
function isPointed(lines: Lines, line: number): boolean {
  return POINTER.test(lineAt(lines, line)) ||
    (line + 1 < lines.count && POINTER.test(lineAt(lines, line + 1)));
}

function isShortNote(lines: Lines, line: number): boolean {
  return lineLength(lines, line) < LONGEST_NOTE &&
    lineAt(lines, line).includes("note:");
}

/** The first and last few of each group, ascending within a group; groups beyond `maxGroups` give nothing. O(n). */
function endsOfGroups(
  wanted: readonly number[],
  keys: Int32Array,
  { first, last, maxGroups = Infinity }: Ends,
): number[] {
  const groups = new Map<number, number[]>();
  for (const [i, line] of wanted.entries()) {
    const key = keyAt(keys, i);
    const group = groups.get(key);
    if (group === undefined) {
      if (groups.size < maxGroups) groups.set(key, [line]);
    } else if (group.length < first + last) group.push(line);
    else {
      group.copyWithin(first, first + 1);
      group[group.length - 1] = line;
    }
  }
  return [...groups.values()].flat();
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** Failures in a log, and what belongs to them. @module */
import { STAYS } from "../../engine/choose.ts";
import { type Ends, endsOfGroups } from "../../engine/ends.ts";
import {
  codeAt,
  keyAt,
  lineAt,
  lineLength,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { ERROR, FAILED, REFUSED, WARNING } from "../../text/signs/flags.ts";
import { exactShape } from "../../text/similarity.ts";
import { BELOW, SOURCE } from "./findings.ts";
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
} from "./view.ts";

/** Up to here every failing name stays, however alike. */
const ALL_NAMES = 200;
/** More distinct errors than this are told apart more loosely. */
const DISTINCT_ERRORS = 150;
/** Kept of a group of failures. */
const ERROR_ENDS: Ends = { first: 2, last: 1 };
/** Up to here all refused requests stay; of more, so many groups. */
const FEW_REFUSED = 4;
const REFUSED_ENDS: Ends = { first: 1, last: 1, maxGroups: 8 };
/** Findings of a compiler or a linter of which the place stays. */
const MOST_PLACES = 60;
/** Lines of a kind that is rare. */
const RARE = 4;
/** Failures that stay with two lines on both sides, and with one. */
const REACHES = [10, 40];
/** Lines below a failure that are no frames. */
const BELOW_ERROR = 16;
/** Lines below a message that are looked at. */
const REACH = 400;
/** UTF-16 units of a note of a compiler that stays. */
const LONGEST_NOTE = 160;
/** Lines next to a failure that say nothing about it. */
const UNRELATED = QUIET | LIBRARY | DETAIL | ERROR | FAILED;

/** A call of the runtime in a stack that is a value, as in the reports of a test runner. */
const RUNTIME = / \(node:\S{1,200}:\d+\)$/;
/** Weight of lines that stay beside a failure while there is room. */
const NEAR = 190;
/** Lines below a failure in which its place is looked for, and UTF-16 units of each. */
const PLACE_REACH = 12;
const WIDTH = 300;
/** `src/a.ts:3:7`, `a.py:3: `; no host with a port. */
const SOURCE_PLACE = /[\w)]\.[A-Za-z]\w{0,9}(?::\d+:\d+|:\d+: )/;
/** Frames in the user's code that stay below one failure, and of a log. */
const USER_FRAMES = 24;
const ALL_FRAMES = 200;

/** Keeps failures with what is around and below them: every failing name, of alike errors the first two and the last. */
export function keepFailures(view: LogView, weights: Uint8Array): void {
  const errors: number[] = [];
  const names: number[] = [];
  const refused: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    const flag = view.flags[i]!;
    if (flag & FAILED) names.push(i);
    else if (flag & REFUSED) refused.push(i);
    else if (flag & ERROR) errors.push(i);
  }
  raiseAll(weights, refusedIn(view, refused), STAYS);
  keepPlaces(view, weights);
  const kept = names.length <= ALL_NAMES
    ? names
    : endsOfGroups(names, namesOf(view, names), ERROR_ENDS);
  kept.push(...endsOfGroups(errors, namesOf(view, errors), ERROR_ENDS));
  const reach = REACHES.filter((most) => kept.length <= most).length;
  for (const line of kept) {
    weights[line] = STAYS;
    keepAround(view, weights, { line, reach });
    const below = { from: line, limit: BELOW_ERROR, weight: STAYS };
    raiseBelow(view, weights, below);
    keepPlaceBelow(view, weights, line);
  }
  keepFrames(view, weights);
}

/** Where a failure is, if only a line below it says so. */
function keepPlaceBelow(
  { lines, flags }: LogView,
  weights: Uint8Array,
  from: number,
): void {
  const end = Math.min(lines.count, from + PLACE_REACH);
  for (let i = from; i < end; i++) {
    const flag = flags[i] ?? 0;
    if (flag & LIBRARY) continue;
    if (i > from && flag & (ERROR | FAILED | SECTION)) return;
    if (!SOURCE_PLACE.test(lineAt(lines, i).slice(0, WIDTH))) continue;
    weights[i] = STAYS;
    return;
  }
}

/** The frames in the user's code stay, each distinct one once. */
function keepFrames({ lines, flags }: LogView, weights: Uint8Array): void {
  const known = new Set<string>();
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    if ((flag & (FRAME | LIBRARY)) !== FRAME) continue;
    const frame = lineAt(lines, i).trim();
    if (known.has(frame)) continue;
    if (known.size === ALL_FRAMES) return;
    known.add(frame);
    weights[i] = STAYS;
  }
}

/** Of alike messages of a compiler each place stays, which is in the next line, and what is said about its source. */
function keepPlaces(
  { flags, messages, quoted }: LogView,
  weights: Uint8Array,
): void {
  let left = MOST_PLACES;
  for (let i = 0; i < flags.length; i++) {
    const flagged = flags[i]!;
    const isFinding = (flagged & (ERROR | WARNING)) !== 0;
    if (!isFinding || !isPlace(messages, i + 1)) continue;
    if (left-- <= 0) return;
    weights[i] = weights[i + 1] = STAYS;
    if (!(flagged & ERROR)) continue;
    for (let at = i + 2; (quoted[at] ?? 0) !== 0; at++) {
      if (quoted[at] === BELOW && !isBlank(messages, at)) weights[at] = STAYS;
    }
  }
}

/** Whether a line is an arrow and a place: `  --> src/main.rs:4:5`. */
export function isPlace(lines: Lines, line: number): boolean {
  if (line >= lines.count) return false;
  const at = lineStart(lines, line) + indentOf(lines, line);
  return lines.text.startsWith("--> ", at);
}

/** Refused requests that stay, of many the first and the last of those that are alike. */
function refusedIn(view: LogView, refused: readonly number[]): number[] {
  if (refused.length <= FEW_REFUSED) return [...refused];
  return [
    ...refused.slice(-1),
    ...endsOfGroups(refused, namesOf(view, refused), REFUSED_ENDS),
  ];
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
      // What is above may belong to another message, or to a trace.
      if (step < 0 && (flags[near] ?? 0) & (PART | FRAME)) break;
      const isRare = (sizes.get(keyAt(groups, near)) ?? 0) <= RARE;
      if (n === 1) raise(weights, near, STAYS);
      else if (isRare) raise(weights, near, NEAR);
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

/** What belongs to a message: its line, the most lines below it that are no frames, and their weight. */
export interface Message {
  readonly from: number;
  readonly limit: number;
  readonly weight: number;
}

/** Raises what belongs to a message: lines indented deeper, notes of a compiler, frames in the user's code. */
export function raiseBelow(
  view: LogView,
  weights: Uint8Array,
  { from, limit, weight }: Message,
): void {
  const { messages: lines, flags } = view;
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
      const isUsers = (flag & LIBRARY) === 0;
      skipped = isUsers ? Infinity : indent;
      if (isUsers && ++frames <= USER_FRAMES) raise(weights, i, weight);
      continue;
    }
    const sort = sortBelow(view, i, depth);
    if (sort === "end") return;
    isNoted ||= sort === "note" || sort === "long note";
    // The source below a note is that of another place.
    const isMessage = sort === "message" && !isNoted && indent <= skipped;
    if (isMessage) skipped = Infinity;
    if (isMessage || sort === "note") {
      raise(weights, i, weight);
      others++;
    }
  }
}

/** What a line below a message is that is no frame: its end, a note of a compiler, more of the message, or nothing that belongs to it. */
function sortBelow(
  { messages: lines, flags, quoted }: LogView,
  i: number,
  depth: number,
): "end" | "note" | "long note" | "message" | "other" {
  if (isBlank(lines, i)) {
    const isEnd = i + 1 >= lines.count || indentOf(lines, i + 1) <= depth;
    return isEnd ? "end" : "other";
  }
  const flag = flags[i] ?? 0;
  if (flag & DETAIL) return isShortNote(lines, i) ? "note" : "long note";
  if ((quoted[i] ?? 0) & SOURCE) return "other";
  if (indentOf(lines, i) <= depth && !isQuoted(lines, i)) return "end";
  const says = (flag & QUIET) === 0 && !RUNTIME.test(lineAt(lines, i));
  return says ? "message" : "other";
}

function isShortNote(lines: Lines, line: number): boolean {
  return lineLength(lines, line) < LONGEST_NOTE &&
    lineAt(lines, line).includes("note:");
}

/** Gives a line at least a weight. */
export function raise(weights: Uint8Array, line: number, weight: number): void {
  if (codeAt(weights, line) < weight) weights[line] = weight;
}

/** Gives lines at least a weight. */
export function raiseAll(
  weights: Uint8Array,
  lines: readonly number[],
  weight: number,
): void {
  for (const line of lines) raise(weights, line, weight);
}

/** Failures in a log, and what belongs to them. @module */
import { STAYS } from "../../engine/choose.ts";
import { type Ends, endsOfGroups } from "../../engine/ends.ts";
import {
  codeAt,
  keyAt,
  lineAt,
  lineEnd,
  lineLength,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { ERROR, FAILED, REFUSED, WARNING } from "../../text/signs/flags.ts";
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
} from "./view.ts";

/** Weight of lines that stay beside a failure while there is room. */
const NEAR = 190;
/** Up to here every failing name stays, however alike. */
const ALL_NAMES = 200;
/** More distinct errors than this are told apart more loosely. */
const DISTINCT_ERRORS = 150;
/** Kept of a group of failures. */
const ERROR_ENDS: Ends = { first: 2, last: 1 };
/** Up to here all refused requests stay; of more, so many places. */
const FEW_REFUSED = 4;
const REFUSED_ENDS: Ends = { first: 1, last: 1, maxGroups: 8 };
/** Errors of a compiler of which the place stays, and warnings. */
const MOST_ERRORS = 60;
const MOST_WARNINGS = 20;
/** Lines from a failure to its trace, and between frames of one. */
const TRACE_REACH = 4;
/** Lines of a kind that is rare. */
const RARE = 4;
/** Failures that stay with two lines on both sides, and with one. */
const WIDE_REACH = 10;
const NARROW_REACH = 40;
/** Frames in the user's code of one failure, and other lines below it. */
const USER_FRAMES = 24;
const BELOW_ERROR = 16;
/** Lines below a message that are looked at. */
const REACH = 400;
/** UTF-16 units of a note of a compiler that stays. */
const LONGEST_NOTE = 160;
/** Lines next to a failure that say nothing about it. */
const UNRELATED = QUIET | LIBRARY | DETAIL | ERROR | FAILED;

const COLON = 58;
/** Marks below quoted source. */
const POINTER = /^ *\d* *\| *(?:[|/\\] *)*[\^~-]/;

/** Keeps failures with what is around and below them: every failing name, of alike errors the first two and the last. */
export function keepFailures(view: LogView, weights: Uint8Array): void {
  const errors: number[] = [];
  const names: number[] = [];
  const refused: number[] = [];
  for (const [i, flag] of view.flags.entries()) {
    if (flag & FAILED) names.push(i);
    else if (flag & REFUSED) refused.push(i);
    else if (flag & ERROR) errors.push(i);
  }
  raiseAll(weights, refusedIn(view, refused), STAYS);
  keepPlaces(view, weights, { flag: ERROR, most: MOST_ERRORS });
  keepPlaces(view, weights, { flag: WARNING, most: MOST_WARNINGS });
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

/** Of alike messages of a compiler each place stays, which is in the next line. */
function keepPlaces(
  { flags, messages }: LogView,
  weights: Uint8Array,
  { flag, most }: { flag: number; most: number },
): void {
  let left = most;
  for (const [i, flagged] of flags.entries()) {
    if (!(flagged & flag) || !isPlace(messages, i + 1)) continue;
    if (left-- <= 0) return;
    weights[i] = weights[i + 1] = STAYS;
  }
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

/** What belongs to a message. */
export interface Message {
  /** Its line. */
  readonly from: number;
  /** Most lines below it that are no frames. */
  readonly limit: number;
  /** Weight of these lines. */
  readonly weight: number;
}

/** Raises what belongs to a message: lines indented deeper, notes of a compiler, frames in the user's code. */
export function raiseBelow(
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
      raise(weights, i, isContext ? Math.min(weight, NEAR) : weight);
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

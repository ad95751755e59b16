/** Failures in a log and what belongs to them. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { ERROR, FAILED, REFUSED } from "../../text/signs/flags.ts";
import { requestedIn } from "../../text/signs/requests.ts";
import { exactShape } from "../../text/similarity.ts";
import { type Ends, endsOfGroups } from "./ends.ts";
import { DETAIL, FRAME, LIBRARY, type LogView, QUIET } from "./view.ts";

/** Up to here every failing name stays, however alike. */
const ALL_NAMES = 200;
/** More distinct errors than this are grouped more loosely. */
const DISTINCT_ERRORS = 150;
const ERROR_ENDS: Ends = { first: 2, last: 1 };
/** Up to here all refused requests stay; of more, so many places. */
const FEW_REFUSED = 4;
const REFUSED_PLACES = 8;
/** Errors of a compiler of which the place stays. */
const MOST_PLACES = 60;
/** Lines of a kind that is rare. */
const RARE = 4;
/** Frames in the user's code, and other lines below an error. */
const USER_FRAMES = 24;
const BELOW_ERROR = 16;
/** Lines from a failure to its trace, and between frames of one. */
const TRACE_REACH = 4;
/** Lines below a message that are looked at. */
const REACH = 400;
/** UTF-16 units of a note of a compiler that stays. */
const LONGEST_NOTE = 160;
/** Lines next to a failure that say nothing about it. */
const UNRELATED = QUIET | LIBRARY | DETAIL;
const TABULATOR = 9;
const SPACE = 32;
const BAR = 124;

/** Marks the failures that stay, with what stands around and below them: every failing name, of alike errors the first two and the last. */
export function keepFailures(view: LogView, keep: Uint8Array): void {
  const errors: number[] = [];
  const names: number[] = [];
  const refused: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    if (view.flags[i]! & FAILED) names.push(i);
    else if (view.flags[i]! & REFUSED) refused.push(i);
    else if (view.flags[i]! & ERROR) errors.push(i);
  }
  keepRefused(view, keep, refused);
  const kept = names.length <= ALL_NAMES
    ? names
    : endsOfGroups(names, namesOf(view, names, Infinity), ERROR_ENDS);
  const exact = namesOf(view, errors, 2 * DISTINCT_ERRORS);
  for (const i of endsOfGroups(errors, exact, ERROR_ENDS)) kept.push(i);
  keepPlaces(view, keep, errors);
  const reach = kept.length <= 10 ? 2 : kept.length <= 40 ? 1 : 0;
  for (const i of kept) {
    keep[i] = 1;
    keepAround(view, keep, i, reach);
    keepBelow(view, keep, { from: i, limit: BELOW_ERROR });
  }
  keepTraces(view, keep);
}

/** Keeps the user's frames of the traces that follow failures that stay, each distinct one once. */
function keepTraces({ lines, flags }: LogView, keep: Uint8Array): void {
  const known = new Set<string>();
  // The last failure that stays, and frames of its trace.
  let failure = -TRACE_REACH;
  let frames = 0;
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    if (!(flag & FRAME)) {
      if (!(flag & (ERROR | FAILED)) || !keep[i]) continue;
      failure = i;
      frames = 0;
    } else if (i - failure <= TRACE_REACH) {
      // The trace goes on.
      failure = i;
      if (flag & LIBRARY || ++frames > USER_FRAMES) continue;
      const frame = lineAt(lines, i);
      if (!known.has(frame)) keep[i] = 1;
      known.add(frame);
    }
  }
}

/** Keeps refused requests, of many the first and the last of each place. */
function keepRefused(
  { lines }: LogView,
  keep: Uint8Array,
  refused: readonly number[],
): void {
  const numbers = new Map<string, number>();
  const places = Int32Array.from(refused, (i) => {
    const place = requestedIn(lineAt(lines, i)) ?? "";
    const known = numbers.get(place) ?? numbers.size + 1;
    numbers.set(place, known);
    return known;
  });
  const kept = refused.length <= FEW_REFUSED ? refused : [
    refused[0]!,
    refused.at(-1)!,
    ...endsOfGroups(refused, places, {
      first: 1,
      last: 1,
      maxGroups: REFUSED_PLACES,
    }),
  ];
  for (const i of kept) keep[i] = 1;
}

/** Keeps errors of a compiler whose place is in the next line, with that line, though they are alike. */
function keepPlaces(
  { lines }: LogView,
  keep: Uint8Array,
  errors: readonly number[],
): void {
  let left = MOST_PLACES;
  for (const i of errors) {
    if (i + 1 >= lines.count || !isPlace(lines, i + 1)) continue;
    if (left-- === 0) return;
    keep[i] = keep[i + 1] = 1;
  }
}

/** Whether a line is an arrow and a place: `  --> src/main.rs:4:5`. */
function isPlace({ text, codes, starts }: Lines, line: number): boolean {
  let at = starts[line]!;
  while (codes[at] === SPACE) at++;
  return text.startsWith("--> ", at);
}

/** Keeps the neighbours of a failure: the next ones, and those behind them if they are of a rare kind. */
function keepAround(
  view: LogView,
  keep: Uint8Array,
  line: number,
  reach: number,
): void {
  const { lines, flags, groups, sizes } = view;
  for (const step of [-1, 1]) {
    for (let n = 1; n <= reach; n++) {
      const near = line + step * n;
      if (near < 0 || near >= keep.length) break;
      if (flags[near]! & UNRELATED) break;
      // What stands above may belong to another message, or to a frame.
      if (step < 0 && (isQuoted(lines, near) || isSource(view, near))) break;
      if (n === 1 || sizes.get(groups[near]!)! <= RARE) keep[near] = 1;
    }
  }
}

/** Whether a line shows the source of a frame in a library, or the marks below it. */
function isSource({ lines, flags }: LogView, line: number): boolean {
  const indent = indentOf(lines, line);
  for (let i = line - 1; i >= 0 && i >= line - 2; i--) {
    if (flags[i]! & FRAME) {
      return (flags[i]! & LIBRARY) !== 0 && indent > indentOf(lines, i);
    }
  }
  return false;
}

/**
 * One number per failure, equal for the same message about the same name.
 * The looser groups of the view where more than `limit` lines would stay.
 */
function namesOf(
  { lines, groups }: LogView,
  failures: readonly number[],
  limit: number,
): Int32Array {
  const shapes = new Int32Array(failures.length);
  const sizes = new Map<number, number>();
  let staying = 0;
  for (let i = 0; i < failures.length; i++) {
    const shape = exactShape(lines, failures[i]!);
    const size = sizes.get(shape) ?? 0;
    if (size < ERROR_ENDS.first + ERROR_ENDS.last && ++staying > limit) {
      return Int32Array.from(failures, (line) => groups[line]!);
    }
    sizes.set(shape, size + 1);
    shapes[i] = shape;
  }
  return shapes;
}

/**
 * Marks what belongs to a message: lines indented deeper, notes of a compiler, frames in the user's code.
 *
 * @param of `from` is the line of the message, `limit` the most lines that are no frames.
 */
export function keepBelow(
  { lines, flags }: LogView,
  keep: Uint8Array,
  of: { readonly from: number; readonly limit: number },
): void {
  const { from, limit } = of;
  const depth = indentOf(lines, from);
  let frames = 0;
  let others = 0;
  // Lines deeper than this belong to something that is left out.
  let skipped = Infinity;
  let isNoted = false;
  const end = Math.min(lines.count, from + REACH);
  for (let i = from + 1; i < end && others < limit; i++) {
    const flag = flags[i]!;
    const indent = indentOf(lines, i);
    if (flag & FRAME) {
      skipped = flag & LIBRARY ? indent : Infinity;
      if (!(flag & LIBRARY) && ++frames <= USER_FRAMES) keep[i] = 1;
      continue;
    }
    if (isBlank(lines, i)) {
      if (i + 1 >= lines.count || indentOf(lines, i + 1) <= depth) return;
      continue;
    }
    const isQuote = isQuoted(lines, i);
    if (flag & DETAIL) {
      const size = lines.starts[i + 1]! - lines.starts[i]!;
      const isNote = size <= LONGEST_NOTE && lineAt(lines, i).includes("note:");
      if (isNote) keep[i] = 1;
      isNoted = true;
      others += isNote ? 1 : 0;
      continue;
    }
    if (indent <= depth && !isQuote) return;
    // The source below a note is that of another place.
    if (isNoted || indent > skipped) continue;
    skipped = Infinity;
    keep[i] = 1;
    others++;
  }
}

function isBlank({ starts }: Lines, line: number): boolean {
  return starts[line + 1]! - starts[line]! <= 1;
}

/** Counts the blanks at the start of a line. */
export function indentOf({ codes, starts }: Lines, line: number): number {
  const start = starts[line]!;
  let at = start;
  while (codes[at] === SPACE || codes[at] === TABULATOR) at++;
  return at - start;
}

/** Whether a line is a number and a bar, or an indented bar alone: compilers quote source so. */
export function isQuoted({ codes, starts }: Lines, line: number): boolean {
  let at = starts[line]!;
  while (codes[at] === SPACE) at++;
  while (codes[at]! >= 48 && codes[at]! <= 57) at++;
  while (codes[at] === SPACE) at++;
  return codes[at] === BAR && at > starts[line]!;
}

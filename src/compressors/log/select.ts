/** Which lines of a log stay. @module */
import type { Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { ERROR, FAILED, SUMMARY, WARNING } from "../../text/severity.ts";
import { exactShape } from "../../text/similarity.ts";
import { FRAME, LIBRARY, type LogView, SECTION } from "./view.ts";

/** Kept of a group of alike lines: so many from its start, so many from its end. */
interface Ends {
  readonly first: number;
  readonly last: number;
}

/** Lines of each end that always stay, and size of a kind that is rare. */
const HEAD = 3;
const TAIL = 6;
const RARE = 4;
/** Up to here every failing name stays, however alike. */
const ALL_NAMES = 200;
/** More distinct errors than this are grouped more loosely. */
const DISTINCT_ERRORS = 150;
const ERROR_ENDS: Ends = { first: 2, last: 1 };
const SUMMARY_ENDS: Ends = { first: 2, last: 2 };
const WARNING_ENDS: Ends = { first: 1, last: 1 };
const SECTION_ENDS: Ends = { first: 2, last: 1 };
/** Groups of warnings and of headings that stay. */
const MAX_GROUPS = 40;
/** Lines that best fit the query. */
const QUERY_LINES = 8;
/** Frames in the user's code, other lines below an error, lines below a warning. */
const USER_FRAMES = 20;
const BELOW_ERROR = 16;
const BELOW_WARNING = 5;
const TABULATOR = 9;
const SPACE = 32;
const BAR = 124;

/**
 * Marks the lines that stay: both ends, failures with context, results, the first and last
 * of each kind of message, and what fits the query.
 *
 * @returns One byte per line, 1 for a line that stays.
 */
export function selectLines(view: LogView, query: string): Uint8Array {
  const keep = new Uint8Array(view.lines.count);
  keepEnds(view, keep);
  keepErrors(view, keep);
  keepGroups(view, keep, SUMMARY, SUMMARY_ENDS, Infinity);
  for (const i of keepGroups(view, keep, WARNING, WARNING_ENDS, MAX_GROUPS)) {
    keepBelow(view, keep, i, BELOW_WARNING);
  }
  keepGroups(view, keep, SECTION, SECTION_ENDS, MAX_GROUPS);
  keepAnswers(view, keep, query);
  keepKinds(view, keep);
  return keep;
}

/** Keeps the first and last few lines; some more of each end when they are of rare kinds. */
function keepEnds({ flags, groups, sizes }: LogView, keep: Uint8Array): void {
  const count = keep.length;
  const head = clamp(count / 20, HEAD, 10);
  const tail = count - clamp(count / 10, TAIL, 20);
  for (let i = 0; i < count; i++) {
    if (i >= head && i < tail || flags[i]! & LIBRARY) continue;
    const isEnd = i < HEAD || i >= count - TAIL;
    if (isEnd || sizes.get(groups[i]!)! <= RARE) keep[i] = 1;
  }
}

function keepErrors(view: LogView, keep: Uint8Array): void {
  const errors: number[] = [];
  const names: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    if (view.flags[i]! & FAILED) names.push(i);
    else if (view.flags[i]! & ERROR) errors.push(i);
  }
  const kept = names.length <= ALL_NAMES
    ? names
    : endsOfGroups(names, namesOf(view, names, Infinity), ERROR_ENDS);
  const exact = namesOf(view, errors, 2 * DISTINCT_ERRORS);
  for (const i of endsOfGroups(errors, exact, ERROR_ENDS)) kept.push(i);
  const around = kept.length <= 10 ? 2 : kept.length <= 40 ? 1 : 0;
  for (const i of kept) {
    keep.fill(1, Math.max(0, i - around), i + 1 + around);
    keepBelow(view, keep, i, BELOW_ERROR);
  }
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

/** Keeps what belongs to the message on line `from`: lines indented deeper, frames in the user's code. */
function keepBelow(
  { lines, flags }: LogView,
  keep: Uint8Array,
  from: number,
  limit: number,
): void {
  const depth = indentOf(lines, from);
  let frames = 0;
  let others = 0;
  for (let i = from + 1; i < lines.count && others < limit; i++) {
    const flag = flags[i]!;
    if (flag & FRAME) {
      if (!(flag & LIBRARY) && ++frames <= USER_FRAMES) keep[i] = 1;
      continue;
    }
    if (isBlank(lines, i)) {
      if (i + 1 >= lines.count || indentOf(lines, i + 1) <= depth) return;
      continue;
    }
    if (indentOf(lines, i) <= depth && !isQuoted(lines, i)) return;
    // The source line below a frame of a library goes with the frame.
    if (flags[i - 1]! & LIBRARY) continue;
    keep[i] = 1;
    others++;
  }
}

function isBlank({ starts }: Lines, line: number): boolean {
  return starts[line + 1]! - starts[line]! <= 1;
}

/** Blanks at the start of a line. */
function indentOf({ codes, starts }: Lines, line: number): number {
  const start = starts[line]!;
  let at = start;
  while (codes[at] === SPACE || codes[at] === TABULATOR) at++;
  return at - start;
}

/** A line number and a bar: compilers quote source so. */
function isQuoted({ codes, starts }: Lines, line: number): boolean {
  let at = starts[line]!;
  const start = at;
  while (codes[at]! >= 48 && codes[at]! <= 57) at++;
  if (at === start) return false;
  while (codes[at] === SPACE) at++;
  return codes[at] === BAR;
}

/** Keeps the ends of each group of lines that have `flag`; returns them. */
function keepGroups(
  view: LogView,
  keep: Uint8Array,
  flag: number,
  ends: Ends,
  maxGroups: number,
): number[] {
  const wanted: number[] = [];
  for (let i = 0; i < view.flags.length; i++) {
    if (view.flags[i]! & flag) wanted.push(i);
  }
  const keys = Int32Array.from(
    wanted,
    (i) => flag === SUMMARY ? exactShape(view.lines, i) : view.groups[i]!,
  );
  const kept = endsOfGroups(wanted, keys, ends, maxGroups);
  for (const i of kept) keep[i] = 1;
  return kept;
}

/**
 * The first and last few of each group, ascending within a group; groups beyond `maxGroups` give nothing.
 *
 * @param keys One per wanted line, equal within a group.
 */
function endsOfGroups(
  wanted: readonly number[],
  keys: Int32Array,
  { first, last }: Ends,
  maxGroups = Infinity,
): number[] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < wanted.length; i++) {
    const line = wanted[i]!;
    const key = keys[i]!;
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

/** Keeps the lines that best fit the query, not more than two of a kind. */
function keepAnswers(view: LogView, keep: Uint8Array, query: string): void {
  const ranked = bestLines(view.lines, queryTerms(query), 8 * QUERY_LINES);
  const taken = new Map<number, number>();
  let left = QUERY_LINES;
  for (const { line } of ranked) {
    const group = view.groups[line]!;
    const times = taken.get(group) ?? 0;
    if (times >= 2) continue;
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
  const budget = clamp(Math.max(count * 0.06, rare.length * 0.15), 6, 90);
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
    if (group === 0 || flags[i]! & FRAME || shown.has(group)) continue;
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

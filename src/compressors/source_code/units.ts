/** How much each line of code says: declarations stay, bodies of functions go first. @module */
import type { Gap, Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  keyAt,
  lineAt,
  lineLength,
  type Lines,
  offsetAt,
} from "../../text/lines.ts";
import { type Blocks, BODY, DATA } from "./blocks.ts";
import { type Asked, askedOf, weighBodies, type Weighed } from "./bodies.ts";
import { DOCSTRING, isRemark, OPENS, restOfComment } from "./comments.ts";
import { BLANK, CODE, COMMENT, startOf, TEXT } from "./layout.ts";

/** Weights of what stays while there is room. */
const REMARK = 180;
const SENTENCE = 130;
export const IMPORT = 100;

/** Share of a text that an outline of it may have: less of a longer one. */
const TARGET = 0.3;
const LEAST_ROOM = 0.05;
/** Lines of a body or comment that stays whole for a line in it that is asked for. */
const ASKED_LINES = 11;
/** Bodies that stay for a question about errors, and lines of the longest one. */
const MOST_FAILING = 6;
const FAILING_LINES = 31;
/** UTF-16 units of a text of which a question that names no part gets all bodies: an outline saves less than it costs to ask for them. */
const SHORT_TEXT = 2400;
/** Lines and values of a long value, and how many of its first values stay. */
const LONG_DATA = 12;
const MANY_VALUES = 8;
const FIRST_VALUES = 3;
/** UTF-16 units of a comment of one line that stays. */
const SHORT_COMMENT = 80;
/** Lines of a string of which not all stay. */
const LONG_TEXT = 4;

const IMPORTS =
  /^(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s|using\s|#\s*include\b|require\b|extern crate\b|export\s+(?:\*|\{.*\})\s+from\b|(?:const|var|let)\s.*=\s*require\()/;

/** Weighs the lines. O(lines). */
export function unitsOf(blocks: Blocks, query: string): Units & Weighed {
  const { layout: { lines }, parents } = blocks;
  const weights = new Uint8Array(lines.count).fill(STAYS);
  const bundles = new Int32Array(lines.count);
  const asked = askedOf(lines, query);
  weighLines(blocks, { weights, bundles });
  weighBodies(blocks, { weights, bundles }, asked);
  if (query !== "") keepAsked(blocks, weights, asked);
  keepBlanks(blocks, weights);
  const starts = lines.starts.slice();
  starts[lines.count] = lines.text.length;
  const share = roomIn(blocks, weights);
  return { starts, weights, bundles, parents, share };
}

/** A blank line before a line outside of bodies is cheap, and sets declarations apart. */
function keepBlanks(
  { layout: { roles }, zones }: Blocks,
  weights: Uint8Array,
): void {
  for (let line = weights.length - 2; line > 0; line--) {
    const isNext = zones[line + 1] !== BODY &&
      codeAt(weights, line + 1) > IMPORT;
    if (isNext && roles[line] === BLANK) weights[line] = STAYS;
  }
}

/** Share of the text that is left for lines which need not stay. */
function roomIn(
  { layout: { lines, indents } }: Blocks,
  weights: Uint8Array,
): number {
  let all = 1;
  let fixed = 0;
  for (const [line, weight] of weights.entries()) {
    const length = lineLength(lines, line) - offsetAt(indents, line);
    all += Math.max(1, 1 + length);
    if (weight === STAYS) fixed += Math.max(1, 1 + length);
  }
  return Math.max(LEAST_ROOM, TARGET - fixed / all);
}

/** Lines by what they are in: those of bodies go, long values and comments are shortened. */
function weighLines(blocks: Blocks, weighed: Weighed): void {
  const { weights, bundles } = weighed;
  const { layout: { lines, roles }, parents, heads, zones } = blocks;
  const values = countValues(blocks);
  const seen = new Uint32Array(lines.count);
  for (let line = 0; line < lines.count; line++) {
    const role = roles[line];
    const parent = keyAt(parents, line);
    if (role === BLANK) weights[line] = 0;
    else if (role === COMMENT) line = weighComment(blocks, weighed, line);
    else if (zones[line] === BODY || (parent >= 0 && weights[parent] === 0)) {
      weights[line] = 0;
    } else if (role === TEXT) line = weighText(blocks, weights, line);
    else if (heads[line] !== line) {
      weights[line] = codeAt(weights, keyAt(heads, line));
      bundles[line] = keyAt(bundles, keyAt(heads, line));
    } else if (zones[line] === DATA && parent >= 0) {
      const nth = offsetAt(seen, parent);
      seen[parent] = nth + 1;
      if (!isShownValue(nth, offsetAt(values, parent))) weights[line] = 0;
    } else if (isImport(lines, line) || weights[parent] === IMPORT) {
      weights[line] = IMPORT;
      const goesOn = weights[line - 1] === IMPORT;
      bundles[line] = goesOn ? keyAt(bundles, line - 1) : line + 1;
    }
  }
}

/** Whether a value stays: of a few all do, of many the first ones and the last. @param nth From 0. */
function isShownValue(nth: number, count: number): boolean {
  return count <= MANY_VALUES || nth < FIRST_VALUES || nth + 1 === count;
}

/** Whether a line brings in something from another file. */
export function isImport(lines: Lines, line: number): boolean {
  return IMPORTS.test(startOf(lines, line));
}

/** How many values the long ones have that hold no functions; 0 for all others. */
function countValues(
  { layout: { roles }, parents, heads, ends, held, zones }: Blocks,
): Uint32Array {
  const values = new Uint32Array(roles.length);
  for (const [line, role] of roles.entries()) {
    const parent = keyAt(parents, line);
    const isValue = role === CODE && zones[line] === DATA &&
      heads[line] === line;
    if (!isValue || parent < 0 || held[parent] !== 0) continue;
    if (keyAt(ends, parent) - parent > LONG_DATA) {
      values[parent] = offsetAt(values, parent) + 1;
    }
  }
  return values;
}

/** @returns The last line of the comment. */
function weighComment(
  blocks: Blocks,
  { weights, bundles }: Weighed,
  first: number,
): number {
  const { layout: { lines }, parents, zones } = blocks;
  const last = lastOfComment(blocks, first);
  const parent = keyAt(parents, first);
  const start = startOf(lines, first);
  const isInside = (zones[first] === BODY && !DOCSTRING.test(start)) ||
    (parent >= 0 && weights[parent] === 0);
  const { from, to } = isInside
    ? { from: first, to: last + 1 }
    : restOfComment(lines, first, last);
  // A note costs nearly as much as a short line.
  const isShort = last === first && lineLength(lines, first) <= SHORT_COMMENT;
  weights.fill(isShort ? STAYS : SENTENCE, first, last + 1).fill(0, from, to);
  bundles.fill(first + 1, first, last + 1).fill(0, from, to);
  const remarks = Array.from({ length: to - from }, (_, i) => from + i)
    .filter((line) => isRemark(lines, line));
  // What has to be opened is not shown without its first line and its last.
  const isOpened = remarks.length > 0 && OPENS.test(start);
  if (isOpened) remarks.push(first, last);
  for (const line of remarks) {
    weights[line] = REMARK;
    if (isOpened) bundles[line] = first + 1;
  }
  return last;
}

function lastOfComment(
  { layout: { lines, roles }, parents }: Blocks,
  first: number,
): number {
  let last = first;
  const start = startOf(lines, first);
  const [opening] = DOCSTRING.exec(start) ?? [];
  if (opening !== undefined) {
    // What closes a docstring looks like what opens one.
    const quotes = opening.slice(-3);
    if (start.includes(quotes, opening.length)) return first;
    while (roles[last + 1] === COMMENT) {
      if (lineAt(lines, ++last).includes(quotes)) break;
    }
    return last;
  }
  const goesOn = (line: number) =>
    roles[line] === COMMENT && parents[line] === parents[first] &&
    !OPENS.test(startOf(lines, line));
  while (goesOn(last + 1)) last++;
  return last;
}

/** @returns The last line of the string. */
function weighText(
  { layout: { roles } }: Blocks,
  weights: Uint8Array,
  first: number,
): number {
  let last = first;
  while (roles[last + 1] === TEXT) last++;
  if (last - first + 2 >= LONG_TEXT) weights.fill(0, first, last);
  return last;
}

/** Lines that answer the question stay, and all of a short body or comment around them; all of a short text of which no body is asked for. */
function keepAsked(
  blocks: Blocks,
  weights: Uint8Array,
  { lines, failures }: Asked,
): void {
  const { layout: { lines: { text }, roles }, functions, zones } = blocks;
  const keep = (line: number, { from, to }: Gap, most: number) => {
    if (to - from <= most) weights.fill(STAYS, from, to);
    const ends = roles[line] === COMMENT ? [from, to - 1] : [];
    for (const at of [line, ...ends]) weights[at] = STAYS;
  };
  for (const line of lines) keep(line, aroundOf(blocks, line), ASKED_LINES);
  const failing = new Set<number>();
  for (const line of failures.filter((line) => roles[line] === CODE)) {
    const body = aroundOf(blocks, line);
    if (functions[body.from] !== BODY) continue;
    if (failing.add(body.from).size > MOST_FAILING) continue;
    keep(line, body, FAILING_LINES);
  }
  const bodies = [...zones.keys()].filter((line) => zones[line] === BODY);
  if (text.length > SHORT_TEXT) return;
  if (bodies.some((line) => weights[line] === STAYS)) return;
  for (const line of bodies) weights[line] = STAYS;
}

/** The comment or function that a line is in; the line alone where it is in none. */
function aroundOf(blocks: Blocks, line: number): Gap {
  const { layout: { roles }, parents, functions, ends, zones } = blocks;
  let from = line;
  if (roles[line] === COMMENT) {
    while (roles[from - 1] === COMMENT) from--;
    let last = lastOfComment(blocks, from);
    while (last < line) last = lastOfComment(blocks, from = last + 1);
    return { from, to: last + 1 };
  }
  while (zones[from] === BODY && keyAt(parents, from) >= 0) {
    from = keyAt(parents, from);
  }
  return functions[from] === BODY
    ? { from, to: keyAt(ends, from) + 1 }
    : { from: line, to: line + 1 };
}

/** How much each line of code says: declarations stay, bodies of functions go first. @module */
import type { Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  keyAt,
  lineLength,
  type Lines,
  offsetAt,
} from "../../text/lines.ts";
import { type Blocks, BODY, DATA } from "./blocks.ts";
import { weighBodies, type Weighed } from "./bodies.ts";
import { DOCSTRING, isRemark, OPENS, restOfComment } from "./comments.ts";
import { BLANK, CODE, COMMENT, startOf, TEXT } from "./layout.ts";
import { type Asked, askedOf } from "./question.ts";

/** Weights of what stays while there is room. */
const REMARK = 180;
/** First sentences: of a function or a text, and of anything else. */
const SENTENCE = 130;
const OTHER_SENTENCE = 105;
const IMPORT = 100;

/** Share of a text that an outline of it may have: less of a longer one. */
const TARGET = 0.4;
const LEAST_ROOM = 0.05;
/** Lines of a body that stays whole for a line in it that is asked for. */
const ASKED_LINES = 10;
/** Lines and values of a long value, and how many of its first values stay. */
const LONG_DATA = 12;
const MANY_VALUES = 8;
const FIRST_VALUES = 3;
/** UTF-16 units of a comment of one line that stays. */
const SHORT_COMMENT = 80;
/** Lines of a string of which not all stay. */
const LONG_TEXT = 4;

/** A function, or what declares one. */
const CALLED = /\w\s*(?:<.*>)?\(/;
const IMPORTS =
  /^(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s|using\s|#\s*include\b|require\b|extern crate\b|export\s+(?:\*|\{.*\})\s+from\b|(?:const|var|let)\s.*=\s*require\()/;

/** Weighs the lines. O(lines). */
export function unitsOf(blocks: Blocks, query: string): Units {
  const { layout: { lines }, parents } = blocks;
  const weights = new Uint8Array(lines.count).fill(STAYS);
  const bundles = new Int32Array(lines.count);
  const asked = askedOf(lines, query);
  weighLines(blocks, { weights, bundles });
  weighBodies(blocks, { weights, bundles }, asked);
  keepAsked(blocks, weights, asked);
  keepBlanks(blocks, weights);
  return {
    starts: startsOf(blocks),
    weights,
    bundles,
    parents,
    share: roomIn(blocks, weights),
  };
}

function startsOf({ layout: { lines } }: Blocks): Uint32Array {
  const starts = lines.starts.slice();
  starts[lines.count] = lines.text.length;
  return starts;
}

/** A blank line before a line outside of bodies is cheap, and sets declarations apart. */
function keepBlanks(
  { layout: { roles }, zones }: Blocks,
  weights: Uint8Array,
): void {
  for (let line = weights.length - 2; line > 0; line--) {
    const next = codeAt(weights, line + 1);
    if (roles[line] === BLANK && zones[line + 1] !== BODY && next > IMPORT) {
      weights[line] = STAYS;
    }
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
    const length = Math.max(
      1,
      lineLength(lines, line) - offsetAt(indents, line),
    );
    all += length;
    if (weight === STAYS) fixed += length;
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
      const isLong = offsetAt(values, parent) > MANY_VALUES;
      const isShown = nth < FIRST_VALUES || nth + 1 === values[parent];
      if (isLong && !isShown) weights[line] = 0;
    } else if (
      isImport(lines, line) || (parent >= 0 && weights[parent] === IMPORT)
    ) {
      weights[line] = IMPORT;
      const goesOn = line > 0 && weights[line - 1] === IMPORT;
      bundles[line] = goesOn ? keyAt(bundles, line - 1) : line + 1;
    }
  }
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
  const isDocstring = DOCSTRING.test(startOf(lines, first));
  const isInside = (zones[first] === BODY && !isDocstring) ||
    (parent >= 0 && weights[parent] === 0);
  const rest = isInside
    ? { from: first, to: last + 1 }
    : restOfComment(lines, first, last);
  const isOfFunction = first === 0 || isDocstring ||
    CALLED.test(startOf(lines, last + 1));
  const weight = isOfFunction ? SENTENCE : OTHER_SENTENCE;
  // A note costs nearly as much as a short line.
  const isShort = last === first && lineLength(lines, first) <= SHORT_COMMENT;
  weights.fill(isShort ? STAYS : weight, first, last + 1);
  bundles.fill(first + 1, first, last + 1);
  for (let line = rest.from; line < rest.to; line++) {
    weights[line] = isRemark(lines, line) ? REMARK : 0;
    bundles[line] = 0;
  }
  return last;
}

function lastOfComment(
  { layout: { lines, roles }, parents }: Blocks,
  first: number,
): number {
  let last = first;
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

/** Lines that answer the question stay, and the whole of a short body around them. */
function keepAsked(
  { parents, functions, ends, zones }: Blocks,
  weights: Uint8Array,
  asked: Asked,
): void {
  for (const line of asked.lines) {
    weights[line] = STAYS;
    let up = line;
    while (zones[up] === BODY && keyAt(parents, up) >= 0) {
      up = keyAt(parents, up);
    }
    const isShort = functions[up] === BODY &&
      keyAt(ends, up) - up <= ASKED_LINES;
    if (isShort) weights.fill(STAYS, up, keyAt(ends, up) + 1);
  }
}

/** How much the lines in functions say: those of short ones stay while there is room, and those that are asked for. @module */
import { STAYS } from "../../engine/choose.ts";
import { codeAt, keyAt, lineLength } from "../../text/lines.ts";
import { type Blocks, BODY } from "./blocks.ts";
import { DOCSTRING } from "./comments.ts";
import { CODE, COMMENT, startOf } from "./layout.ts";
import type { Asked } from "./question.ts";

/** What is known of each line so far. */
export interface Weighed {
  /** As the engine takes them. */
  readonly weights: Uint8Array;
  /** As the engine takes them. */
  readonly bundles: Int32Array;
}

/** Weights of what stays while there is room. */
const ONE_LINE = 120;
const SHORT_BODY = 80;
const LEAVES = 60;
const BRANCH = 50;

/** Lines of a body that counts as short. */
const SHORT_LINES = 5;
/** A function of so many lines that is so much of the text is what the text is about. */
const MAIN_LINES = 30;
const MAIN_SHARE = 0.6;
/** UTF-16 units of a statement that leaves a function. */
const SHORT_LEAVE = 120;

const LEAVING = /^(?:return|throw|raise)\b/;
const RECEIVER = /^func\s*\([^)]*\)/;
/** The name of a function: the last word before its first bracket, or what a function is assigned to. */
const NAME =
  /([\w$]+)\s*(?:<[^(]*>)?\s*(?:[=:]\s*(?:async\s*)?(?:function\b.*|<[^(]*>)?)?\(|^(?:[\w$]+\s+)*?([\w$]+)\s*(?::(?!:)|\{)/;

/** Lines of bodies that stay while there is room, and the bodies that are asked for. */
export function weighBodies(
  blocks: Blocks,
  { weights, bundles }: Weighed,
  asked: Asked,
): void {
  const { layout: { lines }, functions, zones, ends } = blocks;
  for (const [line, kind] of functions.entries()) {
    if (kind !== BODY || zones[line] === BODY) continue;
    const { from, to } = bodyOf(blocks, line);
    const length = to - from + 1;
    if (asked.isNamed(nameOf(blocks, line))) weights.fill(STAYS, from, to + 1);
    else if (length <= SHORT_LINES) {
      weights.fill(length === 1 ? ONE_LINE : SHORT_BODY, from, to + 1);
      bundles.fill(from + 1, from, to + 1);
    } else if (length >= MAIN_LINES && length >= MAIN_SHARE * lines.count) {
      weighMain(blocks, weights, { from, to });
    } else {
      const end = lastStatement(blocks, line);
      const isShort = keyAt(ends, end) === end &&
        LEAVING.test(startOf(lines, end)) &&
        lineLength(lines, end) <= SHORT_LEAVE;
      if (isShort) weights[end] = LEAVES;
    }
  }
}

/** Lines of the body of the function that begins on `line`. */
function bodyOf(
  { layout: { lines, roles }, signatures, ends }: Blocks,
  line: number,
): { readonly from: number; readonly to: number } {
  const to = keyAt(ends, line);
  let from = Math.min(to, Math.max(line, keyAt(signatures, line)) + 1);
  if (roles[from] === COMMENT && DOCSTRING.test(startOf(lines, from))) {
    while (from < to && roles[from] === COMMENT) from++;
  }
  return { from, to };
}

function nameOf({ layout: { lines }, heads }: Blocks, line: number): string {
  const head = startOf(lines, keyAt(heads, line)).replace(RECEIVER, "");
  const found = NAME.exec(head);
  return found?.[1] ?? found?.[2] ?? "";
}

/** The last statement directly in a function. */
function lastStatement(
  { layout: { roles }, parents, heads, ends }: Blocks,
  line: number,
): number {
  let last = keyAt(ends, line);
  while (last > line && (roles[last] !== CODE || parents[last] !== line)) {
    last = Math.max(
      line,
      roles[last] === CODE ? keyAt(parents, last) : last - 1,
    );
  }
  return keyAt(heads, last);
}

/** Of a function that is most of the text, what branches and leaves, the outermost first. */
function weighMain(
  { layout: { lines, roles }, parents, heads, ends }: Blocks,
  weights: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const depths = new Uint8Array(to - from + 1);
  for (let line = from; line <= to; line++) {
    if (roles[line] !== CODE) continue;
    const up = keyAt(parents, line);
    const depth = up < from
      ? 0
      : Math.min(BRANCH - 1, codeAt(depths, up - from) + 1);
    depths[line - from] = depth;
    const says = keyAt(ends, line) > line || heads[line] !== line ||
      LEAVING.test(startOf(lines, line));
    if (says) weights[line] = BRANCH - depth;
  }
}

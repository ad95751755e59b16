/** Lines to which kept lines belong: headings, what a line ends with a colon for, what an indented line is below. @module */
import { STAYS } from "../../engine/choose.ts";
import { codeAt, keyAt, lineEnd, type Lines } from "../../text/lines.ts";
import { ERROR, FAILED } from "../../text/signs/flags.ts";
import { raise } from "./failures.ts";
import {
  FRAME,
  indentOf,
  isBlank,
  type LogView,
  PART,
  SECTION,
} from "./view.ts";

/** Lines above an indented one among which that to which it belongs is looked for. */
const OWNER_REACH = 8;
/** Headings that stay with failures and odd lines. */
const MOST_HEADINGS = 40;
const COLON = 58;

/** What failed and what is odd keep the heading of their part of the log. */
export function keepHeadings(
  { flags, headings, messages }: LogView,
  weights: Uint8Array,
  odd: readonly number[],
): void {
  let left = MOST_HEADINGS;
  const lines = odd.slice();
  for (let i = 0; i < flags.length; i++) {
    const isFailure = ((flags[i] ?? 0) & (ERROR | FAILED)) !== 0;
    if (isFailure && weights[i] === STAYS) lines.push(i);
  }
  const sections = sectionsAbove(flags);
  for (const line of lines) {
    for (const above of [headings.above, sections]) {
      const heading = keyAt(above, line);
      if (heading < 0 || weights[heading] === STAYS) continue;
      // What is deeper than a line is no heading of it.
      if (indentOf(messages, heading) > indentOf(messages, line)) continue;
      if (left-- === 0) return;
      weights[heading] = STAYS;
    }
  }
}

/** The ruled heading above each line, of whatever form; -1 where none is. */
function sectionsAbove(flags: Uint16Array): Int32Array {
  const above = new Int32Array(flags.length);
  let last = -1;
  for (let i = 0; i < flags.length; i++) {
    if (flags[i]! & SECTION) last = i;
    above[i] = last;
  }
  return above;
}

/** The lines to which kept standouts and parts of messages belong: the test above the time that it took. */
export function ownersOf(
  { messages, flags, standouts }: LogView,
  weights: Uint8Array,
): readonly number[] {
  const lines = [...standouts];
  for (let i = 0; i < flags.length; i++) {
    const isFailing = (flags[i]! & PART) !== 0 &&
      (flags[i]! & (ERROR | FAILED)) !== 0;
    if (isFailing && weights[i] === STAYS) lines.push(i);
  }
  const owners: number[] = [];
  for (const line of lines) {
    const depth = indentOf(messages, line);
    let owner = line;
    const last = Math.max(0, line - OWNER_REACH);
    while (
      owner > last &&
      (isBlank(messages, owner) || indentOf(messages, owner) >= depth)
    ) owner--;
    if (indentOf(messages, owner) < depth) owners.push(owner);
  }
  return owners;
}

/** Lines that say of what the lines below them are stay with these: `goroutine 18 [running]:`, `Suggested packages:`. */
export function raiseHeads(
  { messages: lines, flags }: LogView,
  weights: Uint8Array,
): void {
  const heads = new Int32Array(lines.count).fill(-1);
  const above: number[] = [];
  // The head of a thread, whose frames need not be indented.
  let thread = -1;
  for (let i = 0; i < lines.count; i++) {
    if (isBlank(lines, i)) {
      thread = -1;
      continue;
    }
    const indent = indentOf(lines, i);
    while (above.length > 0 && indentOf(lines, above.at(-1) ?? 0) >= indent) {
      above.pop();
    }
    const isFrame = ((flags[i] ?? 0) & FRAME) !== 0;
    if (!isFrame && above.length === 0) thread = i;
    heads[i] = isFrame && thread >= 0 ? thread : above.at(-1) ?? -1;
    above.push(i);
  }
  for (let i = lines.count - 1; i >= 0; i--) {
    const head = keyAt(heads, i);
    if (head >= 0 && isHead(lines, head)) {
      raise(weights, head, codeAt(weights, i));
    }
  }
}

/** Whether a line ends with a colon, as one that says of what the lines below it are. */
export function isHead(lines: Lines, line: number): boolean {
  return codeAt(lines.codes, lineEnd(lines, line) - 1) === COLON;
}

/** Lines that head the parts of a log: the task of a play, the step of a job, the directory that make enters. @module */
import { addTo, countsOf } from "../../text/counts.ts";
import { keyAt, type Lines } from "../../text/lines.ts";

/** Headings of one form at least behind blank lines, and behind others; the share of them that must be there. */
const LEAST = 3;
const LEAST_CLOSED = 5;
const SHARE = 0.8;
/** Lines of a part on average, at least; of shorter parts the heading is near anyway. */
const LEAST_PART = 3;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 120;
/** The form of a blank line, and of a line without words. */
const BLANK = 0;
const NONE = -1;
const SPACE = 32;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** The headings of a log. */
export interface Headings {
  /** Line of the heading above each line, itself for a heading; -1 where none is. */
  readonly above: Int32Array;
  /** How many headings of the same form each heading has; 0 for other lines. */
  readonly sizes: Int32Array;
  /** Equal for headings of the same form. */
  readonly forms: Int32Array;
}

/**
 * Finds the lines of a form that comes again and again, each time behind a blank line or behind a line of one form
 * that ends the part before.
 *
 * @param messages Without what stands before them. @param mayHead Whether a line may be a heading. @returns O(n).
 */
export function headingsIn(
  messages: Lines,
  mayHead: (line: number) => boolean,
): Headings {
  const { count } = messages;
  const found: Headings = {
    above: new Int32Array(count).fill(-1),
    sizes: new Int32Array(count),
    forms: new Int32Array(count),
  };
  for (const words of [1, 2]) {
    const forms = new Int32Array(count);
    for (let i = 0; i < count; i++) forms[i] = formOf(messages, i, words);
    markHeadings(forms, found, mayHead);
  }
  let last = -1;
  for (let i = 0; i < count; i++) {
    if (keyAt(found.sizes, i) > 0) last = i;
    found.above[i] = last;
  }
  return found;
}

/** A number above 0 for the indentation of a line, its first sign and its first words, of two letters or more. */
function formOf({ codes, starts }: Lines, line: number, words: number): number {
  const start = starts[line]!;
  const end = starts[line + 1]! - 1;
  let at = start;
  while (at < end && codes[at]! <= SPACE) at++;
  if (at === end) return BLANK;
  let hash = Math.imul(SEED ^ (at - start), PRIME) ^ codes[at]!;
  const stop = Math.min(end, at + WIDTH);
  let left = words;
  while (at < stop && left > 0) {
    const from = at;
    while (at < stop && isLetter(codes[at]!)) at++;
    if (at - from < 2) at++;
    else {
      for (let i = from; i < at; i++) hash = Math.imul(hash ^ codes[i]!, PRIME);
      hash = Math.imul(hash ^ SPACE, PRIME);
      left--;
    }
  }
  return left === words ? NONE : hash & 0x7fffffff || 1;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Marks the lines whose form is that of headings, and that are not marked yet. */
function markHeadings(
  forms: Int32Array,
  found: Headings,
  mayHead: (line: number) => boolean,
): void {
  const known = placesOf(forms);
  for (const [form, lines] of known) {
    if (lines.length < LEAST) continue;
    if (lines.filter(mayHead).length < SHARE * lines.length) continue;
    const isLong = forms.length - (lines[0] ?? 0) >= LEAST_PART * lines.length;
    if (!isLong || !startParts(lines, forms, known)) continue;
    for (const line of lines) {
      if (keyAt(found.sizes, line) !== 0 || !mayHead(line)) continue;
      found.sizes[line] = lines.length;
      found.forms[line] = form;
    }
  }
}

/** The lines of each form. */
function placesOf(forms: Int32Array): ReadonlyMap<number, readonly number[]> {
  const known = new Map<number, number[]>();
  for (const [i, form] of forms.entries()) {
    if (form > BLANK) addTo(known, form, i);
  }
  return known;
}

/** Whether most lines of a form are behind a blank line, or behind a line of one other form that comes as often. */
function startParts(
  lines: readonly number[],
  forms: Int32Array,
  known: ReadonlyMap<number, readonly number[]>,
): boolean {
  const before = countsOf(
    lines.map((line) => line === 0 ? BLANK : keyAt(forms, line - 1)),
  );
  const own = keyAt(forms, lines[0] ?? 0);
  for (const [form, times] of before) {
    if (form === own || times < SHARE * (lines.length - 1)) continue;
    const ends = known.get(form)?.length ?? Infinity;
    if (form === BLANK) return true;
    if (lines.length >= LEAST_CLOSED && ends <= lines.length + 1) return true;
  }
  return false;
}

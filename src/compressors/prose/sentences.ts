/** Where sentences end, in running text with or without hard line breaks. @module */
import { DIGIT, KINDS, LOWER, UPPER } from "../../text/words.ts";

/** A paragraph to split. */
export interface Stretch {
  readonly text: string;
  /** One byte per UTF-16 unit, as in `Lines.codes`. */
  readonly codes: Uint8Array;
  /** First offset of the paragraph. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
}

const NEWLINE = 10;
const SPACE = 32;
const BANG = 33;
const DOT = 46;
const QUESTION = 63;
const BACKSLASH = 92;
const TICK = 96;
const BEYOND_ASCII = 128;

/** Closes a sentence without a blank after it: ideographic full stops. */
const WIDE_ENDS = "。！？｡";
/** May stand between the full stop and the blank. */
const CLOSERS = "\"')]}*_”’»」』）】";
/** May stand before the first letter of a sentence. */
const OPENERS = "\"'([{*_`<“‘«¿¡「『（【#@!-+~";
/** Words that end with a full stop within a sentence; lower case. */
const ABBREVIATIONS = new Set(
  ("e.g i.e eg ie vs mr mrs ms dr prof st fig figs eq cf al approx dept inc ltd jr sr vol resp ca viz no nos art sec ch p pp ver v " +
    "z.b d.h u.a bzw usw nr evtl ggf vgl т.е т.к т.д т.п т.н др пр см рис стр гл ст г")
    .split(" "),
);
/** UTF-16 units of a sentence, at least; `Yes.` goes with what follows. Ideographs say more. */
const SHORTEST = 12;
/** A line this much shorter than the page, followed by a capital, ends what it says. */
const SHORT_LINE = 56;

/**
 * Calls `found` with the start and end of each sentence, ascending; blanks and newlines between them
 * belong to none. A sentence ends at `.`, `!`, `?` before a blank and something that starts a sentence,
 * at `。！？`, at a forced line break, and at a short line before a capital. Nothing ends within a code span. O(n).
 */
export function splitSentences(
  stretch: Stretch,
  found: (start: number, end: number) => void,
): void {
  const { text, codes, end } = stretch;
  let start = stretch.start;
  let lineStart = start;
  let hasTicks = true;
  const least = codes[start]! < BEYOND_ASCII ? SHORTEST : 1;
  for (let i = start; i < end; i++) {
    const code = codes[i]!;
    // Letters: most of a text.
    if (code > TICK && code < BEYOND_ASCII) continue;
    if (code === TICK && hasTicks) {
      const close = text.indexOf("`", i + 1);
      hasTicks = close >= 0 && close < end;
      if (hasTicks) i = close;
      continue;
    }
    let stop = 0;
    if (code === NEWLINE) {
      if (endsLine(stretch, lineStart, i)) stop = i;
      lineStart = i + 1;
    } else if (code === DOT || code === BANG || code === QUESTION) {
      stop = endOfStop(stretch, start, i);
    } else if (code >= BEYOND_ASCII && WIDE_ENDS.includes(text[i]!)) {
      stop = afterClosers(stretch, i + 1);
    }
    if (stop === 0 || stop - start < least) continue;
    const next = afterBlanks(codes, stop, end);
    if (next >= end) break;
    found(start, stop);
    start = next;
    i = next - 1;
  }
  if (start < end) found(start, end);
}

/** End of the sentence whose full stop is at `i`; 0 when it goes on. */
function endOfStop(stretch: Stretch, start: number, i: number): number {
  const { codes, end } = stretch;
  let stop = i + 1;
  while (stop < end && isStop(codes[stop]!)) stop++;
  stop = afterClosers(stretch, stop);
  if (stop >= end || codes[stop]! > SPACE) return 0;
  const next = afterBlanks(codes, stop, end);
  if (next >= end || !startsSentence(stretch, next)) return 0;
  const isOne = stop === i + 1 && codes[i] === DOT;
  return isOne && isAbbreviation(stretch, start, i) ? 0 : stop;
}

function isStop(code: number): boolean {
  return code === DOT || code === BANG || code === QUESTION;
}

function afterClosers({ text, end }: Stretch, at: number): number {
  let stop = at;
  while (stop < end && (CLOSERS + WIDE_ENDS).includes(text[stop]!)) stop++;
  return stop;
}

/** Skips blanks, newlines and the marks of a quotation at the start of a line. */
function afterBlanks(codes: Uint8Array, at: number, end: number): number {
  let next = at;
  let newline = false;
  while (next < end) {
    const code = codes[next]!;
    if (code === NEWLINE) newline = true;
    else if (code > SPACE && !(newline && code === 62)) break;
    next++;
  }
  return next;
}

function startsSentence({ text, codes, end }: Stretch, at: number): boolean {
  let i = at;
  while (i < end && i < at + 4 && OPENERS.includes(text[i]!)) i++;
  if (i >= end) return false;
  const kind = KINDS[codes[i]!]!;
  if (kind === UPPER || kind === DIGIT) return true;
  if (codes[i]! < BEYOND_ASCII) return i > at && codes[at] === TICK;
  const letter = text[i]!;
  return letter.toLowerCase() !== letter || letter.toUpperCase() === letter;
}

/** `e.g.`, `Dr.`, an initial, the number of a list item. */
function isAbbreviation(
  { text, codes }: Stretch,
  start: number,
  dot: number,
): boolean {
  let first = dot;
  while (first > start && codes[first - 1]! > SPACE && dot - first < 12) {
    first--;
  }
  while (first < dot && OPENERS.includes(text[first]!)) first++;
  const word = text.slice(first, dot);
  // The mark of a list item, also behind the margin of a quotation.
  if (isMargin(codes, start, first) && /^(?:\d{1,3}|\w)$/.test(word)) {
    return true;
  }
  if (dot - first === 1) return KINDS[codes[first]!] === UPPER;
  return ABBREVIATIONS.has(word.toLowerCase());
}

/** Two blanks or a backslash at the end of a line, or a short line before a capital. */
function endsLine(stretch: Stretch, lineStart: number, at: number): boolean {
  const { codes, end } = stretch;
  const last = codes[at - 1]!;
  if (last === BACKSLASH) return true;
  if (last === SPACE && codes[at - 2] === SPACE) return true;
  if (at - lineStart >= SHORT_LINE) return false;
  const next = afterBlanks(codes, at, end);
  if (next >= end || !startsSentence(stretch, next)) return false;
  // A comma or a small word at the end promises more.
  return !(last === 44 || (KINDS[last] === LOWER && lineStart === at));
}

function isMargin(codes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (codes[i]! > SPACE && codes[i] !== 62) return false;
  }
  return true;
}

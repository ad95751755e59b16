/** A document as units that are kept or left out whole: sentences, code blocks, and lines that are no running text. @module */
import { codeAt, lineEnd, type Lines, lineStart } from "../../text/lines.ts";
import { DIGIT, KINDS, UPPER } from "../../text/words.ts";
import {
  BLANK,
  CODE,
  type Document,
  FENCE,
  ITEM,
  ROW,
  TEXT,
} from "./line_kinds.ts";

/** A sentence, a whole line that is no running text, or a short block of code. */
export interface Unit {
  /** First offset: of the blank lines before it, where it starts a line. */
  readonly start: number;
  /** First offset of what it says. */
  readonly said: number;
  /** Offset after the last character of what it says. */
  readonly end: number;
  /** Line that it starts in. */
  readonly line: number;
  /** Kind of the line; a sentence has `TEXT` or `ITEM`. */
  readonly kind: number;
  /** It opens a paragraph, a list item or a line. */
  readonly opens: boolean;
  /** It is part of a list item. */
  readonly isListed: boolean;
}

/** Lines of a block of code that are one unit. */
const CODE_HEAD = 9;

/** Units in order; blank lines belong to the unit after them. O(n). */
export function unitsOf({ lines, kinds }: Document): Unit[] {
  const units: Unit[] = [];
  let start = 0;
  for (let i = 0; i < lines.count;) {
    const kind = codeAt(kinds, i);
    let to = i + 1;
    if (kind === TEXT || kind === ITEM) {
      while (to < lines.count && kinds[to] === TEXT) to++;
      addSentences(lines, units, { start, from: i, to, kind });
    } else if (kind !== BLANK) {
      if (kind === FENCE || kind === CODE) to = codeEnd(kinds, i);
      // What an option does, continued.
      if (kind === ROW) { while (kinds[to] === CODE) to++; }
      const said = lineStart(lines, i);
      const end = lineEnd(lines, to - 1);
      const place = { line: i, kind, opens: true, isListed: false };
      units.push({ start, said, end, ...place });
    }
    i = to;
    if (kind !== BLANK) start = lineStart(lines, i);
  }
  return units;
}

function addSentences(
  lines: Lines,
  units: Unit[],
  { start, from, to, kind }: Record<"start" | "from" | "to" | "kind", number>,
): void {
  let line = from;
  const stretch = [lineStart(lines, from), lineEnd(lines, to - 1)] as const;
  let opens = true;
  splitSentences(lines, stretch, (said, end) => {
    while (lineStart(lines, line + 1) <= said) line++;
    const margin = lineStart(lines, line);
    const isFirst = isMargin(lines.codes, margin, said);
    units.push({
      start: opens ? start : isFirst ? margin : said,
      ...{ said, end, line, kind, opens, isListed: kind === ITEM },
    });
    opens = false;
  });
}

/** Line after a unit of code: a whole short block, the head of a longer one, or one line of it. */
function codeEnd(kinds: Uint8Array, from: number): number {
  const before = codeAt(kinds, from - 1);
  const opens = kinds[from] === FENCE
    ? before !== CODE
    : before !== CODE && before !== FENCE;
  if (!opens) return from + 1;
  let end = from + 1;
  while (kinds[end] === CODE) end++;
  if (kinds[from] === FENCE && kinds[end] === FENCE) end++;
  return end - from <= CODE_HEAD + 3 ? end : from + CODE_HEAD;
}

/** Closes a sentence without a blank after it. */
const WIDE_ENDS = "。！？｡";
/** May be between the full stop and the blank, and before the first letter. */
const CLOSERS = "\"')]}*_”’»」』）】";
const OPENERS = "\"'([{*_`<“‘«¿¡「『（【#@!-+~";
/** Words that end with a full stop within a sentence; lower case. */
const ABBREVIATIONS = new Set(
  ("e.g i.e eg ie vs mr mrs dr prof st fig figs eq cf al approx inc ltd jr sr vol resp ca viz no nos art sec ch p pp ver v " +
    "z.b d.h u.a bzw usw nr evtl ggf vgl т.е т.к т.д т.п т.н др пр см рис стр гл ст г")
    .split(" "),
);
/** UTF-16 units of a sentence, at least; `Yes.` goes with what follows. */
const SHORTEST = 12;

/**
 * Calls `found` with the start and end of each sentence of `[from, end)`, ascending. A sentence ends at `.`, `!`, `?`
 * before a blank and something that starts a sentence, at `。！？`, and at a forced line break. Nothing ends within a code span. O(n).
 */
export function splitSentences(
  { text, codes }: Lines,
  [from, end]: readonly [number, number],
  found: (start: number, end: number) => void,
): void {
  let start = skipBlanks(codes, from, end);
  let hasTicks = true;
  const least = codeAt(codes, start) < 128 ? SHORTEST : 1;
  for (let i = start; i < end; i++) {
    const code = codeAt(codes, i);
    // Letters: most of a text.
    if (code > 96 && code < 128) continue;
    if (code === 96 && hasTicks) {
      const close = text.indexOf("`", i + 1);
      hasTicks = close >= 0 && close < end;
      if (hasTicks) i = close;
      continue;
    }
    const stop = stopAt(text, codes, [start, i, end]);
    if (stop === 0 || stop - start < least) continue;
    const next = skipBlanks(codes, stop, end);
    if (next >= end) break;
    found(start, stop);
    start = next;
    i = next - 1;
  }
  if (start < end) found(start, end);
}

type Place = readonly [start: number, at: number, end: number];

/** End of the sentence that a sign or a line break at a place ends; 0 where it ends none. */
function stopAt(text: string, codes: Uint8Array, place: Place): number {
  const [, at, end] = place;
  const code = codeAt(codes, at);
  if (code === 10) return isForced(codes, at) ? at : 0;
  if (isStop(code)) return endOfStop(text, codes, place);
  const isWide = code > 127 && WIDE_ENDS.includes(text.charAt(at));
  return isWide ? afterClosers(text, at + 1, end) : 0;
}

/** End of the sentence whose full stop is at `i`; 0 when it goes on. */
function endOfStop(
  text: string,
  codes: Uint8Array,
  [start, i, end]: Place,
): number {
  let stop = i + 1;
  while (stop < end && isStop(codeAt(codes, stop))) stop++;
  stop = afterClosers(text, stop, end);
  if (stop >= end || codeAt(codes, stop) > 32) return 0;
  const next = skipBlanks(codes, stop, end);
  if (next >= end || !startsSentence(text, codes, next)) return 0;
  const isOne = stop === i + 1 && codes[i] === 46;
  return isOne && isAbbreviation(text, codes, [start, i, end]) ? 0 : stop;
}

function isStop(code: number): boolean {
  return code === 46 || code === 33 || code === 63;
}

function afterClosers(text: string, at: number, end: number): number {
  let stop = at;
  while (stop < end && (CLOSERS + WIDE_ENDS).includes(text.charAt(stop))) {
    stop++;
  }
  return stop;
}

/** Skips blanks, newlines and the marks of a quotation at the start of a line. */
function skipBlanks(codes: Uint8Array, at: number, end: number): number {
  let next = at;
  let newline = at === 0 || codes[at - 1] === 10;
  for (; next < end; next++) {
    const code = codeAt(codes, next);
    if (code === 10) newline = true;
    else if (code > 32 && !(newline && code === 62)) break;
  }
  return next;
}

function startsSentence(text: string, codes: Uint8Array, at: number): boolean {
  let i = at;
  while (i < at + 4 && i < text.length && OPENERS.includes(text.charAt(i))) i++;
  const code = codeAt(codes, i);
  if (KINDS[code] === UPPER || KINDS[code] === DIGIT) return true;
  if (code < 128) return i > at && codes[at] === 96;
  const letter = text.charAt(i);
  return letter.toLowerCase() !== letter || letter.toUpperCase() === letter;
}

/** `e.g.`, `Dr.`, an initial, the number of a list item. */
function isAbbreviation(
  text: string,
  codes: Uint8Array,
  [start, dot]: Place,
): boolean {
  let first = dot;
  while (first > start && codeAt(codes, first - 1) > 32 && dot - first < 12) {
    first--;
  }
  while (first < dot && OPENERS.includes(text.charAt(first))) first++;
  const word = text.slice(first, dot);
  if (isMargin(codes, start, first) && /^(?:\d{1,3}|\w)$/.test(word)) {
    return true;
  }
  if (dot - first === 1) return KINDS[codeAt(codes, first)] === UPPER;
  return ABBREVIATIONS.has(word.toLowerCase());
}

/** Two blanks or a backslash at the end of a line. */
function isForced(codes: Uint8Array, at: number): boolean {
  const last = codeAt(codes, at - 1);
  return last === 92 || (last === 32 && codes[at - 2] === 32);
}

/** Blanks and the marks of a quotation. */
function isMargin(codes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (codeAt(codes, i) > 32 && codes[i] !== 62) return false;
  }
  return true;
}

/** Heads an entry of a history: a commit, a date and who, a version of a package. */
const ENTRY =
  /^(?:commit [0-9a-f]{7,40}\b|\d{4}-\d\d-\d\d[ \t]+\S.{0,99}(?:\n|$)|\S{1,80} \([^)\n]{1,80}\) \S.{0,60}; urgency=)/;

/** UTF-16 units in which such a head is looked for. */
const ENTRY_WIDTH = 160;

/** The unit that each one makes no sense without, a head of an entry at last; -1 for none. O(units). */
export function headsOf(units: readonly Unit[], text: string): Int32Array {
  let head = -1;
  let entry = -1;
  return Int32Array.from(units, ({ kind, opens, isListed, line, said }, u) => {
    const isHead = kind === ROW || (isListed && opens);
    const before = units[u - 1];
    const isBelow = !opens ||
      (before?.kind === ROW && before.line + 1 === line);
    if (isHead || !isBelow) head = isHead ? u : -1;
    const isEntry = opens && ENTRY.test(text.slice(said, said + ENTRY_WIDTH));
    if (isEntry) entry = u;
    if (isEntry) return -1;
    return isHead || head < 0 ? entry : head;
  });
}

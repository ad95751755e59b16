/** Signs that are a letter or a mark near the start of a line: levels of klog and logcat, `<3>`, `✗`, `not ok`, `1) name`. @module */
import { lineHead, type Lines } from "../lines.ts";
import { matches } from "../sticky.ts";
import { DIGIT, KINDS } from "../words.ts";
import { ERROR, FAILED, REFUSED, SUMMARY, WARNING } from "./flags.ts";
import { isBlank, isLetter } from "./line_cursor.ts";
import { rankOfPriority } from "./status.ts";

/** Lines that are looked at for levels of one letter. */
const SAMPLE = 64;
/** The name of a source with a bar behind it; a level of one letter, of any severity, behind something else. */
const LETTERS =
  /^[\w.@\/-]+ +\| |[\s|](?:[IDVTWEF]\d{4,8} \d\d:\d\d|[IDVTWEF]\/[\w.$@-]+ *[(:]|\[[IDVTWEF]\])|[\dZ\])|] +[IDVTWEF] +[A-Za-z]/;
/** Bytes of a line in which a level is looked for. */
const REACH = 48;
/** Bytes before a result of a test protocol: blanks, or the name of a source. */
const RESULT_REACH = 24;
const BLANK = 32;
const CLOSE = 41;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const GREATER = 62;
const CAPITAL_E = 69;
const CAPITAL_F = 70;
const CAPITAL_W = 87;
const CAPITAL_Z = 90;
const BRACKET = 91;
const CLOSING = 93;
const SMALL_N = 110;
const BAR = 124;
const MARKS = /[✕✗✘✖×❌]|●(?= .* › )/y;
const SKIPPED = /[○↓⊘] /y;
const NOT_OK = /not ok\b/y;
/** Results of a test protocol that do not count. */
const NO_RESULT = /#\s*(?:skip|todo)/i;
/** Time behind a level of klog: `E0301 10:06:11`, `E20260301 10:06:11`. */
const KLOG = /[EFW]\d{4,8} \d\d:\d\d/y;
/** Level and tag of logcat: `E/Tag( 12): `, `E Tag: `. */
const TAG = /[EFW](?:\/| +)[\w.$@\/-]{1,60} *(?:\(|:|\[)/y;
const NUMBERED = /^[ \t]+\d+\) \S/;
const PANIC = "panicked at ";
const STARS = "***";
const TEST = /(?:^|\s)\d+\/\d+ Test +#\d+:/;
const NOT_MEANT = /\*{3}(?:Skipped|Not Run \(Disabled\))/y;
/** First bytes of what is looked for. */
const FIRST = bytesOf("EFW[<n").fill(1, 128);
/** Levels of one letter. */
const LEVEL = bytesOf("IDVTWEF");
const PENDING = /^[ \t]+- \S/;

/**
 * Adds what the starts of the lines say to their flags.
 *
 * @param countsFailing Whether the text counts failing tests: then numbered names are failures. O(n).
 */
export function readHeads(
  lines: Lines,
  flags: Uint8Array,
  countsFailing: boolean,
): void {
  const hasLetters = usesLetters(lines);
  const { codes, starts } = lines;
  for (let line = 0; line < lines.count; line++) {
    const start = starts[line]!;
    const end = starts[line + 1]! - 1;
    let at = start;
    while (at < end && codes[at]! <= 32) at++;
    if (at < end && FIRST[codes[at]!] !== 0) {
      flags[line] = signAt(lines, { line, at }, flags[line]!);
    }
    if (hasLetters) readLetters(lines, { line, at }, flags);
  }
  if (countsFailing) readNumbered(lines, flags);
  readStarred(lines, flags);
  readPanics(lines, flags);
}

/** What a panic of Rust says is in the line below its place: `thread 'main' panicked at src/a.rs:4:5:`. */
function readPanics({ text, codes, starts, count }: Lines, flags: Uint8Array) {
  let line = 0;
  for (let at = text.indexOf(PANIC); at >= 0; at = text.indexOf(PANIC, at)) {
    while (starts[line + 1]! <= at) line++;
    const isWord = codes[at - 1] === BLANK;
    const end = starts[line + 1]! - 1;
    const isHead = isWord && codes[end - 1] === COLON;
    if (isHead && line + 1 < count) flags[line + 1]! |= ERROR;
    at = isWord ? end : at + 1;
  }
}

/** Results of ctest that are not `Passed`: `3/6 Test #3: weld .....***Timeout`. */
function readStarred(lines: Lines, flags: Uint8Array): void {
  const { text } = lines;
  let line = 0;
  for (let at = text.indexOf(STARS); at >= 0; at = text.indexOf(STARS, at)) {
    while (lines.starts[line + 1]! <= at) line++;
    const start = lines.starts[line]!;
    const isTest = isLetter(lines.codes[at + STARS.length] ?? 0) &&
      TEST.test(text.slice(start, Math.min(at, start + REACH)));
    if (isTest) {
      flags[line]! |= matches(NOT_MEANT, text, at) ? SUMMARY : ERROR | FAILED;
    }
    at += STARS.length;
  }
}

/** Looks for levels behind the first token of a line. */
function readLetters(
  lines: Lines,
  { line, at: from }: Place,
  flags: Uint8Array,
): void {
  const { codes, starts } = lines;
  const stop = Math.min(starts[line + 1]! - 1, starts[line]! + REACH);
  for (let at = from + 1; at < stop; at++) {
    if (FIRST[codes[at]!] === 0) continue;
    const before = codes[at - 1]!;
    if (before <= 32 || before === BAR) {
      flags[line] = signAt(lines, { line, at }, flags[line]!);
    }
  }
}

/** Whether levels of one letter are used behind the first token of lines, by a sample of them. */
function usesLetters({ text, codes, starts, count }: Lines): boolean {
  const step = Math.max(1, Math.floor(count / SAMPLE));
  for (let line = 0; line < count; line += step) {
    const start = starts[line]!;
    const end = Math.min(starts[line + 1]! - 1, start + REACH);
    if (!mayUseLetters(codes, start, end)) continue;
    if (LETTERS.test(text.slice(start, end))) return true;
  }
  return false;
}

/** Whether {@linkcode LETTERS} may fit: a bar, or a letter of a level behind a blank or a bracket that no letter follows. */
function mayUseLetters(codes: Uint8Array, from: number, to: number): boolean {
  let before = 0;
  for (let at = from; at < to; at++) {
    const code = codes[at]!;
    if (code === BAR) return true;
    const mayBegin = before <= 32 || before === BRACKET || before > 127;
    if (LEVEL[code] !== 0 && mayBegin && !isLetter(codes[at + 1] ?? 0)) {
      return true;
    }
    before = code;
  }
  return false;
}

/** A table of ASCII characters. */
function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of characters) table[char.charCodeAt(0)] = 1;
  return table;
}

/** A token of a line. */
interface Place {
  readonly line: number;
  readonly at: number;
}

/** The flags of a line with what the token at a place adds. */
function signAt(
  { text, codes, starts }: Lines,
  { line, at }: Place,
  flags: number,
): number {
  const code = codes[at]!;
  const start = starts[line]!;
  const end = starts[line + 1]! - 1;
  if (code > 127) {
    if (matches(MARKS, text, at)) return flags | FAILED | ERROR;
    return matches(SKIPPED, text, at) ? flags | SUMMARY : flags;
  }
  if (code === SMALL_N) {
    if (at - start > RESULT_REACH || !matches(NOT_OK, text, at)) return flags;
    const isResult = !NO_RESULT.test(text.slice(at, end));
    return isResult ? FAILED | ERROR : SUMMARY;
  }
  if (code === LESS) {
    const isPriority = isFirst(codes, start, at);
    return isPriority ? flags | priorityAt(codes, at, end) : flags;
  }
  const isLevel = code === BRACKET
    ? codes[at + 2] === CLOSING
    : isLevelAt(text, codes, { start, at, end });
  if (!isLevel) return flags;
  const rank = rankOf(code === BRACKET ? codes[at + 1]! : code);
  return rank === ERROR ? (flags | ERROR) & ~REFUSED : flags | rank;
}

/** What the letter of a level says. */
function rankOf(letter: number): number {
  if (letter === CAPITAL_W) return WARNING;
  return letter === CAPITAL_E || letter === CAPITAL_F ? ERROR : 0;
}

/** Whether the letter at a place of a line is a level. */
function isLevelAt(
  text: string,
  codes: Uint8Array,
  { start, at, end }: { start: number; at: number; end: number },
): boolean {
  const next = at + 1 < end ? codes[at + 1]! : 32;
  if (KINDS[next] === DIGIT) return matches(KLOG, text, at);
  if (isFirst(codes, start, at)) {
    if (next === COLON) return isBlank(codes[at + 2] ?? 0);
    // pytest: the lines of an assertion.
    if (isBlank(next)) {
      return codes[at] === CAPITAL_E && isBlank(codes[at + 2] ?? 0) &&
        isBlank(codes[at + 3] ?? 0);
    }
  }
  if (next === SLASH) return matches(TAG, text, at);
  return isBlank(next) && isLetter(codes[at + 2] ?? 0) &&
    isBehindHead(codes, start, at);
}

/** Whether what is before a place ends as the start of a line does: with a time, a bracket, a bar. */
function isBehindHead(codes: Uint8Array, start: number, at: number): boolean {
  let before = at - 1;
  while (before > start && isBlank(codes[before]!)) before--;
  const last = codes[before]!;
  return KINDS[last] === DIGIT || last === CLOSING || last === CLOSE ||
    last === BAR || (last === CAPITAL_Z && KINDS[codes[before - 1]!] === DIGIT);
}

/** Whether a line or what its source wrote starts at a place: behind a bar and a blank. */
function isFirst(codes: Uint8Array, start: number, at: number): boolean {
  return at === start || (codes[at - 1] === 32 && codes[at - 2] === BAR);
}

/** `<3>` of the kernel and of syslog. */
function priorityAt(codes: Uint8Array, at: number, end: number): number {
  let value = 0;
  let i = at + 1;
  for (; i < end && i < at + 4 && KINDS[codes[i]!] === DIGIT; i++) {
    value = 10 * value + codes[i]! - 48;
  }
  if (i === at + 1 || codes[i] !== GREATER) return 0;
  return [0, WARNING, ERROR][rankOfPriority(value)]!;
}

/** Names of failures that have only a number before them, and of tests that are pending. */
function readNumbered(lines: Lines, flags: Uint8Array): void {
  for (let line = 0; line < lines.count; line++) {
    const head = lineHead(lines, line, REACH);
    if (NUMBERED.test(head)) flags[line]! |= ERROR | FAILED;
    else if (PENDING.test(head)) flags[line]! |= SUMMARY;
  }
}

/** A log as the log compressor sees it: its lines, what they say and which are alike. @module */
import { withoutStarts } from "../../text/line_start.ts";
import type { Lines } from "../../text/lines.ts";
import {
  ERROR,
  FAILED,
  PASSED,
  SUMMARY,
  WARNING,
} from "../../text/signs/flags.ts";
import { framesOf, LIBRARY_FRAME } from "../../text/signs/frames.ts";
import { excuseRefused, severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import { coarseShape, looseShapes } from "../../text/similarity.ts";
import {
  isAdvice,
  isBar,
  isDetail,
  isEmpty,
  isOutcome,
  isPass,
  isStep,
  isVerdict,
  type Wordings,
  wordingsOf,
} from "./quiet.ts";
import { joinTemplates } from "./templates.ts";

/** The line is a heading between two parts of a report. */
export const SECTION = 2048;
/** The line is a frame of a stack trace. */
export const FRAME = 64;
/** The frame is not in the user's code. */
export const LIBRARY = 128;
/** The line says only that all goes on as it should. */
export const QUIET = 256;
/** The line says nothing, or what its tool says below every failure. */
export const VOID = 1024;
/** The line goes on with a message of a compiler. */
export const DETAIL = 512;

/** A log, one entry per line. */
export interface LogView {
  /** The lines. */
  readonly lines: Lines;
  /** Number that notes give the first line. */
  readonly firstLine: number;
  /** Flags of `text/signs/flags.ts` and of this file. */
  readonly flags: Uint16Array;
  /** Lines with equal numbers are alike; 0 for blank lines. */
  readonly groups: Int32Array;
  /** How many lines each group has. */
  readonly sizes: ReadonlyMap<number, number>;
  /** Lines with a rare value or an extreme number, no steps and no frames of libraries among them. */
  readonly standouts: readonly number[];
}

/** Lines of a group that are still told apart when a looser likeness would join them. */
const RARE = 2;
/** Looser likenesses, tried in order: words that count, and rare lines that must agree. */
const JOINS = [{ words: 3, least: 5 }, { words: 2, least: 12 }];

/** Lines that stay for a rare value, and for an extreme number. */
const MOST_STANDOUTS = 10;
const LINES_PER_STANDOUT = 30;

const TAB = 9;
const SPACE = 32;
const HASH = 35;
const STAR = 42;
const DASH = 45;
const EQUALS = 61;
const GREATER = 62;
const CAPITAL_E = 69;
const SMALL_N = 110;
const ZERO = 48;
const ONE = 49;
const UNDERSCORE = 95;
const MARKS = /[✕✗✘✖×●❌]/y;
const NOT_OK = /not ok\b/y;
const GO_RUN = /=== (?:RUN|PAUSE|CONT|NAME)\b/y;

/** Reads a log; its first line has the number `firstLine` in notes. O(n). */
export function viewLog(lines: Lines, firstLine = 1): LogView {
  const flags = Uint16Array.from(severities(lines));
  excuseRefused(flags);
  const wordings = wordingsOf(lines.text);
  const frames = framesOf(lines);
  for (let i = 0; i < lines.count; i++) {
    if (frames[i]! !== 0 && !(flags[i]! & FAILED)) {
      flags[i] = frames[i] === LIBRARY_FRAME ? FRAME | LIBRARY : FRAME;
    } else refine(lines, i, flags);
    flags[i] = rated(lines, i, flags[i]!, wordings);
  }
  const found = standoutLines(lines, flags);
  return {
    lines,
    firstLine,
    flags,
    ...grouped(lines, flags),
    standouts: found,
  };
}

/** Lines with unusual values; few of each reason in a short log. */
function standoutLines(lines: Lines, flags: Uint16Array): number[] {
  const share = Math.round(lines.count / LINES_PER_STANDOUT);
  const most = Math.max(1, Math.min(MOST_STANDOUTS, share));
  const left = { rare: most, extreme: most };
  const found: number[] = [];
  for (const { line, reason } of standouts(lines)) {
    const flag = flags[line]!;
    const isStep = (flag & (QUIET | PASSED)) === QUIET;
    if (isStep || flag & (LIBRARY | VOID) || left[reason] === 0) continue;
    left[reason]--;
    found.push(line);
  }
  return found;
}

/** Corrects the flags of one line by how it starts. */
function refine(lines: Lines, line: number, flags: Uint16Array): void {
  const { text, codes, starts } = lines;
  const end = starts[line + 1]! - 1;
  let at = starts[line]!;
  const first = codes[at]!;
  if (at < end && (first === SPACE || first === TAB)) {
    while (at < end && codes[at]! <= SPACE) at++;
  }
  if (at >= end) return;
  const code = codes[at]!;
  if (flags[line]! & PASSED && !(flags[line]! & FAILED)) {
    flags[line]! &= ~(ERROR | WARNING);
  }
  if (code > 127 && matchesAt(MARKS, text, at)) flags[line]! |= FAILED | ERROR;
  else if (code === SMALL_N && matchesAt(NOT_OK, text, at)) {
    flags[line]! = FAILED | ERROR;
  } else if (isTestReport(codes, starts[line]!)) {
    flags[line]! |= ERROR;
  } else if (isRule(code) && codes[at + 1] === code && codes[at + 2] === code) {
    if (matchesAt(GO_RUN, text, at)) flags[line] = 0;
    else if (!(flags[line]! & PASSED) && hasLetter(codes, at, end)) {
      flags[line]! |= SECTION;
    }
  }
}

/** The flags of a line with what its wording as a whole says. */
function rated(
  { text, codes, starts }: Lines,
  line: number,
  flag: number,
  { hasBars, hasDetails, hasVerdicts }: Wordings,
): number {
  if (flag & FRAME) return flag;
  const start = starts[line]!;
  const end = starts[line + 1]! - 1;
  if (hasDetails && isDetail(text, start)) {
    return flag & (ERROR | FAILED) || DETAIL;
  }
  // A line that starts with a time is none of these.
  if (isTimed(codes, start)) return passed(flag);
  if (isEmpty(text, start) || isAdvice(text, start)) return QUIET | VOID;
  if (isOutcome(text, start)) return flag | SUMMARY;
  // The name of a test that passed may speak of errors.
  if (isPass(text, start)) return PASSED | QUIET;
  if (hasVerdicts && isVerdict(text, start)) return PASSED | QUIET;
  if (flag & (ERROR | FAILED)) return flag;
  if (isStep(text, start)) return QUIET;
  if (hasBars && isBar(text, start, end)) return QUIET;
  return passed(flag);
}

function passed(flag: number): number {
  return (flag & (PASSED | SUMMARY | ERROR)) === PASSED ? flag | QUIET : flag;
}

/** Two digits, then a sign and a digit somewhere: `2026-`, `10:03`. */
function isTimed(codes: Uint8Array, start: number): boolean {
  let at = start;
  while (codes[at]! >= 48 && codes[at]! <= 57) at++;
  const sign = codes[at]!;
  const next = codes[at + 1]!;
  return at - start >= 2 && sign !== SPACE && next >= 48 && next <= 57;
}

/** pytest's `E   …` and `>   …`. */
function isTestReport(codes: Uint8Array, start: number): boolean {
  return (codes[start] === CAPITAL_E || codes[start] === GREATER) &&
    codes[start + 1] === SPACE && codes[start + 2] === SPACE;
}

function isRule(code: number): boolean {
  return code === EQUALS || code === DASH || code === UNDERSCORE ||
    code === STAR || code === HASH;
}

function hasLetter(codes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if ((codes[i]! | 32) >= 97 && (codes[i]! | 32) <= 122) return true;
  }
  return false;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Groups by loose shape; failures and rare lines are joined by coarser shapes where enough of them agree. */
function grouped(
  original: Lines,
  flags: Uint16Array,
): Pick<LogView, "groups" | "sizes"> {
  const lines = withoutZeros(withoutStarts(original), flags);
  const groups = looseShapes(lines);
  joinTemplates(lines, flags, groups);
  let sizes = countOf(groups);
  for (const { words, least } of JOINS) {
    const rare: number[] = [];
    for (let i = 0; i < groups.length; i++) {
      if (groups[i] !== 0 && sizes.get(groups[i]!)! <= RARE) rare.push(i);
    }
    if (rare.length < least) continue;
    const coarse = Int32Array.from(rare, (i) => coarseShape(lines, i, words));
    const agreeing = countOf(coarse);
    coarse.forEach((shape, r) => {
      if (agreeing.get(shape)! >= least) groups[rare[r]!] = shape;
    });
    sizes = countOf(groups);
  }
  return { groups, sizes };
}

/**
 * Lines in which 0 is a number like any other, for shapes: a total of 0 says something else than
 * one of 3, but line 0 of a file, host 0 or code 0 of a failure does not.
 */
function withoutZeros(lines: Lines, flags: Uint16Array): Lines {
  const { starts } = lines;
  let codes = lines.codes;
  for (let i = 0; i < lines.count; i++) {
    const flag = flags[i]!;
    const isNumber = flag & FRAME ||
      (flag & (ERROR | SUMMARY | WARNING)) === ERROR;
    if (!isNumber) continue;
    for (let at = starts[i]!; at < starts[i + 1]! - 1; at++) {
      if (codes[at] !== ZERO) continue;
      if (codes === lines.codes) codes = codes.slice();
      codes[at] = ONE;
    }
  }
  return { ...lines, codes };
}

function countOf(keys: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

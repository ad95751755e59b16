/** A log as its compressor sees it: what each line says, and which lines are alike. @module */
import { isDigit } from "../../text/words.ts";
import type { StartShapes } from "../../text/line_start.ts";
import { countsOf } from "../../text/counts.ts";
import { messagesOf, withoutStarts } from "../../text/messages.ts";
import {
  codeAt,
  indexLines,
  keyAt,
  lineAt,
  lineEnd,
  lineHead,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
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
import { plainText } from "../../text/terminal.ts";
import { quotedSource } from "./findings.ts";
import { type Plan, readPlan } from "./plans.ts";
import { type Headings, headingsIn } from "./headings.ts";
import { gradeOf } from "./rules.ts";
import { wordingOf } from "./tool_lines.ts";

/** The line is a heading between two parts of a report. */
export const SECTION = 2048;
/** The line is a frame of a stack trace. */
export const FRAME = 64;
/** The frame is not in the user's code. */
export const LIBRARY = 128;
/** The line says only that all goes on as it should. */
export const QUIET = 256;
/** The line goes on with a message of a compiler. */
export const DETAIL = 512;
/** The line is indented below a failure or a warning, or quotes source there. */
export const PART = 4096;
/** The line says nothing, or what its tool says below every failure. */
export const VOID = 1024;

/** A log; all lists have one entry per line. */
export interface LogView {
  /** As it was received. */
  readonly text: string;
  /** The lines as a terminal shows them. */
  readonly lines: Lines;
  /** The same lines without what stands before their messages; for comparing them. */
  readonly said: Lines;
  /** Offset in `lines` of the message of each line, or of the level right before it. */
  readonly behind: Uint32Array;
  /** The messages alone, with their indentation. */
  readonly messages: Lines;
  /** What the signs of `lines` say, as `severities` reads them. */
  readonly signs: Uint8Array;
  /** Flags of `text/signs/flags.ts` and of this file. */
  readonly flags: Uint16Array;
  /** Lines with equal numbers are alike; 0 for blank lines. */
  readonly groups: Int32Array;
  /** How many lines each group has. */
  readonly sizes: ReadonlyMap<number, number>;
  /** What is below findings; flags of `findings.ts`. */
  readonly quoted: Uint8Array;
  /** Lines with a rare value or an extreme number; no frames of libraries. */
  readonly standouts: readonly number[];
  /** The changes to resources that it lists. */
  readonly plan: Plan | undefined;
  /** What heads the parts of the log. */
  readonly headings: Headings;
}

/** Lines of a group that are still told apart when a looser likeness would join them. */
const RARE = 2;
/** Headings of a form up to which each is told apart: they are the outline. */
const FEW_HEADINGS = 12;
/** Looser likenesses, tried in order: words that count, and rare lines that must agree. */
const JOINS = [{ words: 3, least: 5 }, { words: 2, least: 12 }];
/** UTF-16 units of a line that are looked at. */
const WIDTH = 400;
const BAR = 124;
/** Lines to which those below them can belong. */
const MESSAGE = ERROR | FAILED | WARNING | DETAIL;
/** Lines that head nothing. */
const NO_HEADING = MESSAGE | PASSED | SUMMARY | FRAME | PART | VOID;
const SPACE = 32;
/** Two digits, then a sign and a digit somewhere: `2026-`, `10:03`. */
const TIMED = /^\d{2,}[^\d\s]\d/;
/** Marks of failures, also behind names in a tree, and the numbered failures of mocha. */
const FAILING_MARK =
  /^[ \t]*[✕✗✘✖×●❌]|^[ │├└╷─|+'-]*[│├└|+'].{1,300} (?:✘|\[X\])(?: |$)|^ {2,8}\d{1,3}\) \S/;
const NOT_OK = /^[ \t]*not ok\b/;
/** pytest's `E   …` and `>   …`, and the place of what Biome found. */
const TEST_REPORT = /^[E>] {2}|^\S+:\d+:\d+ .*━{4}/;
/** What a linter found: `F401 [*] unused import`, `a.py:3:7: F401 unused import`. */
const LINTED =
  /^(?:\S{1,200}\.\w{1,9}:\d+(?::\d+)?:? \[?)?[A-Z]{1,5}\d{2,5}\]?:? (?:\[\*\] )?\S/;
const GO_RUN = /^=== (?:RUN|PAUSE|CONT|NAME)\b/;
const RULED = /^[ \t]*([=_*#-])\1\1.*[A-Za-z]/;
const PYTHON = 'File "';
const RAISED = /^\s*(?:\w+\.)*[A-Z]\w*(?::|$)/;

/** Reads a log. @param shapes How its lines begin; learnt when absent. @returns O(text). */
export function viewLog(text: string, shapes?: StartShapes): LogView {
  const lines = indexLines(plainText(text));
  const signs = severities(lines);
  const flags = new Uint16Array(signs);
  excuseRefused(flags);
  const { said, behind } = withoutStarts(lines, shapes);
  const messages = messagesOf(lines, said);
  const alike = looseShapes(said);
  flagLines(messages, flags, alike);
  markParts(messages, flags);
  const quoted = quotedSource(messages, flags);
  const headings = headingsIn(
    messages,
    (line) =>
      ((flags[line] ?? 0) & NO_HEADING) === 0 && quoted[line] === 0 &&
      // What follows a failure belongs to it.
      ((flags[line - 1] ?? 0) & MESSAGE) === 0,
  );
  for (const [line, size] of headings.sizes.entries()) {
    if (size > FEW_HEADINGS) alike[line] = keyAt(headings.forms, line);
  }
  return {
    text,
    lines,
    said,
    behind,
    messages,
    signs,
    flags,
    ...grouped(said, alike),
    quoted,
    standouts: standouts(lines).map(({ line }) => line)
      .filter((line) => ((flags[line] ?? 0) & (LIBRARY | VOID)) === 0),
    plan: readPlan(messages),
    headings,
  };
}

/** Corrects the flags of all lines, once for each shape. */
function flagLines(
  messages: Lines,
  flags: Uint16Array,
  shapes: Int32Array,
): void {
  const frames = framesOf(messages);
  const known = new Map<number, number>();
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    if (frames[i] !== 0 && !(flag & (FAILED | ERROR))) {
      flags[i] = frames[i] === LIBRARY_FRAME ? FRAME | LIBRARY : FRAME;
      continue;
    }
    const start = lineStart(messages, i);
    // Shapes know no blanks: an indentation and a tab may matter.
    const lead = (codeAt(messages.codes, start) << 8) |
      codeAt(messages.codes, start + 1);
    const key = Math.imul(Math.imul(keyAt(shapes, i), 31) ^ flag, 31) ^ lead;
    let corrected = known.get(key);
    if (corrected === undefined) {
      corrected = flagsOf(lineHead(messages, i, WIDTH), flag);
      known.set(key, corrected);
    }
    flags[i] = corrected;
  }
}

/** Corrects the flags of a line by its form and its wording. */
function flagsOf(line: string, severity: number): number {
  let flag = severity;
  if (flag & PASSED && !(flag & FAILED)) flag &= ~(ERROR | WARNING);
  if (FAILING_MARK.test(line)) flag |= FAILED | ERROR;
  else if (NOT_OK.test(line)) return FAILED | ERROR;
  else if (TEST_REPORT.test(line)) flag |= ERROR;
  else if (LINTED.test(line)) flag |= WARNING;
  else if (line.endsWith("]")) flag |= gradeOf(line);
  else if (GO_RUN.test(line)) return QUIET;
  else if (!(flag & PASSED) && RULED.test(line)) flag |= SECTION;
  return TIMED.test(line) ? passed(flag) : worded(line, flag);
}

function worded(line: string, flag: number): number {
  switch (wordingOf(line)) {
    case "detail":
      return flag & (ERROR | FAILED) || DETAIL;
    case "nothing":
      return QUIET | VOID;
    case "outcome":
      return flag | SUMMARY;
    // The name of a test that passed may speak of errors.
    case "passed":
      return PASSED | QUIET;
    case "lack":
      return flag | WARNING;
    case "step":
      return flag & (ERROR | FAILED) ? flag : QUIET;
    default:
      return flag & (ERROR | FAILED) ? flag : passed(flag);
  }
}

function passed(flag: number): number {
  return (flag & (PASSED | SUMMARY | ERROR)) === PASSED ? flag | QUIET : flag;
}

/** Marks what belongs to the failures and warnings above it. */
function markParts(lines: Lines, flags: Uint16Array): void {
  let depth = Infinity;
  let isTrace = false;
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!;
    if (isBlank(lines, i)) continue;
    const indent = indentOf(lines, i);
    if (indent > depth || (depth < Infinity && isQuoted(lines, i))) {
      isTrace ||= (flag & FRAME) !== 0 &&
        lines.text.startsWith(PYTHON, lineStart(lines, i) + indent);
      flags[i] = flag | PART;
      continue;
    }
    // What was raised is below its frames.
    if (isTrace && RAISED.test(lineAt(lines, i))) flags[i] = flag | ERROR;
    depth = (flags[i] ?? 0) & MESSAGE ? indent : Infinity;
    isTrace = false;
  }
}

/** Whether a line is a number and a bar, an indented bar alone, or three dots: compilers quote source so. */
export function isQuoted(lines: Lines, line: number): boolean {
  const { codes, text } = lines;
  const start = lineStart(lines, line);
  if (lineEnd(lines, line) - start === 3 && text.startsWith("...", start)) {
    return true;
  }
  let at = start;
  while (codes[at] === SPACE) at++;
  while (isDigit(codeAt(codes, at))) at++;
  while (codes[at] === SPACE) at++;
  return codes[at] === BAR && at > start;
}

/** Groups by loose shape; rare lines are joined by coarser shapes where enough of them agree. */
function grouped(
  said: Lines,
  groups: Int32Array,
): Pick<LogView, "groups" | "sizes"> {
  let sizes = countsOf(groups);
  for (const { words, least } of JOINS) {
    const rare: number[] = [];
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      if (group !== 0 && (sizes.get(group) ?? 0) <= RARE) rare.push(i);
    }
    if (rare.length < least) continue;
    const coarse = Int32Array.from(rare, (i) => coarseShape(said, i, words));
    const agreeing = countsOf(coarse);
    for (let r = 0; r < rare.length; r++) {
      const line = rare[r]!;
      const shape = keyAt(coarse, r);
      if ((agreeing.get(shape) ?? 0) >= least) groups[line] = shape;
    }
    sizes = countsOf(groups);
  }
  return { groups, sizes };
}

/** Counts the blanks at the start of a line. */
export function indentOf(lines: Lines, line: number): number {
  const start = lineStart(lines, line);
  let at = start;
  while (codeAt(lines.codes, at) === SPACE || codeAt(lines.codes, at) === 9) {
    at++;
  }
  return at - start;
}

/** Whether a line has no characters. */
export function isBlank(lines: Lines, line: number): boolean {
  return lineEnd(lines, line) <= lineStart(lines, line);
}

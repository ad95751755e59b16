/** A document cut into sections: fenced blocks, JSON, tables, and what stands between them. @module */
import {
  codeAt,
  indexLines,
  lineAt,
  lineLength,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { type Budget, jsonEnd } from "./json_block.ts";

/** A stretch of a text. All sections together are the text. */
export interface Section {
  /** What it is, as far as its first line tells. `rest` is everything else, `frame` never changes. */
  readonly kind: "fence" | "json" | "table" | "rest" | "frame";
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character, newline included. */
  readonly end: number;
  /** Number of its first line, from 0. */
  readonly line: number;
  /** Language named on a fence; empty when none. */
  readonly language: string;
}

/** Opening line of a fenced block. */
const FENCE =
  /^(?:(`{3,})[ \t]*\{?\.?([\w+#-]*)[^`]*|(~{3,})[ \t]*\{?\.?([\w+#-]*).*)$/;
/** Row of a Markdown table, and the rule below its head. */
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** Lines of a table that is worth looking at. */
const MIN_TABLE = 4;

/** Times that the whole text may be looked through for ends. */
const LOOK_AHEAD = 3;

/** Cuts `text` into sections, in order and without a gap. O(n). */
export function sectionsOf(text: string): readonly Section[] {
  const lines = indexLines(text);
  const sections: Section[] = [];
  let rest = 0;
  const close = (line: number) => {
    if (line > rest) sections.push(section(lines, "rest", rest, line));
  };
  // A look-ahead that finds nothing must not be made again at every line.
  const budget = { left: LOOK_AHEAD * text.length };
  for (let i = 0; i < lines.count;) {
    const found = fenceAt(lines, i, budget) ?? tableAt(lines, i) ??
      jsonAt(lines, i, budget);
    if (found === undefined) {
      i++;
      continue;
    }
    close(i);
    sections.push(...found);
    for (const one of found) i = rest = lineAfter(lines, one);
  }
  close(lines.count);
  return sections;
}

function section(
  lines: Lines,
  kind: Section["kind"],
  from: number,
  to: number,
): Section {
  return {
    kind,
    start: lineStart(lines, from),
    end: Math.min(lines.text.length, lineStart(lines, to)),
    line: from,
    language: "",
  };
}

/** Number of the line behind a section. */
function lineAfter(lines: Lines, { end, line }: Section): number {
  let next = line;
  while (next < lines.count && lineStart(lines, next) < end) next++;
  return next;
}

/** The fence, what is in it, the closing fence. */
function fenceAt(
  lines: Lines,
  at: number,
  budget: Budget,
): Section[] | undefined {
  const code = codeAt(lines.codes, lineStart(lines, at));
  if (code !== BACKTICK && code !== TILDE) return undefined;
  const match = FENCE.exec(lineAt(lines, at).slice(0, MAX_ROW));
  if (match === null) return undefined;
  const [, ticks, named, tildes = "", called = ""] = match;
  const mark = ticks ?? tildes;
  const language = named ?? called;
  for (let i = at + 1; i < lines.count && budget.left > 0; i++) {
    budget.left -= lineLength(lines, i) + 1;
    if (!lines.text.startsWith(mark, lineStart(lines, i))) continue;
    if (!isClosing(lineAt(lines, i), mark)) continue;
    const inner = { ...section(lines, "fence", at + 1, i), language };
    const frames = [section(lines, "frame", at, at + 1)];
    if (i > at + 1) frames.push(inner);
    return [...frames, section(lines, "frame", i, i + 1)];
  }
  return undefined;
}

/** At least as many signs as the opening line has, and nothing else. */
function isClosing(line: string, mark: string): boolean {
  const signs = line.slice(0, MAX_ROW).trim();
  return signs.startsWith(mark) && /^(?:`+|~+)$/.test(signs);
}
const BACKTICK = 0x60;
const TILDE = 0x7e;

function tableAt(lines: Lines, at: number): Section[] | undefined {
  if (at + MIN_TABLE > lines.count) return undefined;
  if (!ROW.test(headOf(lines, at)) || !RULE.test(headOf(lines, at + 1))) {
    return undefined;
  }
  let end = at + 2;
  while (end < lines.count && isRow(lines, end)) end++;
  return end - at < MIN_TABLE ? undefined : [section(lines, "table", at, end)];
}

function isRow(lines: Lines, at: number): boolean {
  return codeAt(lines.codes, lineStart(lines, at)) === PIPE;
}
const PIPE = 0x7c;

/** Longest row head that is looked at, in UTF-16 units. */
const MAX_ROW = 2000;

function headOf(lines: Lines, at: number): string {
  if (!isRow(lines, at)) return "";
  return lineAt(lines, at).slice(0, MAX_ROW);
}

function jsonAt(
  lines: Lines,
  at: number,
  budget: Budget,
): Section[] | undefined {
  const start = lineStart(lines, at);
  const code = lines.codes[start];
  if (code !== BRACE && code !== BRACKET) return undefined;
  const end = jsonEnd(lines.text, start, budget);
  if (end === undefined) return undefined;
  let to = at;
  while (to < lines.count && lineStart(lines, to) < end) to++;
  return [section(lines, "json", at, to)];
}
const BRACE = 0x7b;
const BRACKET = 0x5b;

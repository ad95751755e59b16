/** Machine-made text: minified code, dumps, encoded bytes. Ends of lines and blocks stay, and what says something. @module */
import type { Gap, Kind, Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { countText } from "../../engine/note.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import {
  indexLines,
  lineAt,
  lineAtOffset,
  lineEnd,
  lineLength,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { changedRows, wordsOfDump } from "./dump.ts";
import { BASE64, blockEnd, DUMP, LONG, PLAIN, shapeOf } from "./shapes.ts";
import { windowsOf } from "../../engine/windows.ts";

/** UTF-16 units looked at to recognise: at the start, and at the end. */
const HEAD = 6000;
const TAIL = 3000;
/** Share of the characters that must be machine-made. */
const LEAST = 0.7;
/** A service writes lines that start with a time or a level. */
const LOGGED =
  /^\[?(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b)/;
const MARKUP = /^\s*<(?:!doctype html|html|head|body)\b/i;
/** Closing tags in 1,000 UTF-16 units of what is no page. */
const MAX_TAGS = 4;
const JSON_END = /[\]}]\s*$/;
const JSON_START = /^\s*[{[]\s*(?:["{[\]}]|-?\d|true|false|null)/;
/** Keys of JSON in a sample of it, also where the end of it is cut off. */
const KEYS = /"\s*:\s*["{[\d\-tfn]/g;
const FEW_KEYS = 3;

/** Lines of a block at least; rows that stay of a dump at its start, and lines of other blocks. */
const LEAST_LINES = 4;
const LEAST_ROWS = 8;
const DUMP_HEAD = 3;
const BLOCK_HEAD = 1;
/** UTF-16 units that a gap must leave out. */
const LEAST_GAP = 120;

/** Folds equal rows, or keeps the ends of lines and blocks, what the question asks for and messages of errors. */
export const denseKind: Kind<Lines> = {
  id: "dense",
  unit: "characters",
  parse: (text) => isDense(text) ? indexLines(text) : undefined,
  fold: ({ text }, { firstLine }) => foldRepeats(text, firstLine),
  units: (lines, { query }) => unitsOf(lines, queryTerms(query)),
  label: (lines, { from, to }, { units: { starts }, query }) =>
    labelOf(lines, [offsetAt(starts, from), offsetAt(starts, to)], query),
};

/** Whether most characters of a bounded sample are in lines which are no text. */
function isDense(text: string): boolean {
  const sample = text.length <= HEAD + TAIL
    ? text
    : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  if (isJson(text, sample) || isMarkup(sample)) return false;
  const isWhole = JSON_END.test(text.slice(-200));
  const lines = indexLines(sample);
  let dense = 0;
  let all = 0;
  let long = 0;
  let logged = 0;
  for (let i = 0; i < lines.count; i++) {
    const length = lineLength(lines, i) + 1;
    const shape = shapeOf(lines, i);
    all += length;
    if (shape === PLAIN) continue;
    if (shape === LONG && isWhole && isData(lineAt(lines, i))) continue;
    dense += length;
    if (shape !== LONG) continue;
    long++;
    if (LOGGED.test(lineAt(lines, i).slice(0, 40))) logged++;
  }
  if (logged > long / 2 || (long >= 3 && isTable(lines))) return false;
  return all > 0 && dense >= LEAST * all;
}

/** JSON, whole or cut off. */
function isJson(text: string, sample: string): boolean {
  if (!JSON_START.test(text.slice(0, 200))) return false;
  if (JSON_END.test(text.slice(-200))) return true;
  return (sample.match(KEYS) ?? []).length >= FEW_KEYS;
}

/** Whether a line begins as JSON does: a report behind what a program printed before it. */
function isData(line: string): boolean {
  return JSON_START.test(line.slice(0, 200)) &&
    (line.match(KEYS) ?? []).length >= FEW_KEYS;
}

/** A page of tags, however long its lines are. */
function isMarkup(sample: string): boolean {
  if (MARKUP.test(sample.slice(0, 200))) return true;
  return sample.split("</").length - 1 > MAX_TAGS * sample.length / 1000;
}

/** Long lines with equally many commas or tabs. */
function isTable(lines: Lines): boolean {
  return [",", "\t", ";", "|"].some((mark) => {
    const counts = new Set<number>();
    // The last line of the first part of the sample may be cut.
    for (let i = 0; i < Math.min(4, lines.count - 1); i++) {
      if (shapeOf(lines, i) !== LONG) continue;
      counts.add(lineAt(lines, i).split(mark).length);
    }
    const [count = 0] = counts;
    return counts.size === 1 && count > 5;
  });
}

function unitsOf(lines: Lines, terms: readonly string[]): Units {
  const ranges = new Ranges();
  for (let i = 0; i < lines.count;) {
    const shape = shapeOf(lines, i);
    if (shape === PLAIN || shape === LONG) {
      if (shape === LONG) cutLine(ranges, lines, { line: i, terms });
      i++;
      continue;
    }
    const to = blockEnd(lines, i, shape);
    const gap = gapOfBlock(lines, { from: i, to }, shape);
    if (gap !== undefined) leaveOutRows(ranges, lines, { gap, shape });
    i = to;
  }
  return ranges.finish(lines.text.length);
}

/** Leaves out the rows of a gap, of a dump those between rows that differ from others. */
function leaveOutRows(
  ranges: Ranges,
  lines: Lines,
  { gap, shape }: { readonly gap: Gap; readonly shape: number },
): void {
  const kept = shape === DUMP ? changedRows(lines, gap) : [];
  let from = gap.from;
  for (const to of [...kept, gap.to]) {
    const start = lineStart(lines, from);
    const end = Math.min(lineStart(lines, to), lines.text.length);
    if (end - start >= LEAST_GAP) ranges.leaveOut(start, end);
    from = to + 1;
  }
}

/** What lines hold that are left out: characters, and the words of a dump. */
function labelOf(
  lines: Lines,
  [start, end]: readonly [number, number],
  query: string,
): string {
  const size = countText(end - start, "characters");
  const from = lineAtOffset(lines, start);
  if (lineStart(lines, from) !== start || shapeOf(lines, from) !== DUMP) {
    return size;
  }
  const gap = { from, to: lineAtOffset(lines, end) };
  const words = wordsOfDump(lines, gap, queryTerms(query));
  const said = words.map((word) => `"${word}"`).join(", ");
  return said === "" ? size : `${size}; readable in it: ${said}`;
}

/** Leaves out what is between the windows of a long line. */
function cutLine(
  ranges: Ranges,
  lines: Lines,
  { line, terms }: { readonly line: number; readonly terms: readonly string[] },
): void {
  const span = { start: lineStart(lines, line), end: lineEnd(lines, line) };
  const windows = windowsOf(lines.codes, span, terms);
  windows.slice(1).forEach((window, i) => {
    const { end } = windows[i] ?? window;
    if (window.start - end >= LEAST_GAP) ranges.leaveOut(end, window.start);
  });
}

/** Lines of a block that can go: all but its ends. */
function gapOfBlock(
  lines: Lines,
  { from, to }: Gap,
  shape: number,
): Gap | undefined {
  const isDump = shape === DUMP;
  if (to - from < (isDump ? LEAST_ROWS : LEAST_LINES)) return undefined;
  // The marks of a certificate say what its lines are.
  const isArmoured = shape === BASE64 && isMark(lines, from - 1) &&
    isMark(lines, to);
  if (isArmoured) return { from, to };
  return { from: from + (isDump ? DUMP_HEAD : BLOCK_HEAD), to: to - 1 };
}

function isMark(lines: Lines, line: number): boolean {
  return line >= 0 && line < lines.count &&
    lines.text.startsWith("-----", lineStart(lines, line));
}

/** Ranges of a text that go, by turns with those that stay. */
class Ranges {
  readonly #starts: number[] = [0];
  readonly #weights: number[] = [];

  /** Leaves out `[start, end)`; ranges ascend. */
  leaveOut(start: number, end: number): void {
    if (start > (this.#starts.at(-1) ?? 0)) {
      this.#weights.push(STAYS);
      this.#starts.push(start);
    }
    this.#weights.push(0);
    this.#starts.push(end);
  }

  finish(length: number): Units {
    if (length > (this.#starts.at(-1) ?? 0)) {
      this.#weights.push(STAYS);
      this.#starts.push(length);
    }
    return {
      starts: Uint32Array.from(this.#starts),
      weights: Uint8Array.from(this.#weights),
    };
  }
}

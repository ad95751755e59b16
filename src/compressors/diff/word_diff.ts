/** The output of `git diff --word-diff`: lines without signs, in which changes are marked. @module */
import type { Omitted } from "../../core/compressor.ts";
import { isChanged, parseHunkHeader } from "./hunk_header.ts";
import { contextNote } from "./note.ts";
import type { LineSpan, ParsedDiff } from "./parse.ts";

const FILE = /^diff --git a\/(\S+) b\/(\S+)$/;
const OUTSIDE = /^(?:diff --git |commit [0-9a-f]{7,64}\b)/;
/** Characters of context that a note is worth; it costs about 7 tokens. */
const GAP_CHARS = 36;

/** Hunks with their header lines, in order; `undefined` unless each has a mark in it and none the signs of another diff. */
export function wordHunks(
  { lines, files }: ParsedDiff,
): readonly LineSpan[] | undefined {
  for (const { hunks } of files) {
    for (const { complete, start, end } of hunks) {
      if (!complete) continue;
      for (let i = start + 1; i < end; i++) {
        if (isChanged(lines[i]!, 1)) return undefined;
      }
    }
  }
  const spans: LineSpan[] = [];
  for (let at = 0; at < lines.length;) {
    const end = hunkEnd(lines, at);
    if (end === undefined) at++;
    else {
      if (!lines.slice(at + 1, end).some(isMarked)) return undefined;
      spans.push({ start: at, end });
      at = end;
    }
  }
  return spans.length === 0 ? undefined : spans;
}

/** The line behind the hunk whose header is at `at`, as far as its counts reach. */
function hunkEnd(lines: readonly string[], at: number): number | undefined {
  const sides = parseHunkHeader(lines[at]!)?.sides;
  if (sides?.length !== 2) return undefined;
  let [old, added] = [sides[0]!.count, sides[1]!.count];
  const limit = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  let end = at + 1;
  while (end < limit && (old > 0 || added > 0) && !isOutside(lines[end]!)) {
    const line = lines[end++]!.trim();
    if (!line.startsWith("{+") || !line.endsWith("+}")) old--;
    if (!line.startsWith("[-") || !line.endsWith("-]")) added--;
  }
  return end;
}

function isOutside(line: string): boolean {
  return OUTSIDE.test(line) || line.startsWith("@@ -");
}

function isMarked(line: string): boolean {
  return isWithin(line, "[-", "-]") || isWithin(line, "{+", "+}");
}

function isWithin(line: string, open: string, close: string): boolean {
  const start = line.indexOf(open);
  return start >= 0 && line.lastIndexOf(close) > start;
}

/**
 * Leaves out context between marked lines, and header lines that say nothing new. Linear.
 *
 * @param hunks The hunks of the diff, see {@linkcode wordHunks}.
 */
export function elideWordDiff(
  { lines }: ParsedDiff,
  hunks: readonly LineSpan[],
): { readonly text: string; readonly omitted: Omitted } {
  const out: string[] = [];
  let count = 0;
  let noteAt = -1;
  let at = 0;
  const copy = (end: number) => {
    while (at < end) {
      if (isPlainHeader(lines, at)) {
        if (noteAt < 0) noteAt = out.length;
        count += 3;
        at += 3;
      }
      out.push(lines[at++]!);
    }
  };
  for (const hunk of hunks) {
    copy(hunk.start);
    count += writeHunk(lines, hunk, out);
    at = hunk.end;
  }
  copy(lines.length);
  if (noteAt >= 0) out.splice(noteAt, 0, "… index and --- lines omitted");
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return { text: out.join("\n"), omitted: { count, total, unit: "lines" } };
}

/** `diff`, `index`, `---` and `+++`, of which the last says all. */
function isPlainHeader(lines: readonly string[], at: number): boolean {
  const [, old, added] = FILE.exec(lines[at]!) ?? [];
  return old !== undefined && old === added &&
    lines[at + 1]?.startsWith("index ") === true &&
    lines[at + 2] === `--- a/${old}` && lines[at + 3] === `+++ b/${old}`;
}

/** Writes marked lines and a note for each gap; returns how many lines are left out. */
function writeHunk(
  lines: readonly string[],
  { start, end }: LineSpan,
  out: string[],
): number {
  let omitted = 0;
  let first = start + 1;
  out.push(lines[start]!);
  for (let at = first; at <= end; at++) {
    if (at < end && !isMarked(lines[at]!)) continue;
    const gap = lines.slice(first, at);
    if (gap.join("\n").length < GAP_CHARS) out.push(...gap);
    else {
      omitted += gap.length;
      const note = contextNote(gap.length);
      if (first === start + 1) out.push(`${out.pop()} ${note}`);
      else out.push(note);
    }
    if (at < end) out.push(lines[at]!);
    first = at + 1;
  }
  return omitted;
}

/** Is this text a table? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, type Lines } from "../../text/lines.ts";
import { mayBeDelimited } from "./delimited_look.ts";
import { looksDelimited } from "./delimited_signs.ts";
import { findFixed } from "./find_fixed.ts";
import { findFrames } from "./find_frames.ts";
import { MARKDOWN } from "./frame.ts";
import { findListings } from "./listings.ts";
import type { Table } from "./table.ts";

/** UTF-16 units looked at, and lines of them. */
const HEAD = 2500;
const LINES = 24;
/** UTF-16 units in which lines of Markdown are counted. */
const LOOKED_THROUGH = 100_000;
/** Share of the lines that must be rows. */
const LEAST_SHARE = 0.6;
/** Confidence when more than that are rows. */
const SURE = 0.95;
/** Runs of blanks, or the start of `ls -l`, on two lines that follow one another; a line of `apt list`. */
const PADDED =
  /\S {2,}\S.*\n.*\S {2,}\S|^[-dl][r-][w-].*\n[-dl][r-][w-]|^\S+\/\S+ \S+ \w+(?: \[|$)/m;
/** What one of them has: a cheap look. */
const MAYBE_PADDED = / {2}|[r-][w-]|\/\S+ \S/;
const FRAMED = /^(?:[|+│┌]|-+\+-)/m;

/** Whether most of the first lines, and of Markdown most of all lines, are rows of tables. Looks at 2,500 characters, of Markdown at the starts of lines in 100,000. */
export const recogniseTable: Recognise = (text, hint) => {
  const start = headOf(text);
  if (FRAMED.test(start)) {
    const lines = indexLines(start);
    const tables = findFrames(lines, start.length < text.length);
    if (shareOf(lines, tables) >= LEAST_SHARE) {
      const isMarkdown = tables[0]?.layout.name === MARKDOWN;
      return !isMarkdown || isThroughout(text) ? SURE : 0;
    }
  }
  if (MAYBE_PADDED.test(start) && PADDED.test(start)) {
    const lines = indexLines(start);
    if (shareOf(lines, paddedIn(lines)) >= LEAST_SHARE) return SURE;
  }
  const path = hint?.path;
  if (path === undefined && !mayBeDelimited(text)) return 0;
  return looksDelimited(text, path) ? SURE : 0;
};

function paddedIn(lines: Lines): Table[] {
  const listings = findListings(lines);
  return listings.length > 0 ? listings : findFixed(lines);
}

/** Whether a text that starts with Markdown rows goes on so, without headings or tables that only lay a page out. */
function isThroughout(text: string): boolean {
  const part = text.slice(0, LOOKED_THROUGH);
  if (/^#{1,6} |^\|(?: *\|)+$/m.test(part)) return false;
  return countOf(part, "\n|") + 1 >= LEAST_SHARE * countOf(part, "\n");
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    count++;
  }
  return count;
}

/** Share of the lines that are not blank and stand in a table. */
function shareOf(lines: Lines, tables: readonly Table[]): number {
  if (tables.length === 0) return 0;
  let rows = 0;
  for (const { from, to } of tables) rows += to - from;
  let filled = 0;
  for (let i = 0; i < lines.count; i++) {
    if (lines.starts[i + 1]! - lines.starts[i]! > 1) filled++;
  }
  return rows / Math.max(1, filled);
}

function headOf(text: string): string {
  let start = text;
  if (text.length > HEAD) {
    start = text.slice(0, HEAD);
    start = start.slice(0, start.lastIndexOf("\n") + 1);
  }
  let end = -1;
  for (let i = 0; i < LINES; i++) {
    end = start.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  const head = end < 0 ? start : start.slice(0, end + 1);
  return head.includes("\r\n") ? head.replaceAll("\r\n", "\n") : head;
}

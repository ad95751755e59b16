/** Is this text the output of grep, ripgrep or a search tool? @module */
import { lineHeads } from "../../text/lines.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 50;
/** UTF-16 units looked at of one line. */
const WIDTH = 400;
/** Share of the lines that must be rows. */
const LEAST = 0.8;
/** Share of other lines that may be among rows, and how much more of them when a tool searches. */
const OTHERS = 0.2;
const BONUS = 0.1;
const SEARCHES = /grep|search|\brg\b|ripgrep/i;
/** UTF-16 units up to which a text is first searched for a number of a line, which any form of search results has. */
const SHORT = 16_000;
const NUMBERED = /(?:^|[:-])\d+(?:[:-]|$)/m;
/** `path:12:`. A path has a slash or an extension, and no sentence before it; it is neither a bracketed level nor a time. */
const ROW =
  /^(?!\[|\d{4}-\d\d-\d\d|[^A-Za-z_:]*:)(?:[A-Za-z]:)?(?:[^\s:"'<>=|\\/]*[\\/][^:"<>=|\t]*|[^\s:"'<>=|]*\.[A-Za-z]\w{0,9}):\d+:/;
/** What a compiler, not a search, writes after a line number. */
const DIAGNOSTIC =
  /^(?:\d+:)?\s*(?:fatal )?(?:error|warning|note|info|hint)\b|^\d+: \w/i;
const CONTEXT = /^[^\s:./\\]*[./\\][^:]*?[-=]\d+[-=]/;
const COUNT = /^(?:[A-Za-z]:[\\/])?[^\s:./\\]*[./\\][^:]*:\d+$/;
const PATH =
  /^(?:[A-Za-z]:)?(?:[^\s:"'<>=|\\/]*[\\/][^:"<>=|]*|[^\s:"'<>=|]*\.[A-Za-z]\w{0,9})$/;
const MESSAGE =
  /^(?:(?:grep|rg|ag): |Binary file .* matches|Found \d+ )|: binary file matches/;
/** `12:text` or, around it, `11-text`. */
const BODY = /^\d{1,9}([:-])/;
const SEPARATOR = "--";
/** Lines that a list of counts has at least. */
const LEAST_LINES = 5;
/** Share of lines that may stand beside counts, or beside paths and the rows below them. */
const BESIDE = 0.1;
const LEAST_BODIES = 3;

/** How search results are laid out: paths before rows, above them or nowhere, or counts. */
export type Layout = "flat" | "heading" | "counts";

/** The layout that most lines of a bounded sample have; `undefined` when too few are of search results. */
export function layoutOf(text: string, toolName = ""): Layout | undefined {
  if (text.length <= SHORT && !NUMBERED.test(text)) return undefined;
  const bonus = SEARCHES.test(toolName) ? BONUS : 0;
  const heads = lineHeads(text, SAMPLE, WIDTH);
  const rows = rowShare(heads, OTHERS + bonus);
  if (rows > 0 && rows + bonus >= LEAST) return "flat";
  if (isCounts(heads)) return "counts";
  return isBelowHeadings(heads) ? "heading" : undefined;
}

/** `path:12:text`, with context lines and messages beside; 0 when more than a share of `beside` is something else. */
function rowShare(heads: readonly string[], beside: number): number {
  let rows = 0;
  let context = 0;
  let others = 0;
  const most = beside * heads.length;
  for (const line of heads) {
    if (isRow(line)) rows++;
    else if (isBeside(line)) continue;
    else if (CONTEXT.test(line)) context++;
    else if (++others > most) return 0;
  }
  if (rows < 2) return 0;
  // Context without its match would be any list of dashed names.
  return (rows + Math.min(context, 20 * rows)) / (rows + context + others);
}

function isRow(line: string): boolean {
  const start = ROW.exec(line)?.[0];
  return start !== undefined && !DIAGNOSTIC.test(line.slice(start.length));
}

function isBeside(line: string): boolean {
  return line === SEPARATOR || line.trim() === "" || MESSAGE.test(line);
}

/** `path:3` on nearly every line. */
function isCounts(heads: readonly string[]): boolean {
  const others = heads.filter((line) => !COUNT.test(line)).length;
  return heads.length >= LEAST_LINES && others <= BESIDE * heads.length;
}

/** A path, then rows `12:text` that rise by more than one; or such rows alone. */
function isBelowHeadings(heads: readonly string[]): boolean {
  let rows = 0;
  let matches = 0;
  let steps = 0;
  let before = 0;
  let rises = true;
  const others: string[] = [];
  for (const line of heads) {
    const body = BODY.exec(line);
    if (body === null) {
      if (line !== "" && line !== SEPARATOR) others.push(line);
      continue;
    }
    const number = parseInt(line, 10);
    if (number === before + 1) steps++;
    if (number <= before) rises = false;
    before = number;
    rows++;
    if (body[1] === ":") matches++;
  }
  if (rows < LEAST_BODIES) return false;
  const paths = others.filter((line) => PATH.test(line)).length;
  if (others.length - paths > BESIDE * rows) return false;
  if (paths > 0 && paths <= rows) return true;
  // A listing of a file rises by one, and has the same sign behind each number.
  const isListing = steps >= 0.5 * rows &&
    (matches === 0 || matches === rows);
  return heads.length >= LEAST_LINES && !isListing && rises;
}

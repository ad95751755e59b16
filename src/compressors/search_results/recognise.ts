/** Is this text the output of grep, ripgrep or a search tool? @module */
import type { Recognise } from "../../core/detector.ts";
import { lineHeads } from "../../text/lines.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 50;
/** UTF-16 units looked at of one line. */
const WIDTH = 400;
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
const CONTEXT = /^[^\s:./\\]*[./\\][^:]*?-\d+-/;
const COUNT = /^(?:[A-Za-z]:[\\/])?[^\s:./\\]*[./\\][^:]*:\d+$/;
const PATH =
  /^(?:[A-Za-z]:)?(?:[^\s:"'<>=|\\/]*[\\/][^:"<>=|]*|[^\s:"'<>=|]*\.[A-Za-z]\w{0,9})$/;
const MESSAGE =
  /^(?:(?:grep|rg|ag): |Binary file .* matches|Found \d+ )|: binary file matches/;
/** `12:text` or, around it, `11-text`. */
const BODY = /^\d{1,9}[:-]/;
const SEPARATOR = "--";
/** Lines that a list of counts has at least. */
const LEAST_LINES = 5;
/** Share of lines that may stand beside counts, or beside paths and the rows below them. */
const BESIDE = 0.1;
const LEAST_BODIES = 3;

/** Share of a bounded sample of lines that are rows of search results; 0 when too few are. */
export const recogniseSearchResults: Recognise = (text, hint) => {
  if (text.length <= SHORT && !NUMBERED.test(text)) return 0;
  const toolName = hint?.toolName;
  const bonus = toolName !== undefined && SEARCHES.test(toolName) ? BONUS : 0;
  const heads = lineHeads(text, SAMPLE, WIDTH);
  const share = Math.max(
    rowShare(heads, OTHERS + bonus),
    countShare(heads),
    headingShare(heads),
  );
  return share === 0 ? 0 : Math.min(1, share + bonus);
};

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
function countShare(heads: readonly string[]): number {
  if (heads.length < LEAST_LINES) return 0;
  let others = 0;
  const most = BESIDE * heads.length;
  for (const line of heads) {
    if (!COUNT.test(line) && ++others > most) return 0;
  }
  return 0.85;
}

/** A path, then rows `12:text` that rise by more than one; or such rows alone. */
function headingShare(heads: readonly string[]): number {
  let rows = 0;
  let steps = 0;
  let before = 0;
  const others: string[] = [];
  for (const line of heads) {
    if (BODY.test(line)) {
      const number = parseInt(line, 10);
      if (number === before + 1) steps++;
      before = number;
      rows++;
    } else if (line !== "" && line !== SEPARATOR) others.push(line);
  }
  if (rows < LEAST_BODIES) return 0;
  const paths = others.filter((line) => PATH.test(line)).length;
  if (others.length - paths > BESIDE * rows) return 0;
  if (paths > 0 && paths <= rows) return 0.9;
  // A numbered listing of a file rises by one.
  const isListing = steps >= 0.5 * rows;
  return heads.length >= LEAST_LINES && !isListing && isRising(heads)
    ? 0.82
    : 0;
}

function isRising(heads: readonly string[]): boolean {
  let before = 0;
  for (const line of heads) {
    if (!BODY.test(line)) continue;
    const number = parseInt(line, 10);
    if (number <= before) return false;
    before = number;
  }
  return true;
}

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
/** `path:text`, of a search without numbers of lines; `//path:name` is a target of a build. */
const PLAIN =
  /^(?!\/\/)((?:[A-Za-z]:[\\/])?(?:[^\s:"'<>=|\\/(){};,]*[\\/][^\s:"<>=|(){};,]*|[^\s:"'<>=|(){};,]*\.[A-Za-z]\w{0,9})):(?![:/]|\d+(?::|$))/;
/** Share of the lines that such rows must be, and of these rows that one blank may precede, as a message does. */
const LEAST_PLAIN = 0.9;
const MOST_SPOKEN = 0.7;
/** `path:12:`, a revision before it. A path has a slash or an extension, and no sentence before it; it is neither a bracketed level nor a time. */
const ROW =
  /^(?!\[|\d{4}-\d\d-\d\d|[^A-Za-z_:]*:)(?:[\w./~^-]{1,60}:)??(?:[^\s:"'<>=|\\/]*[\\/][^:"<>=|\t]*|[^\s:"'<>=|]*\.[A-Za-z]\w{0,9}):\d+:/;
/** What a compiler, not a search, writes after a line number. */
const DIAGNOSTIC =
  /^(?:\d+:)? (?:fatal )?(?:error|warning|note|info|hint)(?:[:[]| [A-Z]+\d)|^\d+: \w/i;
/** What a program prints with the place in its source: `ready.go:304: 2026-…`. A place that comes again is no match. */
const LOGGED = /^ \S|^\s*\[?\d{4}[-/]\d\d[-/]\d\d/;
const CONTEXT = /^[^\s:./\\]*[./\\][^:]*?[-=]\d+[-=]/;
/** Path and count of `path:3`. */
export const COUNT = /^((?:[A-Za-z]:[\\/])?[^\s:./\\]*[./\\][^:\t]*):(\d+)$/;
const PATH =
  /^(?:[A-Za-z]:)?(?:[^\s:"'<>=|\\/]*[\\/][^:"<>=|]*|[^\s:"'<>=|]*\.[A-Za-z]\w{0,9})$/;
const MESSAGE =
  /^(?:(?:grep|rg|ag): |Binary file .* matches|Found \d+ )|: binary file matches/;
/** A row without a path: `12:text`, or `12-text` around it. */
const NUMBERED_ROW = /^(\d{1,9})([:-])/;
const SEPARATOR = "--";
/** Behind the path of a row. */
const SIGNS = ":-=";
/** Lines that a list of counts has at least. */
const LEAST_LINES = 5;
/** Share of lines that may stand beside counts, or beside paths and the rows below them. */
const BESIDE = 0.1;
const LEAST_BODIES = 3;

/** How search results are laid out: paths before rows, with or without numbers of lines, above them or nowhere, or counts. */
export type Layout = "flat" | "plain" | "heading" | "counts";

/** The layout that most lines of a bounded sample have; `undefined` when too few are of search results. */
export function layoutOf(text: string, toolName = ""): Layout | undefined {
  const isShort = text.length <= SHORT;
  if (isShort && !NUMBERED.test(text)) {
    return isPlain(lineHeads(text, SAMPLE, WIDTH)) ? "plain" : undefined;
  }
  const bonus = SEARCHES.test(toolName) ? BONUS : 0;
  const heads = lineHeads(text, SAMPLE, WIDTH);
  const rows = rowShare(heads, OTHERS + bonus);
  if (rows > 0 && rows + bonus >= LEAST) return "flat";
  if (isCounts(heads)) return "counts";
  if (isBelowHeadings(heads)) return "heading";
  return isPlain(heads) ? "plain" : undefined;
}

/** Path of `path:text`; empty for any other line. */
export function plainPath(line: string): string {
  return PLAIN.exec(line)?.[1] ?? "";
}

/** `path:text` on nearly every line, the path with a folder or the same as beside it: neither `key: value` nor messages. */
function isPlain(heads: readonly string[]): boolean {
  if (!heads.slice(0, LEAST_LINES).some((line) => plainPath(line) !== "")) {
    return false;
  }
  let path = "";
  let rows = 0;
  let spoken = 0;
  let said = 0;
  /** Lines right above that are rows if a row of the same path follows. */
  let open: string[] = [];
  const isOf = (line: string) =>
    path !== "" && line.startsWith(path) &&
    SIGNS.includes(line[path.length] ?? " ");
  for (const line of heads) {
    if (isBeside(line)) continue;
    said++;
    const isNext = isOf(line);
    if (!isNext) path = plainPath(line);
    if (!isNext && !/[\\/]/.test(path)) {
      open.push(line);
      continue;
    }
    for (const row of [...open.filter(isOf), line]) {
      rows++;
      if (/^ \S/.test(row.slice(path.length + 1))) spoken++;
    }
    open = [];
  }
  return rows >= 2 && rows >= LEAST_PLAIN * said &&
    spoken <= MOST_SPOKEN * rows && !isAligned(heads);
}

/** Whether what is behind paths of different lengths begins in one column: `a.sh:   shell script`. */
function isAligned(heads: readonly string[]): boolean {
  const paths = new Set<number>();
  const texts = new Map<number, number>();
  let rows = 0;
  for (const line of heads) {
    const { length } = plainPath(line);
    if (length === 0) continue;
    rows++;
    paths.add(length);
    const text = length + 1 + line.slice(length + 1).search(/\S/);
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  return paths.size >= LEAST_LINES &&
    Math.max(...texts.values()) >= LEAST_PLAIN * rows;
}

/** `path:12:text`, with context lines and messages beside; 0 when more than a share of `beside` is something else. */
function rowShare(heads: readonly string[], beside: number): number {
  let rows = 0;
  let context = 0;
  let others = 0;
  const most = beside * heads.length;
  const places = new Set<string>();
  for (const line of heads) {
    if (rowStart(line, places) !== "") rows++;
    else if (isBeside(line)) continue;
    else if (CONTEXT.test(line)) context++;
    else if (++others > most) return 0;
  }
  if (rows < 2) return 0;
  // Context without its match would be any list of dashed names.
  return (rows + Math.min(context, 20 * rows)) / (rows + context + others);
}

/** `path:12:` of a row; empty for any other line. @param places Where messages were printed before. */
function rowStart(line: string, places: Set<string>): string {
  const [start = ""] = ROW.exec(line) ?? [];
  if (start === "") return "";
  const text = line.slice(start.length);
  if (DIAGNOSTIC.test(text)) return "";
  if (!LOGGED.test(text)) return start;
  const isAgain = places.has(start);
  places.add(start);
  return isAgain ? "" : start;
}

function isBeside(line: string): boolean {
  return line === SEPARATOR || line.trim() === "" || MESSAGE.test(line);
}

/** `path:3` on nearly every line. */
function isCounts(heads: readonly string[]): boolean {
  let said = 0;
  let others = 0;
  for (const line of heads) {
    if (COUNT.test(line)) said++;
    else if (!isBeside(line)) {
      said++;
      if (++others > BESIDE * heads.length) return false;
    }
  }
  return said >= LEAST_LINES && others <= BESIDE * said;
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
    const [, digits, sign] = NUMBERED_ROW.exec(line) ?? [];
    if (digits === undefined) {
      if (line !== "" && line !== SEPARATOR) others.push(line);
      continue;
    }
    const number = Number(digits);
    if (number === before + 1) steps++;
    if (number <= before) rises = false;
    before = number;
    rows++;
    if (sign === ":") matches++;
  }
  return rows >= LEAST_BODIES && areBelow(heads, others, {
    rows,
    // A listing of a file rises by one, and has the same sign behind each number.
    isListing: steps >= 0.5 * rows && (matches === 0 || matches === rows),
    rises,
  });
}

/** Whether rows are below paths, or are those of a search in one file. */
function areBelow(
  heads: readonly string[],
  others: readonly string[],
  { rows, isListing, rises }: {
    readonly rows: number;
    readonly isListing: boolean;
    readonly rises: boolean;
  },
): boolean {
  const paths = others.filter((line) => PATH.test(line)).length;
  if (others.length - paths > BESIDE * rows) return false;
  if (paths > 0 && paths <= rows) return true;
  return heads.length >= LEAST_LINES && !isListing && rises;
}

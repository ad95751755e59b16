/** Search results by line: `grep -n`, lines of context, `rg --heading`, a search in one file, `grep -c`. @module */
import {
  codeAt,
  indexLines,
  lineAt,
  lineEnd,
  lineHead,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { COUNT, type Layout, layoutOf, plainPath } from "./recognise.ts";

/** A line that is nothing below: a banner, a message of the tool, a blank line. */
export const OTHER = 0;
/** `path:12:text`, `path:text`, `12:text`, or `path:3` of a list of counts. */
export const MATCH = 1;
/** `path-12-text`: beside a match. */
export const CONTEXT = 2;
/** `--` between rows of a file. */
export const SEPARATOR = 3;
/** The path above rows without one. */
export const HEADING = 4;

/** A whole result. All lists have one entry per line. */
export interface SearchView {
  /** The lines. */
  readonly lines: Lines;
  /** How it is laid out. */
  readonly layout: Layout;
  /** What each line is. */
  readonly forms: Uint8Array;
  /** Offset of `12:text` in a row, of `:text` in one without a number, of `:3` in a count; else the start of the line. */
  readonly bodies: Uint32Array;
  /** Number of the line in its file, or how many matches a count counts; else 0. */
  readonly numbers: Uint32Array;
  /** Index into `paths`; consecutive rows of one file have the same one. A path that comes again has another. */
  readonly files: Uint32Array;
  /** Paths as printed; the first one is empty, for lines of no file. */
  readonly paths: readonly string[];
}

/** UTF-16 units in which a line number is looked for. */
const HEAD = 300;

const DASH = 45;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const OPEN = 91;
const BACKSLASH = 92;
const DATE = /^\d{4}-\d\d-\d\d/;
const SYSLOG = /^[A-Z][a-z]{2} [ \d]\d \d\d$/;
/** What every marker of an earlier compression holds: its line stays as it is, its path included. */
const MARKER = /hash=|<<ccr:|\[↑/i;
/** A path that may be the path of a line of context with more behind it. */
const DOUBTFUL = /[-=]\d+[-=]/;
/** Path of `path:12:text`. */
const NUMBERED = /^([^"<>=\t]+?):\d+:/;

/** Reads a result; `undefined` when it is none. O(n). */
export function parseSearch(
  text: string,
  toolName?: string,
): SearchView | undefined {
  const layout = layoutOf(text, toolName);
  if (layout === undefined) return undefined;
  const reader = new Reader(indexLines(text), layout);
  if (layout === "flat" || layout === "plain") reader.readFlat();
  else if (layout === "counts") reader.readCounts();
  else reader.readBelowHeadings();
  return reader;
}

class Reader implements SearchView {
  readonly lines: Lines;
  readonly layout: Layout;
  readonly forms: Uint8Array;
  readonly bodies: Uint32Array;
  readonly numbers: Uint32Array;
  readonly files: Uint32Array;
  readonly paths: string[] = [""];

  constructor(lines: Lines, layout: Layout) {
    this.lines = lines;
    this.layout = layout;
    this.forms = new Uint8Array(lines.count);
    this.bodies = lines.starts.slice(0, lines.count);
    this.numbers = new Uint32Array(lines.count);
    this.files = new Uint32Array(lines.count);
  }

  readFlat(): void {
    const { lines } = this;
    /** First line of those right above that may be context of the next match. */
    let open = 0;
    let path = "";
    const hasMarker = MARKER.test(lines.text);
    const isWhole = (line: number) =>
      hasMarker && MARKER.test(lineAt(lines, line));
    for (let line = 0; line < lines.count; line++) {
      if (isWhole(line)) {
        path = "";
        continue;
      }
      const next = this.#nextAt(line, path);
      if (next > 0) this.#takeRow(line, next);
      else if (this.#isSeparator(line)) {
        this.#take(line, SEPARATOR, path === "" ? 0 : this.#file);
      } else {
        path = this.#pathAt(line);
        // Of what looks like a match of `a-12-b`, more is known where a match of `a` comes.
        if (DOUBTFUL.test(path)) path = "";
        if (path === "") continue;
        this.paths.push(path);
        this.#claim(open, line + 1, path);
      }
      open = line + 1;
    }
    path = "";
    for (let line = 0; line < lines.count; line++) {
      if (this.forms[line] !== OTHER || isWhole(line)) path = "";
      else if (this.#nextAt(line, path) === 0) {
        path = this.#pathAt(line);
        if (path !== "") this.paths.push(path);
      }
      if (path !== "") {
        const sign = this.layout === "plain" ? 0 : 1;
        this.#takeRow(line, lineStart(lines, line) + path.length + sign);
      }
    }
  }

  readCounts(): void {
    for (let line = 0; line < this.lines.count; line++) {
      const [, path = "", count = ""] = COUNT.exec(this.#head(line)) ?? [];
      if (path === "") continue;
      this.paths.push(path);
      this.#take(line, MATCH);
      this.bodies[line] = lineStart(this.lines, line) + path.length;
      this.numbers[line] = Number(count);
    }
  }

  readBelowHeadings(): void {
    const { lines } = this;
    // Rows before a heading are of a file that the search did not name.
    this.paths.push("");
    for (let line = 0; line < lines.count; line++) {
      const start = lineStart(lines, line);
      if (bodyEnd(lines, line, start) > 0) this.#takeRow(line, start);
      else if (this.#isSeparator(line)) this.#take(line, SEPARATOR);
      else if (this.#isHeading(line)) {
        this.paths.push(lineAt(lines, line));
        this.#take(line, HEADING);
      }
    }
  }

  /** Right above a row, and itself no row. */
  #isHeading(line: number): boolean {
    const { lines } = this;
    const next = lineStart(lines, line + 1);
    return line + 1 < lines.count && next > lineStart(lines, line) + 1 &&
      bodyEnd(lines, line + 1, next) > 0;
  }

  #head(line: number): string {
    return lineHead(this.lines, line, HEAD);
  }

  #isSeparator(line: number): boolean {
    const start = lineStart(this.lines, line);
    return lineEnd(this.lines, line) === start + 2 &&
      this.lines.text.startsWith("--", start);
  }

  /** Offset of the number if the line is a row of `path`, of the sign if rows have none; else 0. */
  #nextAt(line: number, path: string): number {
    const { lines } = this;
    if (this.layout === "plain") return this.#plainAt(line, path);
    const at = lineStart(lines, line) + path.length + 1;
    if (path === "" || at >= lineEnd(lines, line)) return 0;
    const stop = bodyEnd(lines, line, at);
    // The sign before the number is the one behind it; comparing the path comes last, it takes longest.
    return stop > 0 && codeAt(lines.codes, at - 1) ===
        codeAt(lines.codes, stop - 1) &&
        lines.text.startsWith(path, lineStart(lines, line))
      ? at
      : 0;
  }

  #plainAt(line: number, path: string): number {
    const { codes, text } = this.lines;
    const start = lineStart(this.lines, line);
    const at = start + path.length;
    const end = lineEnd(this.lines, line);
    if (path === "" || at >= end || !isSign(codeAt(codes, at))) return 0;
    // A dash as context would be a separator below its path.
    const isDash = end === at + 2 && text.startsWith("--", at);
    return !isDash && text.startsWith(path, start) ? at : 0;
  }

  /** Path of a match; empty for any other line. */
  #pathAt(line: number): string {
    if (this.layout === "plain") return plainPath(this.#head(line));
    const [, path = ""] = NUMBERED.exec(this.#head(line)) ?? [];
    return isPath(path) ? path : "";
  }

  /** The last line is the first match of a file, those right above that begin with its path are its context. */
  #claim(from: number, to: number, path: string): void {
    let first = to;
    while (first > from && this.#nextAt(first - 1, path) > 0) first--;
    for (let line = first; line < to; line++) {
      this.#takeRow(line, this.#nextAt(line, path));
    }
  }

  #takeRow(line: number, at: number): void {
    const isPlain = this.layout === "plain";
    const stop = isPlain ? at : bodyEnd(this.lines, line, at) - 1;
    const sign = codeAt(this.lines.codes, stop);
    this.#take(line, sign === COLON ? MATCH : CONTEXT);
    this.bodies[line] = at;
    this.numbers[line] = Number(this.lines.text.slice(at, stop));
  }

  #take(line: number, form: number, file = this.#file): void {
    this.forms[line] = form;
    this.files[line] = file;
  }

  /** The file of which a path was read last. */
  get #file(): number {
    return this.paths.length - 1;
  }
}

/** Not a time, a number or a bracketed level. */
function isPath(path: string): boolean {
  return path.charCodeAt(0) !== OPEN && /[A-Za-z_]/.test(path) &&
    !DATE.test(path) && !SYSLOG.test(path);
}

/** Offset after the sign of `12:`, `12-` or `12=` at `at`; 0 when there is none. */
export function bodyEnd(lines: Lines, line: number, at: number): number {
  const end = lineEnd(lines, line);
  const stop = digitsEnd(lines.codes, at, Math.min(end, at + 9));
  if (stop === at || stop >= end) return 0;
  return isSign(codeAt(lines.codes, stop)) ? stop + 1 : 0;
}

function isSign(code: number): boolean {
  return code === COLON || code === DASH || code === EQUALS;
}

function digitsEnd(codes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && codeAt(codes, stop) >= 48 && codeAt(codes, stop) <= 57) {
    stop++;
  }
  return stop;
}

/** `12:text` of a row, with its newline; any other line whole. */
export function bodyOf(
  { lines, bodies }: SearchView,
  line: number,
): string {
  return lines.text.slice(offsetAt(bodies, line), lineStart(lines, line + 1));
}

/** Length of the directory of a path, its last slash included; 0 when it has none. */
export function directoryLength(path: string): number {
  for (let at = path.length; at > 0; at--) {
    const code = path.charCodeAt(at - 1);
    if (code === SLASH || code === BACKSLASH) return at;
  }
  return 0;
}

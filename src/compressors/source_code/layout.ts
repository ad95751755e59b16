/** Lines of code: which are comments or inside a string, how far each is indented, what it ends with. @module */
import {
  codeAt,
  indexLines,
  keyAt,
  lineAt,
  lineEnd,
  lineHead,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import type { CommentSign } from "../../text/code_path.ts";
import { BEFORE_PATTERN, isEscaped, rawEnd } from "./quotes.ts";

/** Roles of lines. */
export const BLANK = 0;
export const CODE = 1;
export const COMMENT = 2;
/** Begins inside a string that began on an earlier line. */
export const TEXT = 3;
/** For the preprocessor: its indentation says nothing about what it is in. */
export const STRAY = 4;

/** A text read once. Lists have one entry per line. */
export interface Layout {
  readonly lines: Lines;
  readonly sign: CommentSign;
  /** {@linkcode BLANK} to {@linkcode STRAY}. */
  readonly roles: Uint8Array;
  /** Columns of blanks before the first character; of a label or a stray line those of its neighbours. */
  readonly indents: Uint32Array;
  /** Last character of code, comments left out; 0 for none. */
  readonly lasts: Uint8Array;
  /** Round and square brackets that a line opens and does not close; below 0 for the other way round. */
  readonly opened: Int32Array;
  /** Curly brackets, as `opened` has the others. */
  readonly braces: Int32Array;
  /** 1 where a double quote, or in scripts any quote, has no other on its line: the string may go on below. */
  readonly unclosed: Uint8Array;
}

/** UTF-16 units looked at of one line. */
const WIDTH = 300;
const TAB_WIDTH = 8;
const TAB = 9;
const SPACE = 32;
const DOUBLE = 34;
const HASH = 35;
const SINGLE = 39;
const STAR = 42;
const DASH = 45;
const SLASH = 47;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const BACKTICK = 96;
/** Round and square brackets. */
const ROUND = new Map([[40, 1], [91, 1], [41, -1], [93, -1]]);
const CURLY = new Map([[123, 1], [125, -1]]);
/** 1 for characters that are more than text: blanks, quotes, brackets, what may start a comment. */
const SIGNS = new Uint8Array(256);
for (const sign of " \t\r\"'`/#-()[]{}") SIGNS[sign.charCodeAt(0)] = 1;
const PREPROCESSOR =
  /^#\s*(?:(?:ifn?(?:def)?|el(?:se|se?if|ifn?def)|endif|define|include|undef)\b|(?:pragma|error|region|endregion)\b(?!\s*[=:;?!(]))/;
const LABEL = /^\w+:$/;

/** Reads a text. O(n), whatever it holds. */
export function layoutOf(text: string, sign: CommentSign): Layout {
  const lines = indexLines(text);
  const { count } = lines;
  const layout: Layout = {
    lines,
    sign,
    roles: new Uint8Array(count),
    indents: new Uint32Array(count),
    lasts: new Uint8Array(count),
    opened: new Int32Array(count),
    braces: new Int32Array(count),
    unclosed: new Uint8Array(count),
  };
  new Scanner(layout).run();
  alignStrays(layout);
  return layout;
}

class Scanner {
  readonly #layout: Layout;
  readonly #text: string;
  readonly #codes: Uint8Array;
  /** Delimiters of which there are no more. */
  readonly #missing = new Set<string>();
  /** Quotes without an end, and the line that this is known of. */
  readonly #open = new Map<number, number>();
  #line = 0;
  #at = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#text = layout.lines.text;
    this.#codes = layout.lines.codes;
  }

  run(): void {
    const { lines } = this.#layout;
    for (; this.#line < lines.count; this.#line++) {
      const start = lineStart(lines, this.#line);
      this.#indent(start);
      // What ends on a later line leads there: the rest of that line is read, too.
      for (let line = -1; line !== this.#line;) {
        line = this.#line;
        this.#code(lineEnd(lines, line));
      }
    }
  }

  /** Reads the blanks of a line, and whether it is a comment. */
  #indent(start: number): void {
    const { roles, indents } = this.#layout;
    let columns = 0;
    let at = start;
    for (;; at++) {
      const code = codeAt(this.#codes, at);
      if (code === SPACE) columns++;
      else if (code === TAB) columns += TAB_WIDTH - columns % TAB_WIDTH;
      else break;
    }
    indents[this.#line] = columns;
    this.#at = at;
    const code = codeAt(this.#codes, at);
    if (code < SPACE) return;
    roles[this.#line] = this.#isComment(at) || this.#isDocstring(at)
      ? COMMENT
      : CODE;
  }

  /** Reads code up to the end of the line; strings and comments may go on behind it. */
  #code(end: number): void {
    const { lasts, opened, braces } = this.#layout;
    const line = this.#line;
    while (this.#at < end) {
      let at = this.#at;
      while (at < end && codeAt(SIGNS, codeAt(this.#codes, at)) === 0) at++;
      if (at > this.#at) lasts[line] = codeAt(this.#codes, at - 1);
      this.#at = at;
      if (at === end) return;
      const code = codeAt(this.#codes, at);
      if (code <= SPACE) {
        this.#at++;
        continue;
      }
      if (this.#isComment(at)) {
        if (code !== SLASH || codeAt(this.#codes, at + 1) === SLASH) {
          this.#at = end;
        } else if (!this.#skipOver(at, "*/", COMMENT)) this.#at = at + 2;
        continue;
      }
      if (!this.#string(code, end)) {
        opened[line] = keyAt(opened, line) + (ROUND.get(code) ?? 0);
        braces[line] = keyAt(braces, line) + (CURLY.get(code) ?? 0);
        this.#at++;
      }
      lasts[line] = code;
    }
  }

  #isComment(at: number): boolean {
    const code = codeAt(this.#codes, at);
    const next = codeAt(this.#codes, at + 1);
    switch (this.#layout.sign) {
      case "//":
        return code === SLASH && (next === SLASH || next === STAR);
      case "--":
        return (code === DASH && next === DASH) ||
          (code === SLASH && next === STAR);
      case "#":
        return code === HASH && codeAt(this.#codes, at - 1) <= SPACE;
    }
  }

  #isDocstring(at: number): boolean {
    return this.#layout.sign === "#" &&
      /^[rRuU]?(?:"""|''')/.test(this.#text.slice(at, at + 4));
  }

  /** Reads a string or a pattern; false where there is none. */
  #string(code: number, end: number): boolean {
    const at = this.#at;
    if (code === SLASH && this.#layout.sign === "//") {
      const before = codeAt(this.#layout.lasts, this.#line);
      const mayStart = BEFORE_PATTERN.includes(before) ||
        this.#text.startsWith("return ", at - 7);
      return mayStart && this.#skipWithin(code, end);
    }
    if (code === BACKTICK && this.#layout.sign === "//") {
      return this.#skipOver(at, "`", TEXT);
    }
    if (code !== DOUBLE && code !== SINGLE) return false;
    const triple = code === DOUBLE ? '"""' : "'''";
    if (this.#text.startsWith(triple, at)) {
      const role = this.#layout.roles[this.#line] === COMMENT ? COMMENT : TEXT;
      return this.#skipOver(at, triple, role);
    }
    const raw = code === DOUBLE && this.#layout.sign === "//"
      ? rawEnd(this.#text, at)
      : "";
    return raw === ""
      ? this.#skipWithin(code, end)
      : this.#skipOver(at, raw, TEXT);
  }

  /** Skips what ends on the same line; false where it does not. */
  #skipWithin(quote: number, end: number): boolean {
    if (this.#open.get(quote) === this.#line) return false;
    let isInClass = false;
    for (let at = this.#at + 1; at < end; at++) {
      const code = codeAt(this.#codes, at);
      if (code === BACKSLASH) at++;
      else if (quote === SLASH && code === OPEN) isInClass = true;
      else if (quote === SLASH && code === CLOSE) isInClass = false;
      else if (code === quote && !isInClass) {
        this.#at = at + 1;
        return true;
      }
    }
    this.#open.set(quote, this.#line);
    const { sign, unclosed } = this.#layout;
    if (quote === DOUBLE || sign === "#") unclosed[this.#line] = 1;
    return false;
  }

  /** Skips what may end on a later line, and marks the lines that it goes on in; false where it has no end. */
  #skipOver(start: number, end: string, role: number): boolean {
    if (this.#missing.has(end)) return false;
    const isSame = end === "*/" || end.at(-1) === end[0];
    const opening = isSame ? end.length : 1;
    let at = this.#text.indexOf(end, start + opening);
    while (at > 0 && end !== "*/" && isEscaped(this.#codes, at)) {
      at = this.#text.indexOf(end, at + 1);
    }
    if (at < 0) {
      this.#missing.add(end);
      return false;
    }
    const { lines: { starts, count }, roles, indents } = this.#layout;
    const indent = offsetAt(indents, this.#line);
    let line = this.#line;
    while (line + 1 < count && offsetAt(starts, line + 1) <= at) {
      line++;
      roles[line] = role;
      indents[line] = indent;
    }
    this.#line = line;
    this.#at = at + end.length;
    return true;
  }
}

/** Gives comments and lines for the preprocessor the indentation of the code around them, where that is deeper. */
function alignStrays(layout: Layout): void {
  const { lines, sign, roles, indents } = layout;
  if (sign === "//") markStrays(layout);
  const nexts = new Uint32Array(lines.count);
  let next = 0;
  for (let line = lines.count - 1; line >= 0; line--) {
    nexts[line] = next;
    if (roles[line] !== CODE) continue;
    const isLabel = sign === "//" && LABEL.test(startOf(lines, line)) &&
      !/^[|&]/.test(startOf(lines, line + 1));
    if (isLabel) {
      indents[line] = Math.max(next, offsetAt(indents, line));
    }
    next = offsetAt(indents, line);
  }
  let before = 0;
  for (const [line, role] of roles.entries()) {
    const own = offsetAt(indents, line);
    if (role === CODE) before = own;
    else if (role === COMMENT || role === STRAY) {
      const pick = role === STRAY ? Math.max : Math.min;
      indents[line] = Math.max(own, pick(before, offsetAt(nexts, line)));
    }
  }
}

/** Finds lines for the preprocessor, and those that go on with one after a backslash. */
function markStrays({ lines, roles }: Layout): void {
  let goesOn = false;
  for (const [line, role] of roles.entries()) {
    goesOn ||= role === CODE && PREPROCESSOR.test(startOf(lines, line));
    if (goesOn && role === CODE) roles[line] = STRAY;
    goesOn &&= lineAt(lines, line).trimEnd().endsWith("\\");
  }
}

/** Start of a line without its indentation. */
export function startOf(lines: Lines, line: number): string {
  return lineHead(lines, line, WIDTH).trim();
}

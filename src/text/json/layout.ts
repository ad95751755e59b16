/** Where white space stands in a JSON text: guessed, named in one line, put back. @module */
import type { Tape } from "./tape.ts";

/** A regular use of white space; empty containers are always `{}` and `[]`. */
export interface Layout {
  /** Several values, each ended by a newline. */
  readonly isLines: boolean;
  /** What ends a line. */
  readonly newline: string;
  /** What one level is indented by; empty when containers stand on one line. */
  readonly indent: string;
  /** Containers that follow each other meet in `},{`. */
  readonly isJoined: boolean;
  /** Some containers stand on one line all the same: those with spaces inside, which the form keeps. */
  readonly isMixed: boolean;
  /** With {@linkcode Layout.isMixed}: lists of one item stand on one line too. */
  readonly isLone: boolean;
  /** Follows a comma that does not end a line. */
  readonly comma: string;
  /** Follows a colon. */
  readonly colon: string;
  /** Follows a comma between the items of the outermost list, where that is a line break. */
  readonly rows: string;
}

/** One value without any white space. */
export const MINIFIED: Layout = {
  isLines: false,
  newline: "\n",
  indent: "",
  isJoined: false,
  isMixed: false,
  isLone: false,
  comma: "",
  colon: "",
  rows: "",
};

const BREAK = /^(\r?\n)( {1,8}|\t{1,8})$/;
const ROWS = /^[ \r]{0,9}\n {0,9}$/;
const HEADER = /^\/\/ (?:minified JSON|JSON Lines)(?:, was ([^\n]{1,150}))?\n/;

/** Offset where a value or its key starts. */
function leadOf(tape: Tape, node: number): number {
  const key = tape.keyStart(node);
  return key < 0 ? tape.start(node) : key;
}

/** The layout that the first places of a text suggest; other places may differ. O(nodes). */
export function guessLayout(tape: Tape): Layout {
  const filled = filledIn(tape);
  const open = filled.length === 0 ? "" : openingOf(tape, filled[0]!);
  const [, lineBreak = "\n", indent = ""] = BREAK.exec(open) ?? [];
  const isLines = tape.count(0) > 1;
  const newline = isLines
    ? tape.text.slice(tape.end(1), tape.start(tape.next(1)))
    : lineBreak;
  return {
    ...MINIFIED,
    ...{ isLines, newline, indent },
    colon: colonIn(tape, filled),
    ...indent === "" ? gapsIn(tape, filled) : oddIn(tape, filled),
  };
}

/** Containers that hold something. */
function filledIn(tape: Tape): number[] {
  const filled: number[] = [];
  for (let node = 1; node < tape.length; node++) {
    if (tape.count(node) > 0) filled.push(node);
  }
  return filled;
}

/** What is between the opening bracket and the first child. */
function openingOf(tape: Tape, node: number): string {
  return tape.text.slice(tape.start(node) + 1, leadOf(tape, node + 1));
}

/** What is between the comma behind the first child and the second one; `undefined` where there is one only. */
function gapOf(tape: Tape, node: number): string | undefined {
  if (tape.count(node) === 1) return undefined;
  const first = node + 1;
  return tape.text.slice(tape.end(first) + 1, leadOf(tape, tape.next(first)));
}

/** What follows the first colon. */
function colonIn(tape: Tape, filled: readonly number[]): string {
  const object = filled.find((node) => tape.keyStart(node + 1) >= 0);
  if (object === undefined) return "";
  const first = object + 1;
  return tape.text.slice(tape.keyEnd(first) + 2, tape.start(first));
}

/** What follows commas, where containers stand on one line. */
function gapsIn(
  tape: Tape,
  filled: readonly number[],
): Pick<Layout, "comma" | "rows"> {
  const outermost = filled[0] === 1 ? gapOf(tape, 1) : undefined;
  const rows = outermost !== undefined && ROWS.test(outermost) ? outermost : "";
  for (const node of filled) {
    const gap = node === 1 && rows !== "" ? undefined : gapOf(tape, node);
    if (gap !== undefined) return { rows, comma: gap };
  }
  return { rows, comma: "" };
}

/** Containers that are laid out otherwise than by lines and indents. */
function oddIn(
  tape: Tape,
  filled: readonly number[],
): Pick<Layout, "isJoined" | "isMixed" | "isLone"> {
  let [isJoined, isMixed, isLone] = [false, false, false];
  for (const node of filled) {
    const open = openingOf(tape, node);
    const isList = tape.keyStart(node + 1) < 0;
    if (!open.includes("\n")) {
      isMixed = true;
      isLone ||= open === "" && isList && tape.count(node) === 1;
    } else if (isList && gapOf(tape, node) === "") {
      isJoined ||= tape.isContainer(tape.next(node + 1));
    }
  }
  return { isJoined, isMixed, isLone };
}

/** The line that names a layout, newline included; empty for one minified value. */
export function headerOf(layout: Layout): string {
  const { indent, comma, colon, newline, rows } = layout;
  const unit = indent.startsWith("\t") ? " tab" : "";
  const style = [
    indent === ""
      ? comma === " " ? "spaced" : colon === " " ? "spaced after colons" : ""
      : `indent ${indent.length}${unit}`,
    layout.isJoined ? "with },{" : "",
    layout.isMixed ? "except in brackets with spaces" : "",
    layout.isLone ? "or one item" : "",
    rows === "" ? "" : `items parted by ${JSON.stringify("," + rows)}`,
    newline === "\r\n" ? "CRLF" : "",
  ].filter((word) => word !== "").join(" ");
  if (style === "" && !layout.isLines) return "";
  const name = layout.isLines ? "JSON Lines" : "minified JSON";
  return `// ${name}${style === "" ? "" : `, was ${style}`}\n`;
}

/** Reads the line that {@linkcode headerOf} wrote; `length` is 0 when there is none. */
export function readHeader(text: string): { layout: Layout; length: number } {
  const match = HEADER.exec(text);
  const style = match?.[1] ?? "";
  const [, size = "0", tab] = /^indent (\d)( tab)?/.exec(style) ?? [];
  const [, parted] = /parted by ("(?:,| |\\n|\\r)+")/.exec(style) ?? [];
  const newline = style.endsWith("CRLF") ? "\r\n" : "\n";
  const isSpaced = style.startsWith("spaced");
  const layout: Layout = {
    isLines: text.startsWith("// JSON Lines"),
    newline,
    indent: (tab === undefined ? " " : "\t").repeat(Number(size)),
    isJoined: style.includes("with },{"),
    isMixed: style.includes("except in"),
    isLone: style.includes("or one item"),
    comma: isSpaced && !style.includes("after colons") ? " " : "",
    colon: isSpaced || size !== "0" ? " " : "",
    rows: parted === undefined ? "" : JSON.parse(parted).slice(1),
  };
  return { layout, length: match?.[0].length ?? 0 };
}

/** The text without the white space that its layout puts back. O(text), levels deep. */
export function minified(tape: Tape, layout: Layout): string {
  const { text } = tape;
  const write = (node: number): string => {
    if (tape.count(node) === 0 || isOnOneLine(node)) return tape.raw(node);
    let out = text.charAt(tape.start(node));
    for (const child of tape.children(node)) {
      if (out.length > 1) out += ",";
      if (tape.keyStart(child) >= 0) {
        out += text.slice(tape.keyStart(child), tape.keyEnd(child) + 1) + ":";
      }
      out += write(child);
    }
    return out + text.charAt(tape.end(node) - 1);
  };
  const isOnOneLine = (node: number) =>
    layout.isMixed &&
    !text.slice(tape.start(node), leadOf(tape, node + 1)).includes("\n");
  return [...tape.children(0)].map(write).join("\n");
}

/** Puts the white space back into minified JSON, whose values are separated by newlines. O(text), levels deep. */
export function layOut(tape: Tape, layout: Layout): string {
  const { indent, comma, colon, rows, newline } = layout;
  return indent + comma + colon + rows === "" && newline === "\n"
    ? tape.text
    : new Writer(tape, layout).document();
}

class Writer {
  readonly #tape: Tape;
  readonly #layout: Layout;
  #out = "";

  constructor(tape: Tape, layout: Layout) {
    this.#tape = tape;
    this.#layout = layout;
  }

  document(): string {
    const { text } = this.#tape;
    let end = 0;
    for (const value of this.#tape.children(0)) {
      if (end > 0) this.#out += this.#layout.newline;
      this.#value(value, 0);
      end = this.#tape.end(value);
    }
    return this.#out + text.slice(end);
  }

  #value(node: number, depth: number): void {
    const tape = this.#tape;
    const { comma, colon, rows, isJoined } = this.#layout;
    const count = tape.count(node);
    if (count === 0 || (this.#layout.isMixed && this.#isOnOneLine(node))) {
      this.#out += tape.raw(node);
      return;
    }
    const line = this.#line(depth + 1);
    const between = line || (depth === 0 && rows) || comma;
    this.#out += tape.text.charAt(tape.start(node)) + line;
    let last = 0;
    for (const child of tape.children(node)) {
      const key = tape.keyStart(child);
      if (last > 0) {
        const isJoint = isJoined && key < 0 && tape.isContainer(last) &&
          tape.isContainer(child);
        this.#out += isJoint ? "," : "," + between;
      }
      if (key >= 0) {
        this.#out += tape.text.slice(key, tape.keyEnd(child) + 2) + colon;
      }
      this.#value(child, depth + 1);
      last = child;
    }
    this.#out += this.#line(depth) + tape.text.charAt(tape.end(node) - 1);
  }

  /** The break and the indent of a line at a depth; empty where containers stand on one line. */
  #line(depth: number): string {
    const { indent, newline } = this.#layout;
    return indent === "" ? "" : newline + indent.repeat(depth);
  }

  /** Whether a container has spaces where minified JSON has none, or is the only one that cannot. */
  #isOnOneLine(node: number): boolean {
    const tape = this.#tape;
    const first = node + 1;
    const lead = leadOf(tape, first);
    if (lead > tape.start(node) + 1) return true;
    if (lead < tape.start(first)) {
      return tape.text.charCodeAt(tape.start(first) - 1) === 0x20;
    }
    return tape.count(node) === 1
      ? this.#layout.isLone
      : leadOf(tape, tape.next(first)) > tape.end(first) + 1;
  }
}

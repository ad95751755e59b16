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
  const { text } = tape;
  let [indent, comma, colon]: (string | undefined)[] = [];
  let [rows, newline] = ["", "\n"];
  let [isJoined, isMixed, isLone] = [false, false, false];
  for (let node = 1; node < tape.length; node++) {
    const count = tape.count(node);
    if (count === 0) continue;
    const first = node + 1;
    const lead = leadOf(tape, first);
    const open = text.slice(tape.start(node) + 1, lead);
    const isBroken = open.includes("\n");
    const breaks: RegExpExecArray | null = indent === undefined
      ? BREAK.exec(open)
      : null;
    if (breaks !== null) newline = breaks[1] ?? "\n";
    indent ??= breaks?.[2] ?? "";
    const isMember = tape.keyStart(first) >= 0;
    if (isMember) {
      colon ??= text.slice(tape.keyEnd(first) + 2, tape.start(first));
    }
    const second = tape.next(first);
    const gap = count === 1
      ? undefined
      : text.slice(tape.end(first) + 1, leadOf(tape, second));
    if (indent === "") {
      if (node === 1 && gap !== undefined && ROWS.test(gap)) rows = gap;
      else comma ??= gap;
    } else if (!isBroken) {
      isMixed = true;
      isLone ||= open === "" && count === 1 && !isMember;
    } else if (gap === "" && !isMember && tape.isContainer(second)) {
      isJoined = true;
    }
  }
  const isLines = tape.count(0) > 1;
  if (isLines) newline = text.slice(tape.end(1), tape.start(tape.next(1)));
  return {
    isLines,
    newline,
    indent: indent ?? "",
    isJoined,
    isMixed,
    isLone,
    comma: indent === "" ? comma ?? "" : "",
    colon: colon ?? "",
    rows,
  };
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
    const { indent, comma, colon, rows, newline, isJoined } = this.#layout;
    const count = tape.count(node);
    if (count === 0 || (this.#layout.isMixed && this.#isOnOneLine(node))) {
      this.#out += tape.raw(node);
      return;
    }
    const line = indent === "" ? "" : newline + indent.repeat(depth + 1);
    const between = indent !== ""
      ? line
      : depth === 0 && rows !== ""
      ? rows
      : comma;
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
    const end = indent === "" ? "" : newline + indent.repeat(depth);
    this.#out += end + tape.text.charAt(tape.end(node) - 1);
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

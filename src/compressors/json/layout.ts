/** Where white space stands in a JSON text: recognised while scanning, named in one line, put back. @module */
import { stringEnd } from "./token.ts";

/** A regular use of white space; empty containers are always `{}` and `[]`. */
export interface Layout {
  /** Several top-level values, one after the other, each ended by a newline. */
  readonly lines: boolean;
  /** What one level is indented by; empty when everything stands on one line. */
  readonly indent: string;
  /** Follows a comma that does not end a line. */
  readonly comma: "" | " ";
  /** Follows a colon. */
  readonly colon: "" | " ";
}

const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;
const MAX_INDENT = 8;

/** Compares the white space of a text with the first layout that it fits. */
export class LayoutProbe {
  readonly #text: string;
  #regular = true;
  #indent: string | undefined;
  #comma: "" | " " | undefined;
  #colon: "" | " " | undefined;

  /** Watches the white space of `text`. */
  constructor(text: string) {
    this.#text = text;
  }

  /** White space `[from, to)` where none is usual. */
  none(from: number, to: number): void {
    if (from !== to) this.#regular = false;
  }

  /** White space after the opening bracket of a container that is not empty; its content has this depth. */
  opened(from: number, to: number, depth: number): void {
    this.#indent ??= this.#firstIndent(from, to);
    this.#newline(from, to, depth);
  }

  /** White space after a comma between items of this depth. */
  comma(from: number, to: number, depth: number): void {
    if (this.#indent !== "") return this.#newline(from, to, depth);
    this.#comma ??= to === from ? "" : " ";
    this.#exactly(from, to, this.#comma);
  }

  /** White space after a colon. */
  colon(from: number, to: number): void {
    this.#colon ??= to === from ? "" : " ";
    this.#exactly(from, to, this.#colon);
  }

  /** White space before the closing bracket of a container that is not empty; the bracket has this depth. */
  closing(from: number, to: number, depth: number): void {
    this.#newline(from, to, depth);
  }

  /** White space between two top-level values. */
  between(from: number, to: number): void {
    this.#exactly(from, to, "\n");
  }

  /** The layout that fits everything seen; `undefined` when there is none. */
  layout(lines: boolean): Layout | undefined {
    if (!this.#regular) return undefined;
    const indent = this.#indent ?? "";
    const colon = this.#colon ?? (indent === "" ? this.#comma ?? "" : " ");
    const comma = this.#comma ?? colon;
    if (indent !== "" && colon === "") return undefined;
    if (indent === "" && comma === " " && colon === "") return undefined;
    return { lines, indent, comma, colon };
  }

  #firstIndent(from: number, to: number): string {
    if (from === to) return "";
    const indent = this.#text.slice(from + 1, to);
    const fits = indent.length > 0 && indent.length <= MAX_INDENT &&
      (/^ +$/.test(indent) || /^\t+$/.test(indent));
    if (!fits) this.#regular = false;
    return indent;
  }

  #newline(from: number, to: number, depth: number): void {
    const indent = this.#indent ?? "";
    if (indent === "") return this.none(from, to);
    if (
      to - from !== 1 + indent.length * depth ||
      this.#text.charCodeAt(from) !== NEWLINE
    ) {
      this.#regular = false;
      return;
    }
    const unit = indent.charCodeAt(0);
    for (let i = from + 1; i < to; i++) {
      if (this.#text.charCodeAt(i) !== unit) this.#regular = false;
    }
  }

  #exactly(from: number, to: number, expected: string): void {
    if (
      to - from !== expected.length || !this.#text.startsWith(expected, from)
    ) {
      this.#regular = false;
    }
  }
}

/** The line that names a layout, newline included; empty for one minified value. */
export function headerOf(layout: Layout): string {
  const style = styleOf(layout);
  if (layout.lines) {
    return style === "" ? "// JSON Lines\n" : `// JSON Lines, was ${style}\n`;
  }
  return style === "" ? "" : `// minified JSON, was ${style}\n`;
}

function styleOf({ indent, comma, colon }: Layout): string {
  if (indent !== "") {
    return indent.charCodeAt(0) === TAB
      ? `indent ${indent.length} tab`
      : `indent ${indent.length}`;
  }
  if (comma === " ") return "spaced";
  return colon === " " ? "spaced after colons" : "";
}

const HEADER =
  /^\/\/ (minified JSON|JSON Lines)(?:, was (?:indent (\d)( tab)?|(spaced(?: after colons)?)))?\n/;

/** Reads the line that {@linkcode headerOf} wrote; `length` is what it takes of the text. */
export function readHeader(text: string): { layout: Layout; length: number } {
  const match = HEADER.exec(text);
  const size = Number(match?.[2] ?? 0);
  const spaced = match?.[4];
  const layout: Layout = {
    lines: match?.[1] === "JSON Lines",
    indent: (match?.[3] ? "\t" : " ").repeat(size),
    comma: spaced === "spaced" ? " " : "",
    colon: spaced !== undefined || size > 0 ? " " : "",
  };
  return { layout, length: match?.[0].length ?? 0 };
}

/** Lays out minified JSON, whose top-level values are separated by newlines. Linear. */
export function layOut(minified: string, layout: Layout): string {
  const { indent, comma, colon } = layout;
  if (indent === "" && comma === "" && colon === "") return minified;
  const breaks = ["\n"];
  const breakAt = (depth: number) =>
    indent === "" ? "" : breaks[depth] ??= "\n" + indent.repeat(depth);
  let out = "";
  let copied = 0;
  let depth = 0;
  for (let i = 0; i < minified.length; i++) {
    let gap = "";
    switch (minified.charCodeAt(i)) {
      case 0x22:
        i = stringEnd(minified, i) - 1;
        continue;
      case 0x3a:
        gap = colon;
        break;
      case 0x2c:
        gap = indent === "" ? comma : breakAt(depth);
        break;
      case 0x7b:
      case 0x5b:
        if (isClosing(minified.charCodeAt(i + 1))) i++;
        else gap = breakAt(++depth);
        break;
      case 0x7d:
      case 0x5d:
        out += minified.slice(copied, i) + breakAt(--depth);
        copied = i;
        continue;
      default:
        continue;
    }
    if (gap === "") continue;
    out += minified.slice(copied, i + 1) + gap;
    copied = i + 1;
  }
  return out + minified.slice(copied);
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** Offset of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code > SPACE) return at;
    if (code !== SPACE && code !== NEWLINE && code !== TAB && code !== 13) {
      return at;
    }
    at++;
  }
}

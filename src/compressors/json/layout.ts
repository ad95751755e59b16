/** Where white space stands in a JSON text: recognised while scanning, named in one line, put back. @module */
import { stringEnd } from "../../text/json/tokens.ts";

/** A regular use of white space; empty containers are always `{}` and `[]`. */
export interface Layout {
  /** Several top-level values, one after the other, each ended by a newline. */
  readonly lines: boolean;
  /** What ends a line. */
  readonly newline: "\n" | "\r\n";
  /** Containers that follow each other meet in `},{` on one line. */
  readonly joined: boolean;
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
const RETURN = 13;
const MAX_INDENT = 8;

/** Compares the white space of a text with the first layout that it fits. */
export class LayoutProbe {
  readonly #text: string;
  #regular = true;
  #newline: "\n" | "\r\n" | undefined;
  #joined: boolean | undefined;
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
    this.#break(from, to, depth);
  }

  /** White space after a comma between items of this depth. */
  comma(from: number, to: number, depth: number): void {
    if (this.#indent !== "") {
      const isJoint = isClosing(this.#text.charCodeAt(from - 2)) &&
        isOpening(this.#text, to);
      if (isJoint) {
        this.#joined ??= from === to;
        if (this.#joined) return this.none(from, to);
      }
      return this.#break(from, to, depth);
    }
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
    this.#break(from, to, depth);
  }

  /** White space between two top-level values. */
  between(from: number, to: number): void {
    this.#newline ??= newlineAt(this.#text, from);
    this.#exactly(from, to, this.#newline);
  }

  /** The layout that fits everything seen; `undefined` when there is none. */
  layout(lines: boolean): Layout | undefined {
    if (!this.#regular) return undefined;
    const indent = this.#indent ?? "";
    const colon = this.#colon ?? (indent === "" ? this.#comma ?? "" : " ");
    const comma = this.#comma ?? colon;
    if (indent !== "" && colon === "") return undefined;
    if (indent === "" && comma === " " && colon === "") return undefined;
    const newline = this.#newline ?? "\n";
    const joined = this.#joined ?? false;
    return { lines, newline, joined, indent, comma, colon };
  }

  #firstIndent(from: number, to: number): string {
    if (from === to) return "";
    this.#newline ??= newlineAt(this.#text, from);
    const indent = this.#text.slice(from + this.#newline.length, to);
    const fits = indent.length > 0 && indent.length <= MAX_INDENT &&
      (/^ +$/.test(indent) || /^\t+$/.test(indent));
    if (!fits) this.#regular = false;
    return indent;
  }

  #break(from: number, to: number, depth: number): void {
    const indent = this.#indent ?? "";
    if (indent === "") return this.none(from, to);
    const newline = this.#newline ??= newlineAt(this.#text, from);
    const start = from + newline.length;
    if (
      to - start !== indent.length * depth ||
      !this.#text.startsWith(newline, from)
    ) {
      this.#regular = false;
      return;
    }
    const unit = indent.charCodeAt(0);
    for (let i = start; i < to; i++) {
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

function newlineAt(text: string, at: number): "\n" | "\r\n" {
  return text.charCodeAt(at) === RETURN ? "\r\n" : "\n";
}

/** Whether the comma at `at` stands between a closing and an opening bracket. */
function isJoint(text: string, at: number): boolean {
  return isClosing(text.charCodeAt(at - 1)) && isOpening(text, at + 1);
}

/** Lays out minified JSON, whose top-level values are separated by newlines. Linear. */
export function layOut(minified: string, layout: Layout): string {
  const { indent, comma, colon, newline, joined } = layout;
  if (indent === "" && comma === "" && colon === "" && newline === "\n") {
    return minified;
  }
  const breaks = [newline as string];
  const breakAt = (depth: number) =>
    indent === "" ? "" : breaks[depth] ??= newline + indent.repeat(depth);
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
        if (indent === "") gap = comma;
        else if (!joined || !isJoint(minified, i)) gap = breakAt(depth);
        break;
      case NEWLINE:
        // Only between values: other line ends follow the last one, as they were.
        if (newline === "\n" || !isOpening(minified, i + 1)) continue;
        out += minified.slice(copied, i) + newline;
        copied = i + 1;
        continue;
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

function isOpening(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** Offset of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code > SPACE) return at;
    if (code !== SPACE && code !== NEWLINE && code !== TAB && code !== RETURN) {
      return at;
    }
    at++;
  }
}

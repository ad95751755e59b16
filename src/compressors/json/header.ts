/** The first line of a form: how the original was laid out. @module */
import type { Layout } from "./layout.ts";

/** How the values of a text stand in lines. */
export interface Header {
  /** White space of what stands on lines of its own. */
  readonly layout: Layout;
  /** Some containers stand on one line; `undefined` when all follow {@linkcode Header.layout}. */
  readonly mixed: Mixed | undefined;
}

/** Containers on one line among indented ones: in the form those have spaces inside. */
export interface Mixed {
  /** Arrays of one item, which may have no space inside, stand on one line too. */
  readonly lone: boolean;
}

/** A header that was read. */
export interface ReadHeader extends Header {
  /** What it takes of the text. */
  readonly length: number;
}

/**
 * The line that names a layout, newline included; empty for one minified value.
 *
 * @param isFile The text is what a file holds: say how to write it.
 */
export function headerOf(
  { layout, mixed }: Header,
  isFile = false,
): string {
  const style = styleOf(layout) + mixedStyleOf(mixed);
  if (layout.lines) {
    return style === "" ? "// JSON Lines\n" : `// JSON Lines, was ${style}\n`;
  }
  if (style === "") return "";
  if (!isFile) return `// minified JSON, was ${style}\n`;
  const items = layout.indent === "" ? "" : ", one item per line";
  return `// minified JSON, the file has ${styleOf(layout)}${items}${
    mixedStyleOf(mixed)
  }\n`;
}

function styleOf({ indent, comma, colon, newline, joined }: Layout): string {
  const ends = newline === "\n" ? "" : " CRLF";
  if (indent !== "") {
    const unit = indent.startsWith("\t") ? " tab" : "";
    return `indent ${indent.length}${unit}${ends}${joined ? " with },{" : ""}`;
  }
  if (comma === " ") return `spaced${ends}`;
  return colon === " " ? `spaced after colons${ends}` : ends.trim();
}

function mixedStyleOf(mixed: Mixed | undefined): string {
  if (mixed === undefined) return "";
  return ` except in brackets with spaces${mixed.lone ? " or one item" : ""}`;
}

/** Characters that a header never exceeds. */
export const MAX_HEADER = 200;
const HEADER =
  /^\/\/ (minified JSON|JSON Lines)(?:, (?:was|the file has) (?:indent (\d)( tab)?|(spaced(?: after colons)?))? ?(CRLF)?( ?with \},\{)?(?:, one item per line)?( except in brackets with spaces)?( or one item)?)?\n/;

/** Reads the line that {@linkcode headerOf} wrote; `length` is 0 when there is none. */
export function readHeader(text: string): ReadHeader {
  const match = HEADER.exec(text);
  const size = Number(match?.[2] ?? 0);
  const spaced = match?.[4];
  const layout: Layout = {
    lines: match?.[1] === "JSON Lines",
    newline: match?.[5] ? "\r\n" : "\n",
    joined: match?.[6] !== undefined,
    indent: (match?.[3] ? "\t" : " ").repeat(size),
    comma: spaced === "spaced" ? " " : "",
    colon: spaced !== undefined || size > 0 ? " " : "",
  };
  const mixed = match?.[7] ? { lone: match[8] !== undefined } : undefined;
  return { layout, mixed, length: match?.[0].length ?? 0 };
}

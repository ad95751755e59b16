/** What fits a line of the terminal, and its colours. @module */
import stringWidth from "fast-string-width";
import type { CliIo } from "./io.ts";
import type { TextValues } from "../settings/row.ts";

/** Columns of a line where nothing else says it: of pipes and files too, so that they hold the same everywhere. */
const USUAL = 80;
/** Below this, lines are not made shorter. */
const LEAST = 40;
/** At the end of a text that was cut. */
const ELLIPSIS = "…";

/** Columns that a line of stdout may have: `COLUMNS`, else the terminal's, else 80. At least 40. */
export function lineWidth(
  io: Pick<CliIo, "env" | "stdoutIsTerminal" | "terminalColumns">,
): number {
  return widthFor(io.stdoutIsTerminal, io);
}

/** The same for stderr; `undefined` where it is no terminal: there, a line is a record. */
export function talkWidth(
  io: Pick<CliIo, "env" | "stderrIsTerminal" | "terminalColumns">,
): number | undefined {
  return io.stderrIsTerminal ? widthFor(true, io) : undefined;
}

function widthFor(
  isTerminal: boolean,
  { env, terminalColumns }: Pick<CliIo, "env" | "terminalColumns">,
): number {
  const { COLUMNS = "" } = env;
  const given = /^\d{1,5}$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  const own = isTerminal ? terminalColumns() : undefined;
  return Math.max(LEAST, given || own || USUAL);
}

/** Columns of the terminal that a standard stream is; `undefined` where none is one. */
export function terminalColumns(): number | undefined {
  try {
    return Deno.consoleSize().columns;
  } catch {
    // Its one error says that none of them is a terminal.
    return undefined;
  }
}

/** Columns that a text takes: wide characters take two, colours none. */
export function textWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** What takes one column per character. */
const PLAIN = /^[ -~]*$/;

/** The start of a text, in `width` columns at most; a cut one ends with `…`. It has no colours. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let left = width - ELLIPSIS.length;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= textWidth(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut + ELLIPSIS;
}

/**
 * Breaks lines at blanks. A word that is too long for a line stays whole: it may be a path to be copied.
 *
 * @param width Columns of a line.
 * @param indent Begins all lines but the first.
 */
export function wrapText(text: string, width: number, indent = ""): string {
  return text.split("\n").map((line) => wrapLine(line, width, indent))
    .join(`\n${indent}`);
}

/** Breaks those lines that are too wide; what follows is indented like the line, and by two more. */
export function fitLines(text: string, width: number): string {
  return text.split("\n").map((line) =>
    textWidth(line) <= width
      ? line
      : wrapText(line, width, `${/^ */.exec(line)![0]}  `)
  ).join("\n");
}

/** The same for a page of text: where a line of a paragraph is too wide, the whole of it is broken anew. */
export function fitPage(page: string, width: number): string {
  const paragraphs: string[][] = [];
  let isOpen = false;
  for (const line of page.split("\n")) {
    // What is blank or indented stands alone.
    const isText = /^\S/.test(line);
    if (isText && isOpen) paragraphs.at(-1)!.push(line);
    else paragraphs.push([line]);
    isOpen = isText;
  }
  return paragraphs.map((lines) =>
    lines.length > 1 && lines.some((line) => textWidth(line) > width)
      ? wrapText(lines.join(" "), width)
      : fitLines(lines.join("\n"), width)
  ).join("\n");
}

/** Blanks, and a word after them; a number stays with its unit. */
const WORDS = /(\s*)((?:\(?[\d.,-]+ (?=%|ms\b))?\S+)/g;

function wrapLine(line: string, width: number, indent: string): string {
  let wrapped = "";
  let used = 0;
  for (const [word, blanks, rest] of line.matchAll(WORDS)) {
    const more = textWidth(word);
    if (used > 0 && used + more > width) {
      wrapped += `\n${indent}${rest}`;
      used = indent.length + more - blanks!.length;
    } else {
      wrapped += word;
      used += more;
    }
  }
  return wrapped;
}

/** Wraps a text in escape codes, or leaves it as it is. */
export type Paint = (text: string) => string;

/** The few ways in which talk is set off. */
export interface Style {
  /** What to look at first. */
  readonly strong: Paint;
  /** What may be skipped. */
  readonly faint: Paint;
  /** Something the user may want to change. */
  readonly warning: Paint;
  /** Something that failed. */
  readonly failure: Paint;
  /** Something that is well, or new. */
  readonly success: Paint;
}

/**
 * Colours on a terminal that has them, unless the user refused them.
 *
 * @param isTerminal Whether the text goes to a terminal.
 * @param env A non-empty `NO_COLOR` or `TERM=dumb` turns colours off.
 */
export function makeStyle(isTerminal: boolean, env: TextValues): Style {
  const colours = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  const paint = (code: number): Paint => (text) =>
    colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    strong: paint(1),
    faint: paint(2),
    warning: paint(33),
    failure: paint(31),
    success: paint(32),
  };
}

/** Writes data to stdout. */
export function print(io: Pick<CliIo, "stdout">, text: string): void {
  io.stdout(new TextEncoder().encode(text));
}

/** Writes one line of data. */
export function say(io: Pick<CliIo, "stdout">, line: string): void {
  print(io, `${line}\n`);
}

/** Says sentences on stderr that are no failure. */
export function warn(
  io: Pick<CliIo, "stderr" | "stderrIsTerminal" | "env">,
  texts: readonly string[],
): void {
  const { warning } = makeStyle(io.stderrIsTerminal, io.env);
  for (const text of texts) io.stderr(`${warning("Warning:")} ${text}\n`);
}

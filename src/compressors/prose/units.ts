/** A document as units that are kept or left out whole: sentences, and lines that are no running text. @module */
import type { Lines } from "../../text/lines.ts";
import { kindsOfLines } from "./blocks.ts";
import { BLANK, CLUTTER, CODE, FENCE, HEADING, ITEM, TEXT } from "./kinds.ts";
import { splitSentences } from "./sentences.ts";

/** First unit of a paragraph or list item. */
export const OPENS_PARAGRAPH = 1;
/** First sentence after a heading, or of the text. */
export const OPENS_SECTION = 2;
/** In a list item. */
export const IN_ITEM = 4;
/** In the last paragraph of the text. */
export const IN_LAST = 8;
/** First sentence below an option or another line that it describes. */
export const DESCRIBES = 16;
/** Starts its line; `start` is where the line starts. */
export const STARTS_LINE = 32;
/** Ends its line; `end` is where the line ends. */
export const ENDS_LINE = 64;

/** A sentence, or a whole line that is not running text. */
export interface Unit {
  /** First UTF-16 offset. */
  readonly start: number;
  /** Offset after the last character; never includes the newline. */
  readonly end: number;
  /** Line that it starts in, from 0. */
  readonly line: number;
  /** Line that it ends in. */
  readonly lastLine: number;
  /** Kind of the line, as in `blocks.ts`; a sentence has `TEXT` or `ITEM`. */
  readonly kind: number;
  /** Bits above. */
  place: number;
}

/** Units in order; blank lines belong to none. O(n). */
export function unitsOf(lines: Lines): Unit[] {
  const kinds = kindsOfLines(lines);
  const units: Unit[] = [];
  let opensSection = true;
  let opensList = true;
  let lastText = 0;
  for (let i = 0; i < lines.count;) {
    const kind = kinds[i]!;
    if (kind !== TEXT && kind !== ITEM) {
      if (kind !== BLANK) units.push(lineUnit(lines, i, kind));
      if (kind === HEADING) opensSection = opensList = true;
      i++;
      continue;
    }
    let end = i + 1;
    while (end < lines.count && kinds[end] === TEXT) end++;
    const first = units.length;
    let place = kind === ITEM ? IN_ITEM : 0;
    if (kind === ITEM ? opensList : opensSection) place |= OPENS_SECTION;
    opensList = false;
    const before = units.at(-1)?.kind;
    if (before !== undefined && before !== TEXT && i > 0 && kinds[i - 1]) {
      place |= describes(before) ? DESCRIBES : 0;
    }
    addSentences({ lines, units }, { from: i, to: end, kind });
    units[first]!.place |= place | OPENS_PARAGRAPH;
    for (let u = first; u < units.length; u++) {
      units[u]!.place |= place & IN_ITEM;
    }
    // The first paragraph below a list says as much as one right below the heading.
    if (kind === TEXT) opensSection = false;
    lastText = first;
    i = end;
  }
  for (let u = lastText; u < units.length; u++) {
    if (units[u]!.kind === TEXT || units[u]!.kind === ITEM) {
      units[u]!.place |= IN_LAST;
    }
  }
  return units;
}

/** Text right below such a line says what it is. */
function describes(kind: number): boolean {
  return kind !== CODE && kind !== FENCE && kind !== CLUTTER;
}

function lineUnit(lines: Lines, line: number, kind: number): Unit {
  const start = lines.starts[line]!;
  const end = lines.starts[line + 1]! - 1;
  const place = STARTS_LINE | ENDS_LINE;
  return { start, end, line, lastLine: line, kind, place };
}

function addSentences(
  { lines, units }: { readonly lines: Lines; readonly units: Unit[] },
  { from, to, kind }: {
    readonly from: number;
    readonly to: number;
    readonly kind: number;
  },
): void {
  const { text, codes, starts } = lines;
  const end = starts[to]! - 1;
  let line = from;
  splitSentences({ text, codes, start: starts[from]!, end }, (first, last) => {
    while (starts[line + 1]! <= first) line++;
    const lineStart = starts[line]!;
    const startsLine = isMargin(codes, lineStart, first);
    const startLine = line;
    while (starts[line + 1]! - 1 < last) line++;
    const lineEnd = starts[line + 1]! - 1;
    const endsLine = isBlank(codes, last, lineEnd);
    units.push({
      start: startsLine ? lineStart : first,
      end: endsLine ? lineEnd : last,
      line: startLine,
      lastLine: line,
      kind,
      place: (startsLine ? STARTS_LINE : 0) | (endsLine ? ENDS_LINE : 0),
    });
  });
}

/** Blanks and the marks of a quotation. */
function isMargin(codes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (codes[i]! > 32 && codes[i] !== 62) return false;
  }
  return true;
}

function isBlank(codes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (codes[i]! > 32) return false;
  return true;
}

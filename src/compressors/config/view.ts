/** A configuration text as its compressor sees it: lines, what they are, and which stand below which. @module */
import { indexLines, type Lines } from "../../text/lines.ts";
import {
  BLANK,
  COMMENT,
  ITEM,
  KEY,
  newScan,
  OPEN,
  scanLine,
  SECTION,
  SEPARATOR,
  TEXT,
} from "./scan_line.ts";

/** A configuration text, one entry per line. */
export interface ConfigView {
  /** The lines. */
  readonly lines: Lines;
  /** Whether keys end with `=` and sections are in brackets: TOML, INI, properties; else YAML. */
  readonly equals: boolean;
  /** `BLANK` to `TEXT` of `scan_line.ts`. */
  readonly kinds: Uint8Array;
  /** 1 for a line that starts with `- `. */
  readonly dashes: Uint8Array;
  /** Blanks before the first character. */
  readonly indents: Int32Array;
  /** Start of the key, of the item or of the text. */
  readonly keyAt: Uint32Array;
  /** End of the key; equal to `keyAt` without one. */
  readonly keyEnd: Uint32Array;
  /** Start of the value; the end of the line without one. */
  readonly valueAt: Uint32Array;
  /** Line that this line stands below, always an earlier one; -1 at the top. */
  readonly parents: Int32Array;
}

/** Lines that decide whether keys end with `=` or with a colon. */
const DECIDING = 120;

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BAR = 124;
const GREATER = 62;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Reads a configuration text. O(n), any depth. */
export function viewConfig(text: string): ConfigView {
  const lines = indexLines(text);
  const { count } = lines;
  const view = {
    lines,
    equals: usesEquals(lines),
    kinds: new Uint8Array(count),
    dashes: new Uint8Array(count),
    indents: new Int32Array(count),
    keyAt: new Uint32Array(count),
    keyEnd: new Uint32Array(count),
    valueAt: new Uint32Array(count),
    parents: new Int32Array(count).fill(-1),
  };
  const scan = newScan();
  for (let line = 0; line < count; line++) {
    scanLine(lines, { line, equals: view.equals }, scan);
    view.kinds[line] = scan.kind;
    view.dashes[line] = scan.dash ? 1 : 0;
    view.indents[line] = scan.indent;
    view.keyAt[line] = scan.keyAt;
    view.keyEnd[line] = scan.keyEnd;
    view.valueAt[line] = scan.valueAt;
  }
  if (view.equals) nestSections(view);
  else nestByIndent(view);
  return view;
}

/** Whether more keys end with `=` than with a colon. */
function usesEquals(lines: Lines): boolean {
  const scan = newScan();
  let lead = 0;
  for (let line = 0; line < Math.min(DECIDING, lines.count); line++) {
    scanLine(lines, { line, equals: true }, scan);
    if (scan.kind === SECTION) lead += 2;
    else if (scan.kind === KEY) {
      lead += endsWithEquals(lines, scan.keyEnd) ? 1 : -1;
    }
  }
  return lead > 0;
}

function endsWithEquals({ codes }: Lines, keyEnd: number): boolean {
  let at = keyEnd;
  while (codes[at]! <= 32) at++;
  return codes[at] === 61;
}

/** Column of the key: that of what follows the dashes. */
function columnOf(view: ConfigView, line: number): number {
  return view.keyAt[line]! - view.lines.starts[line]!;
}

/** YAML: a line stands below the nearest earlier one that is indented less; a list may stand right below its key. */
function nestByIndent(view: ConfigView): void {
  const { kinds, indents, dashes, parents } = view;
  const open: number[] = [];
  let scalar = -1;
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i]!;
    if (kind === BLANK) {
      parents[i] = scalar;
      continue;
    }
    const indent = indents[i]!;
    if (scalar >= 0 && indent > scalarColumn(view, scalar)) {
      kinds[i] = TEXT;
      parents[i] = scalar;
      continue;
    }
    scalar = -1;
    if (kind === SEPARATOR) {
      open.length = 0;
      continue;
    }
    while (open.length > 0) {
      const top = open[open.length - 1]!;
      if (indents[top]! < indent) break;
      const holdsList = indents[top] === indent && dashes[i] === 1 &&
        dashes[top] === 0 && kinds[top] === OPEN;
      if (holdsList) break;
      open.pop();
    }
    parents[i] = open.length > 0 ? open[open.length - 1]! : -1;
    if (kind === COMMENT || kind === TEXT) continue;
    open.push(i);
    if (startsScalar(view, i)) scalar = i;
  }
}

/** Text of a block scalar is indented deeper than this. */
function scalarColumn(view: ConfigView, line: number): number {
  return view.keyEnd[line]! > view.keyAt[line]!
    ? columnOf(view, line)
    : view.indents[line]!;
}

/** The value is `|` or `>`, with its signs. */
function startsScalar(view: ConfigView, line: number): boolean {
  const { codes, starts } = view.lines;
  const at = view.valueAt[line]!;
  const end = starts[line + 1]! - 1;
  return (codes[at] === BAR || codes[at] === GREATER) && end - at <= 4;
}

/** TOML and INI: below a section stand its keys, below a key the lines of its value. */
function nestSections(view: ConfigView): void {
  const { kinds, indents, parents, lines } = view;
  let section = -1;
  let key = -1;
  let until = 0;
  for (let i = 0; i < kinds.length; i++) {
    if (until !== 0) {
      parents[i] = key;
      if (kinds[i] !== BLANK && kinds[i] !== COMMENT) {
        kinds[i] = until === CLOSE_BRACKET ? ITEM : TEXT;
      }
      if (closes(view, i, until)) until = 0;
      continue;
    }
    const kind = kinds[i]!;
    if (kind === SECTION) section = i;
    else if (kind === KEY) {
      const isDeeper = key >= 0 && indents[i]! > indents[key]! &&
        view.valueAt[key]! >= lines.starts[key + 1]! - 1;
      parents[i] = isDeeper ? key : section;
      if (isDeeper) continue;
      key = i;
      until = opened(view, i);
    } else {
      const below = kind === TEXT && key >= 0 && parents[key] === section;
      parents[i] = below ? key : section;
      if (below) kinds[i] = ITEM;
    }
  }
}

/** What ends a value that goes on below: a bracket, a quote; 0 for none. */
function opened(view: ConfigView, line: number): number {
  const { codes, starts } = view.lines;
  const at = view.valueAt[line]!;
  let end = starts[line + 1]! - 1;
  while (end > at && codes[end - 1]! <= 32) end--;
  if (codes[at] === OPEN_BRACKET && codes[end - 1] === OPEN_BRACKET) {
    return CLOSE_BRACKET;
  }
  const quote = codes[at]!;
  if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return 0;
  if (codes[at + 1] !== quote || codes[at + 2] !== quote) return 0;
  return hasTriple(codes, at + 3, end, quote) ? 0 : quote;
}

function closes(view: ConfigView, line: number, until: number): boolean {
  const { codes, starts } = view.lines;
  const start = starts[line]!;
  const end = starts[line + 1]! - 1;
  if (until !== CLOSE_BRACKET) return hasTriple(codes, start, end, until);
  return codes[start + view.indents[line]!] === CLOSE_BRACKET;
}

function hasTriple(
  codes: Uint8Array,
  from: number,
  to: number,
  quote: number,
): boolean {
  for (let at = from; at + 2 < to; at++) {
    if (
      codes[at] === quote && codes[at + 1] === quote && codes[at + 2] === quote
    ) return true;
  }
  return false;
}

/** What the lines of a document are: headings, running text, list items, code, tables, clutter. @module */
import type { Lines } from "../../text/lines.ts";
import { DIGIT, KINDS, LOWER } from "../../text/words.ts";
import { isLooseText } from "./clutter.ts";
import {
  BLANK,
  CLUTTER,
  CODE,
  FENCE,
  HEADING,
  ITEM,
  ROW,
  TEXT,
} from "./kinds.ts";
import { markLinks } from "./links.ts";

/** UTF-16 units looked at of one line. */
const WIDTH = 240;
/** Blanks before a line of code, more than the text around has. */
const CODE_INDENT = 4;
/** Indents told apart when the usual one is looked for. */
const MAX_INDENT = 16;
/** Share of such lines that start at the usual indent, at least. */
const USUAL = 0.15;
/** Share of all lines that may start before it: headings. */
const OUTSIDE = 0.35;

/** Lines of a list item that are looked back at. */
const LONGEST_ITEM = 12;
/** Lines of a front matter, at most. */
const LONGEST_FRONT = 40;

const FENCE_START = /^\s*(?:>\s?)*\s*(`{3,}|~{3,})[^`]*$/;
const MARKED_HEADING = /^ {0,3}#{1,6}(?:\s+\S|$)/;
const BOLD_HEADING = /^\s*(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?\s*$/;
const CAPITALS_HEADING = /^[A-Z\d][A-Z\d ,/&()-]{2,60}$/;
const LABEL =
  /^[\s>]*[A-Z\d](?:[^.!?;]{1,58}[^\s.!?;,:]|[^.!?;,:\s]*(?: [^.!?;,:\s]+){0,2}:)$/;
/** What a manual page describes in an indented paragraph, which Markdown shows as a quotation. */
const TERM = /^\S.{0,78}[^\s.!?;,:]$/;
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})\s*$/;
const RULE = /^(?:--|[\s\-=_*~+|.#·—–]{3,})$/;
const LIST_ITEM = /^\s*(?:>\s?)*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+\S/;
const EMPTY_QUOTE = /^[ >]+$/;
const OPTION = /^\s*(?:-{1,2}[A-Za-z\d?]|\/[A-Za-z?]\b)/;
const COLUMNS = /^\s*\S+(?: \S+){0,4}(?: {4,}|\t+ *)\S/;
const TABLE_ROW = /^\s*\|/;
const PROSE_START = /^\s*(?:>\s?)*["'“«(*_`[]*[A-Z\u0080-\uffff]/;

/** One kind per line. O(n). */
export function kindsOfLines(lines: Lines): Uint8Array {
  const kinds = new Uint8Array(lines.count);
  const base = usualIndent(lines);
  const unclosed = { ticks: false, tildes: false };
  const front = frontMatter(lines);
  kinds.fill(ROW, 0, front);
  for (let i = front; i < lines.count;) {
    const head = headOf(lines, i);
    const close = fenceEnd(lines, i, { head, unclosed });
    if (close > i) {
      kinds.fill(CODE, i, close + 1);
      kinds[i] = FENCE;
      kinds[close] = FENCE;
      i = close + 1;
      continue;
    }
    kinds[i] = kindOf({ lines, kinds, base }, i, head);
    if (kinds[i] === ROW && i > 0 && UNDERLINE.test(head)) {
      // `Title` over `=====`.
      if (kinds[i - 1] === TEXT && isTitle(lines, kinds, i - 1)) {
        kinds[i - 1] = HEADING;
      }
    }
    i++;
  }
  markLabels(lines, kinds);
  markLinks(lines, kinds);
  return kinds;
}

/** Blanks that a line starts with. */
export function indentOf({ codes, starts }: Lines, line: number): number {
  const end = starts[line + 1]! - 1;
  let at = starts[line]!;
  while (at < end && codes[at]! === 32) at++;
  return at < end && codes[at] === 9 ? MAX_INDENT : at - starts[line]!;
}

/** The start of a line, at most 240 units, without a final `\r`. */
function headOf(lines: Lines, line: number): string {
  const start = lines.starts[line]!;
  const end = Math.min(lines.starts[line + 1]! - 1, start + WIDTH);
  return lines.text.slice(start, end).trimEnd();
}

interface Around {
  readonly lines: Lines;
  readonly kinds: Uint8Array;
  readonly base: number;
}

function kindOf({ lines, kinds, base }: Around, i: number, head: string) {
  if (head === "" || EMPTY_QUOTE.test(head)) return BLANK;
  const before = i > 0 ? kinds[i - 1]! : BLANK;
  const inText = before === TEXT || before === ITEM;
  const indent = indentOf(lines, i);
  const first = lines.codes[lines.starts[i]! + indent]!;
  const after = head[indent + 1];
  const isWord = KINDS[first] === LOWER && after !== "." && after !== ")";
  // `is\n30. Then`: a number that a line break made look like the mark of an item.
  const isNumber = before === TEXT && KINDS[first] === DIGIT &&
    !isInList(kinds, i) && head[indent] !== "1";
  const marked = isWord || isNumber ? -1 : markedKind(head, inText);
  if (marked >= 0) return marked;
  if (indent > 0 && OPTION.test(head)) return ROW;
  const hasColumns = head.includes("    ", indent) || head.includes("\t");
  if (hasColumns && COLUMNS.test(head) && !(inText && indent === 0)) return ROW;
  if (inText && !isDeeper(lines, i, before)) return TEXT;
  if (indent < base + CODE_INDENT) return TEXT;
  return PROSE_START.test(head) && isWordy(lines, i) ? TEXT : CODE;
}

/** Whether the paragraph that line `i` goes on with begins with a list item. Looks back at a few lines only. */
function isInList(kinds: Uint8Array, i: number): boolean {
  let line = i - 1;
  while (line > 0 && i - line < LONGEST_ITEM && kinds[line] === TEXT) line--;
  return kinds[line] === ITEM;
}

/** What the first characters of a line make it; -1 when they say nothing. */
function markedKind(head: string, inText: boolean): number {
  if (MARKED_HEADING.test(head)) return HEADING;
  if (RULE.test(head) || TABLE_ROW.test(head)) return ROW;
  if (LIST_ITEM.test(head)) return ITEM;
  if (isLooseText(head)) return CLUTTER;
  const isTitle = !inText &&
    (BOLD_HEADING.test(head) || CAPITALS_HEADING.test(head));
  return isTitle ? HEADING : -1;
}

/** Whether a line stands so much deeper than the text before it that it does not go on with it. */
function isDeeper(lines: Lines, i: number, before: number): boolean {
  return before === TEXT &&
    indentOf(lines, i) >= indentOf(lines, i - 1) + CODE_INDENT;
}

/** Five words or more, nearly all of letters. */
function isWordy({ codes, starts }: Lines, line: number): boolean {
  const start = starts[line]!;
  const end = Math.min(starts[line + 1]! - 1, start + WIDTH);
  let words = 0;
  let letters = 0;
  let others = 0;
  for (let at = start; at < end; at++) {
    const code = codes[at]! | 32;
    if (codes[at]! <= 32) words += at > start && codes[at - 1]! > 32 ? 1 : 0;
    else if ((code >= 97 && code <= 122) || code >= 128) letters++;
    else others++;
  }
  return (words >= 4 && letters >= 7 * others) || letters > 200;
}

/** Line of the fence's end; -1 when line `i` starts no fence that is closed. */
function fenceEnd(
  lines: Lines,
  i: number,
  { head, unclosed }: {
    readonly head: string;
    readonly unclosed: { ticks: boolean; tildes: boolean };
  },
): number {
  if (!head.includes("```") && !head.includes("~~~")) return -1;
  const mark = FENCE_START.exec(head)?.[1];
  if (mark === undefined) return -1;
  const kind = mark.startsWith("`") ? "ticks" : "tildes";
  if (unclosed[kind]) return -1;
  for (let end = i + 1; end < lines.count; end++) {
    const line = headOf(lines, end);
    if (line.endsWith(mark) && /^[\s>]*[`~]+$/.test(line)) return end;
  }
  // Searched once: a text of a million open fences stays linear.
  unclosed[kind] = true;
  return -1;
}

/** The least indent at which a good part of the lines follow one of the same indent: 7 in a manual page. */
function usualIndent(lines: Lines): number {
  const counts = new Uint32Array(MAX_INDENT + 1);
  const all = new Uint32Array(MAX_INDENT + 1);
  let before = -1;
  for (let i = 0; i < lines.count; i++) {
    const isBlank = lines.starts[i + 1]! - lines.starts[i]! <= 1;
    const indent = isBlank ? -1 : Math.min(MAX_INDENT, indentOf(lines, i));
    if (indent >= 0) all[indent]!++;
    if (indent >= 0 && indent === before) counts[indent]!++;
    before = indent;
  }
  const sum = (part: Uint32Array) => part.reduce((a, b) => a + b, 0);
  const least = USUAL * sum(counts);
  const usual = counts.findIndex((count) => count > 0 && count >= least);
  // Text at the margin makes what is indented code.
  const isBody = sum(all.subarray(0, Math.max(0, usual))) <= OUTSIDE * sum(all);
  return usual > 0 && isBody ? usual : 0;
}

/** One short line of text between blank lines and its underline. */
function isTitle(lines: Lines, kinds: Uint8Array, line: number): boolean {
  const length = lines.starts[line + 1]! - lines.starts[line]!;
  const before = line > 0 ? kinds[line - 1]! : BLANK;
  return length <= 100 && before !== TEXT && before !== ITEM;
}

/** `Generic options` on a line of its own, with text below it. */
function markLabels(lines: Lines, kinds: Uint8Array): void {
  for (let i = 0; i + 1 < lines.count; i++) {
    if (kinds[i] !== TEXT || (i > 0 && kinds[i - 1] !== BLANK)) continue;
    const isAlone = kinds[i + 1] === BLANK
      ? i + 2 < lines.count
      : indentOf(lines, i + 1) > indentOf(lines, i) && kinds[i + 1] !== TEXT;
    if (!isAlone) continue;
    const head = headOf(lines, i);
    const isTerm = i + 2 < lines.count && !head.startsWith(">") &&
      lines.codes[lines.starts[i + 2]!] === 62 && TERM.test(head);
    if (isTerm || LABEL.test(head)) kinds[i] = HEADING;
  }
}

/** Lines of the front matter: `---`, keys and values, `---`; 0 for none. */
function frontMatter(lines: Lines): number {
  if (lines.count === 0 || headOf(lines, 0) !== "---") return 0;
  const limit = Math.min(lines.count, LONGEST_FRONT);
  for (let i = 1; i < limit; i++) if (headOf(lines, i) === "---") return i + 1;
  return 0;
}

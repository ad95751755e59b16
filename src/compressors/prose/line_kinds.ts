/** What each line of a document is: running text, a heading, an item, code, a row. @module */
import { codeAt, lineEnd, type Lines, lineStart } from "../../text/lines.ts";

/** Nothing but blanks. */
export const BLANK = 0;
/** A heading, with marks or by its form. */
export const HEADING = 1;
/** A line of running text. */
export const TEXT = 2;
/** The first line of a list item, with text behind the mark. */
export const ITEM = 3;
/** Code: in a fence or indented. */
export const CODE = 4;
/** The first or last line of a fence. */
export const FENCE = 5;
/** A row of a table or of two columns, a rule. */
export const ROW = 6;
/** Badges, comments, tags without text, lists of links to headings. */
export const CLUTTER = 7;

/** A text for people to read. */
export interface Document {
  readonly lines: Lines;
  /** What each line is. */
  readonly kinds: Uint8Array;
}

/** UTF-16 units looked at of one line. */
const WIDTH = 240;
/** The first or the last line of a fence. */
export const FENCE_LINE: RegExp = /^\s*(?:>\s?)*\s*(`{3,}|~{3,})[^`]*$/;
const MARKED_HEADING = /^ {0,3}#{1,6}(?:\s+\S|$)/;
const LIST_ITEM = /^\s*(?:>\s?)*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+\S/;

/** The start of a line, without the blanks behind it. */
export function headOf(lines: Lines, line: number): string {
  const start = lineStart(lines, line);
  return lines.text.slice(start, Math.min(lineEnd(lines, line), start + WIDTH))
    .trimEnd();
}

/** Blanks before a line of code. */
const CODE_INDENT = 4;

const BOLD_HEADING = /^\s*(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?$/;
const CAPITALS_HEADING = /^[A-Z\d][A-Z\d ,/&()-]{2,60}$/;
/** Words on a line of their own over what they are about. */
const LABEL =
  /^[\s>]*[A-Z\d](?:[^.!?;]{1,58}[^\s.!?;,:]|[^.!?;,:\s]*(?: [^.!?;,:\s]+){0,2}:)$/;
const TERM = /^[^\s>].{0,78}[^\s.!?;,:]$/;
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})$/;
const RULE = /^(?:--|[\s\-=_*~+|.#·—–]{3,})$/;
const OPTION = /^\s+(?:-{1,2}[A-Za-z\d?]|\/[A-Za-z?]\b)/;
const TWO_COLUMNS = /^\s*\S+(?: \S+){0,4}(?: {4,}|\t+ *)\S/;
const SENTENCE = /^\s*(?:>\s?)*["'“«(*_`[]*[A-Z\u0080-\uffff]\S*(?: \S+){4}/;
const BADGE =
  /\[!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])?|!\[[^\]]*\]\([^)]*(?:shields\.io|badge|badgen|travis-ci|codecov|\.svg)[^)]*\)/g;
/** An item or a line that only leads to a part of the document. */
const CONTENTS = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]*\]\(#[^)]*\)$/;

/** One kind per line. O(n). */
export function kindsOfLines(lines: Lines): Uint8Array {
  const kinds = new Uint8Array(lines.count);
  const unclosed = new Set<string>();
  for (let i = 0; i < lines.count; i++) {
    const head = headOf(lines, i);
    const close = fenceEnd(lines, i, { head, unclosed });
    if (close > i) {
      kinds.fill(CODE, i, close);
      kinds[i] = kinds[close] = FENCE;
      i = close;
      continue;
    }
    const before = codeAt(kinds, i - 1);
    const kind = kindOf(lines, i, { head, before });
    kinds[i] = kind;
    const isTitle = kind === ROW && before === TEXT && UNDERLINE.test(head) &&
      codeAt(kinds, i - 2) === BLANK;
    if (isTitle) kinds[i - 1] = HEADING;
  }
  markLabels(lines, kinds);
  return kinds;
}

function kindOf(
  lines: Lines,
  i: number,
  { head, before }: { readonly head: string; readonly before: number },
): number {
  if (/^[ >]*$/.test(head)) return BLANK;
  const inText = before === TEXT || before === ITEM;
  const indent = indentOf(lines, i);
  const marked = firstKind(head, { indent, before, inText });
  if (marked !== undefined) return marked;
  if (indent > 0 && OPTION.test(head)) return ROW;
  if (!(inText && indent === 0) && hasColumns(head, indent)) return ROW;
  const goesOn = before === ITEM ||
    inText && indent < indentOf(lines, i - 1) + CODE_INDENT;
  const isDeep = indent >= CODE_INDENT && !goesOn;
  return isDeep && !SENTENCE.test(head) ? CODE : TEXT;
}

function hasColumns(head: string, indent: number): boolean {
  const mayHave = head.includes("    ", indent) || head.includes("\t");
  return mayHave && TWO_COLUMNS.test(head);
}

/** What the first word of a line makes it, or what it is marked as; `undefined` for neither. */
function firstKind(
  head: string,
  { indent, before, inText }: {
    readonly indent: number;
    readonly before: number;
    readonly inText: boolean;
  },
): number | undefined {
  const first = head.slice(indent, indent + 2);
  // A number that a line break made look like the mark of an item.
  const isNumber = before === TEXT && /^[02-9]/.test(first);
  const isWord = isNumber || /^[A-Za-z][^.)]?$/.test(first);
  if (!isWord) return markedKind(head, inText);
  return !inText && CAPITALS_HEADING.test(head) ? HEADING : undefined;
}

/** What the first characters of a line make it. */
function markedKind(head: string, inText: boolean): number | undefined {
  if (MARKED_HEADING.test(head)) return HEADING;
  if (RULE.test(head) || /^\s*\|/.test(head)) return ROW;
  if (LIST_ITEM.test(head)) return CONTENTS.test(head) ? CLUTTER : ITEM;
  if (isLooseText(head.trimStart())) return CLUTTER;
  return !inText && BOLD_HEADING.test(head) ? HEADING : undefined;
}

/** Only badges, one comment, or tags without text. */
function isLooseText(head: string): boolean {
  if (head.startsWith("<")) {
    return /^<!--(?!.*-->.*\S).*-->$/.test(head) || (head.endsWith(">") &&
      head.replace(/<\/?[A-Za-z][^<>]*>/g, "").trim() === "");
  }
  return /^(?:!\[|\[!\[)/.test(head) && head.replace(BADGE, "").trim() === "";
}

/** Blanks that a line starts with; a tab is four. */
function indentOf(lines: Lines, line: number): number {
  const start = lineStart(lines, line);
  let at = start;
  while (codeAt(lines.codes, at) === 32) at++;
  return codeAt(lines.codes, at) === 9 ? CODE_INDENT : at - start;
}

/** Line of the fence's end; -1 when line `i` starts no fence that is closed. */
function fenceEnd(
  lines: Lines,
  i: number,
  { head, unclosed }: {
    readonly head: string;
    readonly unclosed: Set<string>;
  },
): number {
  const mark = /```|~~~/.test(head) ? FENCE_LINE.exec(head)?.[1] : undefined;
  if (mark === undefined || unclosed.has(mark.slice(0, 1))) return -1;
  for (let end = i + 1; end < lines.count; end++) {
    const line = headOf(lines, end);
    if (line.endsWith(mark) && /^[\s>]*[`~]+$/.test(line)) return end;
  }
  // Searched once: a text of a million open fences stays linear.
  unclosed.add(mark.slice(0, 1));
  return -1;
}

/** `Generic options` on a line of its own, with text below it. */
function markLabels(lines: Lines, kinds: Uint8Array): void {
  for (let i = 0; i + 2 < lines.count; i++) {
    if (kinds[i] !== TEXT || codeAt(kinds, i - 1) !== BLANK) continue;
    if (kinds[i + 1] !== BLANK && kinds[i + 1] !== ROW) continue;
    const head = headOf(lines, i);
    const isTerm = codeAt(lines.codes, lineStart(lines, i + 2)) === 62 &&
      TERM.test(head);
    if (isTerm || LABEL.test(head)) kinds[i] = HEADING;
  }
}

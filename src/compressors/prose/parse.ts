/** Documents: running text, Markdown, manual pages. Which texts are some, and what each of their lines is. @module */
import type { ContentHint } from "../../core/detector.ts";
import {
  codeAt,
  indexLines,
  lineEnd,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { Starts } from "./starts.ts";

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
/** UTF-16 units looked at, at the start of a text and at its end, and lines of them, to find out what it is. */
const HEAD = 3500;
const TAIL = 500;
const SAMPLED = 64;

/** UTF-16 units of a fence or a table for which another compressor pays. */
const LONG_BLOCK = 400;

const FENCE_LINE = /^\s*(?:>\s?)*\s*(`{3,}|~{3,})[^`]*$/;
const MARKED_HEADING = /^ {0,3}#{1,6}(?:\s+\S|$)/;
const LIST_ITEM = /^\s*(?:>\s?)*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+\S/;
const TABLE_ROW = /^\s*[|│┃║].*[|│┃║]$|^\s*[+┌├└╔╠╚][-─═+┬┼┴╦╬╩┐┤┘]/;
const LINKED_ITEM = /^\s*[-*+] +\[[^\]]+\]\([^)\s]*\)/;
/** What a command line for issues prints above a text and each comment. */
export const ISSUE_HEAD =
  /^(?:title|state|author|labels|assignees|milestone|number|comments|projects|association|edited|status|reviewers|url):\t/;
const DOCUMENT_PATH = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i;
const CODE_PATH = /\.[a-z]\w{0,8}$/i;
const MANUAL =
  /^(?:#* *(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXAMPLES|COMMANDS)|[Uu]sage:|USAGE:?|Options:|Commands:|Examples?:)/;
const GIT = /^(?:commit [0-9a-f]{7,40}|Author: |Date: +|Merge: |CommitDate: )/;
/** A comment of a program; `# a` is one unless a blank line follows. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*\/|--\s|;|"""|#[^#\s]|<!)/;
/** Code, data, logs, listings, search results, stack traces. */
const MACHINE = [
  /[;{}]$/,
  /^\s*(?:import|export|from|def|class|function|const|let|var|return|public|private|fn|impl|use|pub|struct|enum|func|if|for|while|switch|try|static|void|@\w+)\b.*[:(),=]$/,
  /^\s*\d+(?:\t|→|:|\|)|^\S*[\\/.]\S*:\d+/,
  /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|npm|warning|error)\b[\]:|]?[ \t]/,
  /^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\s+at \S+.*[:(]\d+/,
  /^(?:diff --git|@@ |[+-]{3} |[+-]\S)/,
  /^[^,\s]+(?:,[^,]*){3,}$|\S(?:\t+| {3,})\S.*(?:\t| {3,})\S/,
  /^[\w.-]*(?:[\\/][\w.@-]+){1,40}[\\/]?$/,
];
/** What a caller knows of a text. */
interface Given extends ContentHint {
  /** No other kind claims it: a program may have written it, in sentences. */
  readonly isUnclaimed?: boolean;
}

/** Reads a document; `undefined` for a text that machines write or read. A refusal looks at a bounded sample. */
export function parseProse(text: string, given: Given): Document | undefined {
  if (!isProse(text, given)) return undefined;
  const lines = indexLines(text);
  return { lines, kinds: kindsOfLines(lines) };
}

/** Votes of the lines of a sample: who writes them, what they look like, their marks, and how often others look or start alike. */
const noVotes = () => ({
  ...{ prose: 0, machine: 0, neutral: 0 },
  ...{ sentences: 0, manual: 0, linked: 0, heads: 0 },
  marks: new Set<string>(),
  shapes: new Map<string, number>(),
  starts: new Starts(),
});

type Votes = ReturnType<typeof noVotes>;

function isProse(text: string, { path, isUnclaimed }: Given): boolean {
  const isNamed = path !== undefined && DOCUMENT_PATH.test(path);
  if (!isNamed && path !== undefined && CODE_PATH.test(path)) return false;
  const lines = indexLines(
    text.length <= HEAD + TAIL
      ? text
      : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`,
  );
  if (blockShare(lines) > 0.4) return false;
  const votes = noVotes();
  let inFence = false;
  for (let i = 0; i < Math.min(lines.count, SAMPLED); i++) {
    const line = headOf(lines, i);
    if (FENCE_LINE.test(line)) {
      inFence = !inFence;
      votes.marks.add("`");
    } else if (line !== "" && !inFence) {
      vote(line, votes, i + 1 < lines.count ? headOf(lines, i + 1) : "");
    }
  }
  return decides(votes, isNamed) &&
    (isNamed || isUnclaimed === true || votes.marks.size > 0 ||
      !votes.starts.areAlike());
}

function decides(votes: Votes, isNamed: boolean): boolean {
  const { prose, machine, sentences, marks, manual } = votes;
  const neutral = votes.neutral * 0.3;
  const all = prose + machine + votes.neutral;
  if (prose === 0) return false;
  if (votes.heads >= 5 && sentences >= 2) return true;
  if (votes.linked >= 0.8 * all) return true;
  const isMarked = marks.size >= 2;
  const share = prose / (prose + machine + neutral);
  if (isNamed) return sentences >= Math.min(1, all) && share >= 0.4;
  if (Math.max(0, ...votes.shapes.values()) >= Math.max(5, 0.5 * all)) {
    return false;
  }
  const least = isMarked || manual >= 5 ? 2 : 3;
  if (sentences < Math.min(least, prose + machine + neutral)) return false;
  if (sentences < (isMarked ? 0.1 : 0.4) * (prose + machine)) return false;
  return share + (isMarked || manual >= 5 ? 0.12 : 0) >= 0.8;
}

function vote(line: string, votes: Votes, next: string): void {
  if (ISSUE_HEAD.test(line)) return void votes.heads++;
  if (GIT.test(line)) return void votes.manual++;
  if (COMMENT.test(line) || (line.startsWith("# ") && next !== "")) {
    return void votes.machine++;
  }
  if (LINKED_ITEM.test(line)) votes.linked++;
  const words = wordsOf(line);
  const isData = DATA.some((each) => each.test(line));
  const reads = words >= 6 && !isData;
  const mark = markOf(line);
  if (mark !== "") votes.marks.add(mark);
  if (MANUAL.test(line)) votes.manual += 2;
  if (reads) votes.sentences++;
  const shape = mark === "" ? shapeOf(line) : "";
  votes.starts.add(line);
  if (shape !== "") {
    votes.shapes.set(shape, (votes.shapes.get(shape) ?? 0) + 1);
  }
  if (reads || (mark !== "" && words >= 1)) votes.prose++;
  else if (isData || MACHINE.some((each) => each.test(line))) votes.machine++;
  else if (words >= 3) votes.prose += 0.3;
  else votes.neutral++;
}

/** The mark of Markdown that a line has; empty for none. */
function markOf(line: string): string {
  if (/^#{1,6} +\S/.test(line)) return "#";
  if (/^\s*(?:[-*+•]|\d{1,3}[.)]) +(?:\[[ xX]\] )?[\p{L}*_`["“(]/u.test(line)) {
    return "-";
  }
  if (line.includes("](") || /^\[[^\]]+\]: \S/.test(line)) return "[";
  if (/\*\*[^*\s][^*]*\*\*/.test(line)) return "*";
  return line.startsWith("> ") ? ">" : "";
}

/** How the first words of a line look, where they hold a digit, a tab or a sign that no sentence starts with; else how it starts, unless it ends like a sentence. */
function shapeOf(line: string): string {
  const start = line.slice(0, 48).replace(/[A-Za-z_.-]+/g, "a").replace(
    /[\d.]+/g,
    "0",
  );
  const tokens = start.split(/(?<=[ \t]) */).slice(0, 3).join("");
  return /[\t\d|[\]{}=<>]|^a ?:/.test(tokens)
    ? tokens.slice(0, 20)
    : /[.!?。]$/.test(line)
    ? ""
    : line.slice(0, 16);
}

/** Share of a sample in fences and tables that are long enough for a compressor of their own. */
function blockShare(lines: Lines): number {
  let inFence = false;
  let long = 0;
  let block = 0;
  for (let i = 0; i < lines.count; i++) {
    const line = headOf(lines, i);
    const isFence = FENCE_LINE.test(line);
    const isBlock = inFence || isFence || TABLE_ROW.test(line);
    if (isFence) inFence = !inFence;
    const before = block;
    block = isBlock ? block + lineStart(lines, i + 1) - lineStart(lines, i) : 0;
    if (block >= LONG_BLOCK) {
      long += before < LONG_BLOCK ? block : block - before;
    }
  }
  return long / Math.max(1, lines.text.length);
}

/** Words of letters, with the marks of sentences beside them; an ideograph counts half a word. */
function wordsOf(line: string): number {
  let words = 0;
  let seen = 0;
  for (let i = 0; i <= line.length; i++) {
    const code = i < line.length ? line.charCodeAt(i) : SPACE;
    if (code > 127) return anyWordsOf(line);
    const sort = SORTS[code]!;
    if (sort !== BLANK_SORT) seen |= sort;
    else {
      if (seen === LETTER_SORT) words++;
      seen = 0;
    }
  }
  return words;
}

function anyWordsOf(line: string): number {
  let words = (line.match(/[\u3040-\u9fff]/g)?.length ?? 0) / 2;
  for (const word of line.split(/\s+/)) {
    if (/[A-Za-zÀ-\u2fff]/.test(word) && !SIGN.test(word)) words++;
  }
  return words;
}

/** Hardly ever in a word of a sentence. */
const SIGN = /[$=&\\<>{}|^~+]/;
const SPACE = 32;
/** What an ASCII character is to a word: a letter, such a sign, a blank, or nothing. */
const LETTER_SORT = 1;
const SIGN_SORT = 2;
const BLANK_SORT = 4;
const SORTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) return LETTER_SORT;
  return SIGN.test(char) ? SIGN_SORT : /\s/.test(char) ? BLANK_SORT : 0;
});
/** Lines of many words that are records of a log, rows of data or code all the same. */
const DATA = [
  /^\s*(?:\d+(?:\t|→|:)|\{|"[^"]*":|\[\s*[{"])|^\S{0,12}(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^[A-Z][a-z]{2} [ \d]\d \d\d:/,
  /^\W{0,3}(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|npm (?:warn|WARN|error|ERR!|notice|http|info|verb|timing))\b|^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\S*[\\/.]\S*:\d+|^[^,\s]+(?:,[^,]*){4,}$|^\S+ +\d[\d.]* +\S+ +\d[\d.:]* /,
  /\S {3,}\S.*\S {3,}\S|\t.*\t/,
  /[;{}]$|^\s*\(|":.*":|^[^.!?`]{1,60}\s=\s/,
];

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
function kindsOfLines(lines: Lines): Uint8Array {
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
  const first = head.slice(indent, indent + 2);
  // A number that a line break made look like the mark of an item.
  const isNumber = before === TEXT && /^[02-9]/.test(first);
  const isWord = isNumber || /^[A-Za-z][^.)]?$/.test(first);
  const isTitle = isWord && !inText && CAPITALS_HEADING.test(head);
  const marked = isTitle
    ? HEADING
    : isWord
    ? undefined
    : markedKind(head, inText);
  if (marked !== undefined) return marked;
  if (indent > 0 && OPTION.test(head)) return ROW;
  const hasColumns = head.includes("    ", indent) || head.includes("\t");
  if (hasColumns && !(inText && indent === 0) && TWO_COLUMNS.test(head)) {
    return ROW;
  }
  const isDeep = indent >= CODE_INDENT &&
    !(inText && indent < indentOf(lines, i - 1) + CODE_INDENT) &&
    !(before === ITEM);
  return isDeep && !SENTENCE.test(head) ? CODE : TEXT;
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

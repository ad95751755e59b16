/** Documents: running text, Markdown, manual pages. Which texts are some, and what each of their lines is. @module */
import type { ContentHint } from "../../core/detector.ts";
import {
  codeAt,
  indexLines,
  lineEnd,
  type Lines,
  lineStart,
} from "../../text/lines.ts";

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
/** A row of a table or of two columns, a rule, front matter, the target of a link. */
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

const FENCE_LINE = /^\s*(?:>\s?)*\s*(`{3,}|~{3,})[^`]*$/;
const MARKED_HEADING = /^ {0,3}#{1,6}(?:\s+\S|$)/;
const LIST_ITEM = /^\s*(?:>\s?)*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+\S/;
const TABLE_ROW = /^\s*[|│┃║].*[|│┃║]$|^\s*[+┌├└╔╠╚][-─═+┬┼┴╦╬╩┐┤┘]/;
const LINKED_ITEM = /^\s*[-*+] +\[[^\]]+\]\([^)\s]*\)/;
const JSON_LINE = /^[[{].*[\]}],?$/;
/** What a command line for issues prints above a text. */
const ISSUE_HEAD =
  /^(?:title|state|author|labels|number|association|milestone):\t/;
const DOCUMENT_PATH = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i;
const CODE_PATH = /\.[a-z]\w{0,8}$/i;
const MANUAL =
  /^(?:#* *(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXAMPLES|COMMANDS)|[Uu]sage:|USAGE:?|Options:|Commands:|Examples?:)/;
const MANUAL_ROW = /^ {1,12}-{1,2}\w|^ +\S+(?: \S+)? {2,}[A-Z]/;
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
/** A key and its value, as configuration has them; `Note: it is so` is none. */
const SETTING =
  /^\s*(?:- )*(?:["']?[\w./-]+["']?\s*(?::|=)(?:\s+[^\s].{0,80}[^.!?]|\s*|\s*[|>][-+]?)|\[[\w."-]+\]|-\s+[\w./:${}"'*@=-]+)$|^\s*"[^"]*"\s*:/;
/** Two words or more before a colon are no key. */
const SENTENCE_START = /^\s*(?:- )*[A-Za-z]+ [a-z]+ /;

/** Reads a document; `undefined` for a text that machines write or read. A refusal looks at a bounded sample. */
export function parseProse(
  text: string,
  hint: ContentHint,
): Document | undefined {
  if (!isProse(text, hint.path)) return undefined;
  const lines = indexLines(text);
  return { lines, kinds: kindsOfLines(lines) };
}

/** Votes of the lines of a sample. */
interface Votes {
  /** Lines that a person writes, that a machine writes, and the others. */
  prose: number;
  machine: number;
  neutral: number;
  /** Lines that read like a sentence, headings of a manual, items that start with a link, heads of comments, keys with values. */
  sentences: number;
  manual: number;
  linked: number;
  heads: number;
  settings: number;
  /** Marks of Markdown that were seen. */
  readonly marks: Set<string>;
  /** How often lines that look no sentence start alike. */
  readonly shapes: Map<string, number>;
}

function isProse(text: string, path: string | undefined): boolean {
  const isNamed = path !== undefined && DOCUMENT_PATH.test(path);
  if (!isNamed && path !== undefined && CODE_PATH.test(path)) return false;
  const lines = indexLines(
    text.length <= HEAD + TAIL
      ? text
      : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`,
  );
  if (blockShare(lines) > 0.4) return false;
  const votes: Votes = {
    ...{ prose: 0, machine: 0, neutral: 0, sentences: 0, manual: 0 },
    ...{ linked: 0, heads: 0, settings: 0 },
    marks: new Set(),
    shapes: new Map(),
  };
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
  return decides(votes, isNamed);
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
  if (votes.settings >= 0.45 * all) return false;
  if (Math.max(0, ...votes.shapes.values()) >= Math.max(5, 0.5 * all)) {
    return false;
  }
  const least = isMarked || manual >= 5 ? 2 : 3;
  if (sentences < Math.min(least, prose + machine + neutral)) return false;
  if (sentences < (isMarked ? 0.1 : 0.4) * (prose + machine)) {
    return manual >= 8 && machine < 0.2 * (prose + votes.neutral);
  }
  return share + (isMarked || manual >= 5 ? 0.12 : 0) >= 0.8;
}

function vote(line: string, votes: Votes, next: string): void {
  if (ISSUE_HEAD.test(line)) {
    votes.heads++;
    return;
  }
  if (GIT.test(line)) {
    votes.manual++;
    return;
  }
  if (LINKED_ITEM.test(line)) votes.linked++;
  if (COMMENT.test(line) || (line.startsWith("# ") && next !== "")) {
    votes.machine++;
    return;
  }
  const words = wordsOf(line);
  const reads = words >= 6 && !isData(line);
  const mark = markOf(line);
  if (mark !== "") votes.marks.add(mark);
  if (MANUAL.test(line)) votes.manual += 2;
  if (reads) votes.sentences++;
  if (SETTING.test(line) && !SENTENCE_START.test(line)) votes.settings++;
  if (mark === "") {
    const shape = shapeOf(line);
    if (shape !== "") {
      votes.shapes.set(shape, (votes.shapes.get(shape) ?? 0) + 1);
    }
  }
  if (reads || (mark !== "" && words >= 1)) votes.prose++;
  else if (MANUAL_ROW.test(line)) {
    votes.manual++;
    votes.neutral++;
  } else if (SETTING.test(line) || MACHINE.some((each) => each.test(line))) {
    votes.machine++;
  } else if (words >= 3) votes.prose += 0.3;
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

/** How the first words of a line look, where they hold a digit, a tab or a sign that no sentence starts with; else empty. */
function shapeOf(line: string): string {
  const start = line.slice(0, 48).replace(/[A-Za-z_.-]+/g, "a").replace(
    /[\d.]+/g,
    "0",
  );
  const tokens = start.split(/(?<=[ \t]) */).slice(0, 3).join("");
  return /[\t\d|[\]{}=<>]|^a ?:/.test(tokens) ? tokens.slice(0, 20) : "";
}

/** Share of a sample in fences, tables and JSON that are long enough for a compressor of their own. */
function blockShare(lines: Lines): number {
  let inFence = false;
  let long = 0;
  let block = 0;
  for (let i = 0; i <= lines.count; i++) {
    const line = i < lines.count ? headOf(lines, i) : "";
    const isFence = FENCE_LINE.test(line);
    // The start and the end of a long line show whether it is JSON.
    const end = lines.text.slice(lineEnd(lines, i) - 2, lineEnd(lines, i));
    const isBlock = i < lines.count && (inFence || isFence ||
      TABLE_ROW.test(line) || JSON_LINE.test(line.slice(0, 1) + end));
    if (isFence) inFence = !inFence;
    if (isBlock) block += lineStart(lines, i + 1) - lineStart(lines, i);
    else {
      if (block >= 400) long += block;
      block = 0;
    }
  }
  return long / Math.max(1, lines.text.length);
}

/** Words of letters, with the marks of sentences beside them; an ideograph counts half a word. */
function wordsOf(line: string): number {
  let words = (line.match(/[\u3040-\u9fff]/g)?.length ?? 0) / 2;
  for (const word of line.split(/\s+/)) {
    if (/[A-Za-zÀ-\u2fff]/.test(word) && !SIGN.test(word)) words++;
  }
  return words;
}

/** Hardly ever in a sentence. */
const SIGN = /[$=&\\<>{}|^~+]/;
const DATED =
  /^\s*(?:\d+(?:\t|→|:)|\{|"[^"]*":|\[\s*[{"])|^\S{0,12}(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^[A-Z][a-z]{2} [ \d]\d \d\d:/;
const LOGGED =
  /^\W{0,3}(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|npm (?:warn|WARN|error|ERR!|notice|http|info|verb|timing))\b|^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\S*[\\/.]\S*:\d+|^[^,\s]+(?:,[^,]*){4,}$|^\S+ +\d[\d.]* +\S+ +\d[\d.:]* /;
const COLUMNS = /\S {3,}\S.*\S {3,}\S|\t.*\t/;

/** Whether a line of many words is a log record, a row of data or code all the same. */
function isData(line: string): boolean {
  if (DATED.test(line) || LOGGED.test(line) || COLUMNS.test(line)) return true;
  const text = line.replace(/`[^`]*`|\]\([^)]*\)|https?:\/\/\S+/g, "");
  const signs = text.match(/[$=&\\<>{}|^~+]/g)?.length ?? 0;
  return signs > 2 + text.length / 60;
}

/** The start of a line, without the blanks behind it. */
export function headOf(lines: Lines, line: number): string {
  const start = lineStart(lines, line);
  return lines.text.slice(start, Math.min(lineEnd(lines, line), start + WIDTH))
    .trimEnd();
}

/** Blanks before a line of code, and lines of a front matter, at most. */
const CODE_INDENT = 4;
const LONGEST_FRONT = 40;

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
const BADGE_ADDRESS = /shields\.io|badge|badgen|travis-ci|codecov|coveralls/;
/** The target of a link, `[label]: address`. */
const TARGET = /^ {0,3}\[[^\]]{1,120}\]:\s+\S+/;
/** An item or a line that only leads to a part of the document. */
const CONTENTS = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]*\]\(#[^)]*\)$/;

/** One kind per line. O(n). */
function kindsOfLines(lines: Lines): Uint8Array {
  const kinds = new Uint8Array(lines.count);
  const unclosed = new Set<string>();
  const front = frontMatter(lines);
  kinds.fill(ROW, 0, front);
  for (let i = front; i < lines.count; i++) {
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
  if (TARGET.test(head)) return BADGE_ADDRESS.test(head) ? CLUTTER : ROW;
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

/** Lines of the front matter: `---`, keys and values, `---`; 0 for none. */
function frontMatter(lines: Lines): number {
  if (!lines.text.startsWith("---\n")) return 0;
  const limit = Math.min(lines.count, LONGEST_FRONT);
  for (let i = 1; i < limit; i++) if (headOf(lines, i) === "---") return i + 1;
  return 0;
}

/** Documents: running text, Markdown, manual pages. Which texts are some. @module */
import type { ContentHint } from "../../core/detector.ts";
import { indexLines, type Lines, lineStart } from "../../text/lines.ts";
import {
  type Document,
  FENCE_LINE,
  headOf,
  kindsOfLines,
} from "./line_kinds.ts";
import { Starts } from "./starts.ts";

/** UTF-16 units looked at, at the start of a text and at its end, and lines of them, to find out what it is. */
const HEAD = 3500;
const TAIL = 500;
const SAMPLED = 64;

/** UTF-16 units of a fence or a table for which another compressor pays. */
const LONG_BLOCK = 400;

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

function isProse(text: string, { path = "", isUnclaimed }: Given): boolean {
  const isNamed = DOCUMENT_PATH.test(path);
  if (!isNamed && CODE_PATH.test(path)) return false;
  const lines = indexLines(
    text.length <= HEAD + TAIL
      ? text
      : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`,
  );
  if (blockShare(lines) > 0.4) return false;
  const votes = votesOf(lines);
  return decides(votes, isNamed) &&
    (isNamed || isUnclaimed === true || votes.marks.size > 0 ||
      !votes.starts.areAlike());
}

function votesOf(lines: Lines): Votes {
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
  return votes;
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
  if (MANUAL.test(line)) votes.manual += 2;
  const mark = markOf(line);
  if (mark !== "") votes.marks.add(mark);
  votes.starts.add(line);
  const shape = mark === "" ? shapeOf(line) : "";
  if (shape !== "") {
    votes.shapes.set(shape, (votes.shapes.get(shape) ?? 0) + 1);
  }
  voteByWords(line, votes, mark !== "");
}

/** Says by the words of a line who wrote it. */
function voteByWords(line: string, votes: Votes, isMarked: boolean): void {
  const words = wordsOf(line);
  const isData = DATA.some((each) => each.test(line));
  const reads = words >= 6 && !isData;
  if (reads) votes.sentences++;
  if (reads || (isMarked && words >= 1)) votes.prose++;
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

/** Is this text written for people: sentences, Markdown, a manual page? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, type Lines } from "../../text/lines.ts";

/** UTF-16 units looked at, at the start of the text and at its end. */
const HEAD = 3500;
const TAIL = 500;
/** Lines looked at. */
const LINES = 64;
/** UTF-16 units looked at of one line. */
const WIDTH = 240;
/** Words of a line that reads like a sentence, and of a short one. */
const WORDS = 6;
const FEW_WORDS = 3;
/** What lines count that are no sentence and no sign of a machine. */
const NEUTRAL = 0.3;

/** Headings, list items, links, quotations: more than one of these kinds makes a text Markdown. */
const MARKS = [
  /^#{1,6} +\S/,
  /^\s*(?:[-*+•]|\d{1,3}[.)]) +(?:\[[ xX]\] )?[\p{L}*_`["“(]/u,
  /\]\([^)\s]+\)|^\[[^\]]+\]: \S/,
  /\*\*[^*\s][^*]*\*\*/,
  /^> /,
  /^\s*(?:```|~~~)/,
];
const FENCE = 5;
/** A row of a table, also one drawn with lines. */
const TABLE = /^\s*[|│┃║].*[|│┃║]$|^\s*[+┌├└╔╠╚][-─═+┬┼┴╦╬╩┐┤┘]/;
/** Share of the characters in long fences, long tables and JSON that leaves too little of a document. */
const MOSTLY = 0.4;
/** UTF-16 units of a block that is worth a compressor of its own. */
const LONG_BLOCK = 400;
/** Share of the lines that are items with a link, in a list of packages. */
const LISTED = 0.8;
const JSON_LINE = /^[[{].*[\]}],?$/;
const LINKED_ITEM = /^\s*[-*+] +\[[^\]]+\]\([^)\s]*\)/;
/** What a command line for issues prints above a text. */
const HEADS = 5;
const ISSUE_HEAD =
  /^(?:title|state|author|labels|number|association|milestone):\t/;
/** A comment of a program. */
const COMMENT = /^\s*(?:\/\/|--\s|;|"""|#[^#\s]|<!)/;
const COMMENT_START = /^\s*\/\*/;
/** A heading, if a blank line follows; else a comment. */
const HASH = /^\s*# /;
const PATH = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i;
const CODE_PATH = /\.[a-z]\w{0,8}$/i;
const MANUAL =
  /^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXAMPLES|COMMANDS|[Uu]sage:|USAGE:?|Options:|Commands:|Examples?:)/;
const MANUAL_ROW = /^ {1,12}-{1,2}\w|^ +\S+(?: \S+)? {2,}[A-Z]/;
const GIT = /^(?:commit [0-9a-f]{7,40}|Author: |Date: +|Merge: |CommitDate: )/;
/** Code, data, logs, listings, search results, stack traces. */
const MACHINE = [
  /[;{}]$/,
  /^\s*(?:import|export|from|def|class|function|const|let|var|return|public|private|fn|impl|use|pub|struct|enum|func|if|for|while|switch|try|static|void|@\w+)\b.*[:(),=]$/,
  /^\s*[\w.'"-]+\s*[=:]\s*[\w'"\[{./-]\S*,?$/,
  /^\s*\d+(?:\t|→|:|\|)|^\S*[\\/.]\S*:\d+/,
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^[A-Z][a-z]{2} [ \d]\d \d\d:/,
  /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|npm|warning|error)\b[\]:|]?[ \t]/,
  /^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\s+at \S+.*[:(]\d+/,
  /^(?:diff --git|@@ |[+-]{3} |[+-]\S)/,
  /^\s*(?:\{|"[^"]*"\s*:|\[\s*(?:[{"\d]|$))/,
  /^[^,\s]+(?:,[^,]*){3,}$|^\S+(?:\t+| {2,})\S+(?:\t+| {2,})\S+/,
  /^[\w.-]*(?:[\\/][\w.@-]+){1,40}[\\/]?$/,
];

/** Share of a bounded sample of lines that are sentences or marks of a document, against those that only machines write. */
export const recogniseProse: Recognise = (text, hint) => {
  const { path } = hint ?? {};
  const isDocument = path !== undefined && PATH.test(path);
  if (!isDocument && path !== undefined && CODE_PATH.test(path)) return 0;
  const sample = text.length <= HEAD + TAIL
    ? text
    : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  const lines = indexLines(sample);
  const votes: Votes = {
    prose: 0,
    machine: 0,
    neutral: 0,
    sentences: 0,
    manual: 0,
    marks: 0,
    linked: 0,
    heads: 0,
  };
  if (blockShare(lines) > MOSTLY) return 0;
  let inFence = false;
  let inComment = false;
  for (let i = 0; i < Math.min(lines.count, LINES); i++) {
    const line = headOf(lines, i);
    if (line === "") continue;
    if (MARKS[FENCE]!.test(line)) {
      inFence = !inFence;
      votes.marks |= 1 << FENCE;
      continue;
    }
    if (inFence) continue;
    inComment ||= COMMENT_START.test(line);
    const next = i + 1 < lines.count ? headOf(lines, i + 1) : "";
    if (inComment || COMMENT.test(line) || (HASH.test(line) && next !== "")) {
      votes.machine++;
    } else vote(line, votes);
    if (line.includes("*/")) inComment = false;
  }
  return confidence(votes, isDocument);
};

/** Share of the characters of a sample in blocks that are long enough for a compressor of their own. */
function blockShare(lines: Lines): number {
  let inFence = false;
  let all = 0;
  let long = 0;
  let block = 0;
  for (let i = 0; i < lines.count; i++) {
    const line = headOf(lines, i);
    const length = lines.starts[i + 1]! - lines.starts[i]!;
    all += length;
    const isFence = MARKS[FENCE]!.test(line);
    // The start and the end of a long line tell whether it is JSON.
    const end = lines.text.slice(
      lines.starts[i + 1]! - 3,
      lines.starts[i + 1]! - 1,
    );
    const isBlock = inFence || isFence || TABLE.test(line) ||
      JSON_LINE.test(line.slice(0, 1) + end);
    if (isFence) inFence = !inFence;
    if (isBlock) block += length;
    if (isBlock && i + 1 < lines.count) continue;
    if (block >= LONG_BLOCK) long += block;
    block = 0;
  }
  return long / Math.max(1, all);
}

interface Votes {
  /** Lines of a document. */
  prose: number;
  /** Lines that only a machine writes or reads. */
  machine: number;
  neutral: number;
  /** Lines that read like a sentence. */
  sentences: number;
  /** Headings and rows of a manual page. */
  manual: number;
  /** Bits of {@linkcode MARKS} that were seen. */
  marks: number;
  /** Items that start with a link. */
  linked: number;
  /** Lines that say who wrote what follows. */
  heads: number;
}

function vote(line: string, votes: Votes): void {
  if (LINKED_ITEM.test(line)) votes.linked++;
  if (ISSUE_HEAD.test(line)) {
    votes.heads++;
    return;
  }
  const words = wordsOf(line);
  const reads = words >= WORDS && !isCode(line);
  if (MANUAL.test(line)) votes.manual += 2;
  const mark = markOf(line);
  if (mark >= 0) votes.marks |= 1 << mark;
  if (reads) votes.sentences++;
  if (reads || (mark >= 0 && words >= 1)) votes.prose++;
  else if (GIT.test(line)) votes.manual++;
  else if (MANUAL_ROW.test(line)) {
    votes.manual++;
    votes.neutral++;
  } else if (MACHINE.some((pattern) => pattern.test(line))) votes.machine++;
  else if (words >= FEW_WORDS) votes.prose += NEUTRAL;
  else votes.neutral++;
}

/** Which of {@linkcode MARKS} a line has; -1 for none. */
function markOf(line: string): number {
  const starts = TYPES[line.trimStart().charCodeAt(0)] !== LETTER;
  if (!starts && !line.includes("](") && !line.includes("**")) return -1;
  return MARKS.findIndex((pattern) => pattern.test(line));
}

function confidence(votes: Votes, isDocument: boolean): number {
  const { prose, machine, neutral, sentences, marks } = votes;
  if (prose === 0) return 0;
  if (votes.heads >= HEADS && sentences >= 2) return 0.85;
  if (votes.linked >= LISTED * (prose + machine + neutral)) return 0.85;
  // Of what a heading, a list and a comment of a script have in common, one alone says little.
  const kinds = [0, 1, 2, 3, 4, 5].filter((bit) => marks & (1 << bit)).length;
  const isMarked = kinds >= 2;
  const least = isDocument ? 1 : isMarked || votes.manual >= 5 ? 2 : 3;
  const others = machine + neutral * NEUTRAL;
  if (sentences < Math.min(least, prose + others)) return 0;
  const share = prose / (prose + machine + neutral * NEUTRAL);
  if (isDocument) return share >= 0.4 ? Math.max(0.9, share) : share;
  if (sentences < (isMarked ? 0.1 : 0.4) * (prose + machine)) {
    return votes.manual >= 8 && machine < 0.2 * (prose + neutral) ? 0.85 : 0;
  }
  return Math.min(1, share + (votes.manual >= 5 || isMarked ? 0.12 : 0));
}

/** The start of a line without the blanks behind it. */
function headOf(lines: Lines, index: number): string {
  const start = lines.starts[index]!;
  const end = Math.min(lines.starts[index + 1]! - 1, start + WIDTH);
  return lines.text.slice(start, end).trimEnd();
}

/** Words of letters, with the marks of sentences beside them; an ideograph counts half a word. */
function wordsOf(line: string): number {
  let words = 0;
  let wide = 0;
  let state = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code >= 128) {
      if (code >= 0x3040 && code <= 0x9fff) wide++;
      else if (code >= 0xc0 && state === 0) state = 1;
      continue;
    }
    const type = TYPES[code]!;
    if (type === BLANK) {
      if (state === 1) words++;
      state = 0;
    } else if (type === LETTER) state ||= 1;
    else if (type === SIGN) state = 2;
  }
  return words + (state === 1 ? 1 : 0) + wide / 2;
}

const BLANK = 1;
const LETTER = 2;
/** Hardly ever in a sentence. */
const SIGN = 3;
const TYPES = new Uint8Array(128).map((_, code) => {
  const char = String.fromCharCode(code);
  if (code <= 32) return BLANK;
  if (/[A-Za-z]/.test(char)) return LETTER;
  return ".,;:!?'\"()[]*_`-/#@0123456789%".includes(char) ? 0 : SIGN;
});

/** Whether a line of many words is code or a row of data all the same. */
function isCode(line: string): boolean {
  const first = TYPES[line.charCodeAt(0)];
  if (first !== LETTER || CAPITAL_OR_COLUMN.test(line)) {
    if (MACHINE_START.test(line)) return true;
  }
  if (line.includes("   ", 1) && GAPS.test(line)) return true;
  if (signsOf(line) <= 2 + line.length / 60) return false;
  const text = line.replace(/`[^`]*`|\]\([^)]*\)|https?:\/\/\S+/g, "");
  return signsOf(text) > 2 + text.length / 60;
}

function signsOf(line: string): number {
  let signs = 0;
  for (let i = 0; i < line.length; i++) {
    if (TYPES[line.charCodeAt(i)] === SIGN) signs++;
  }
  return signs;
}

/** Columns of a table. */
const GAPS = /\S {3,}\S.*\S {3,}\S/;
/** A log level, a date, a path, a row with numbers, values with commas. */
const CAPITAL_OR_COLUMN =
  /^(?:[A-Z]{4}|[A-Z][a-z]{2} |npm |[^\s,]*[\\/.,:]|\S+ +\d)/;
/** A log line or a row of a listing that ends in words. */
const MACHINE_START =
  /^\s*(?:\d+(?:\t|→|:)|\{|"[^"]*":|\[\s*[{"])|^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^[A-Z][a-z]{2} [ \d]\d \d\d:|^\W{0,3}(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|npm (?:warn|WARN|error|ERR!|notice|http|info|verb|timing))\b|^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\S*[\\/.]\S*:\d+|^[^,\s]+(?:,[^,]*){4,}$|^\S+ +\d[\d.]* +\S+ +\d[\d.:]* /;

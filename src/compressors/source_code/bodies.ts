/** Bodies of functions: which ones the question asks for, what stays of the others, and the notes on those that go. @module */
import type { Gap, Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { lineNote, notesIn, rangeText } from "../../engine/note.ts";
import {
  codeAt,
  endsWithNewline,
  keyAt,
  lineLength,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import {
  bestLines,
  queryTerms,
  stemOf,
  wordForms,
} from "../../text/relevance.ts";
import { type Blocks, BODY } from "./blocks.ts";
import { DOCSTRING } from "./comments.ts";
import { CODE, COMMENT, startOf } from "./layout.ts";

/** What is known of each line so far, as the engine takes it. */
export type Weighed = Pick<Required<Units>, "weights" | "bundles">;

/** Weights of what stays while there is room. */
const ONE_LINE = 120;
const BRANCH = 50;

/** A function of so many lines that is so much of the text is what the text is about. */
const MAIN_LINES = 30;
const MAIN_SHARE = 0.6;

const LEAVING = /^(?:return|throw|raise)\b/;
const RECEIVER = /^func\s*\([^)]*\)/;
/** The name of a function: the last word before its first bracket, or what a function is assigned to. */
const NAME =
  /([\w$]+)\s*(?:<[^(]*>)?\s*(?:[=:]\s*(?:async\s*)?(?:function\b.*|<[^(]*>)?)?\(|^(?:[\w$]+\s+)*?([\w$]+)\s*(?::(?!:)|\{)/;

/** Lines of bodies that stay while there is room, and the bodies that are asked for. */
export function weighBodies(
  blocks: Blocks,
  { weights, bundles }: Weighed,
  asked: Pick<Asked, "isNamed">,
): void {
  const { layout: { lines }, functions, zones } = blocks;
  for (const [line, kind] of functions.entries()) {
    if (kind !== BODY || zones[line] === BODY) continue;
    const { from, to } = bodyOf(blocks, line);
    const length = to - from;
    if (asked.isNamed(nameOf(blocks, line))) weights.fill(STAYS, from, to);
    else if (length === 1) {
      weights[from] = ONE_LINE;
      bundles[from] = from + 1;
    } else if (length >= MAIN_LINES && length >= MAIN_SHARE * lines.count) {
      weighMain(blocks, weights, { from, to });
    }
  }
}

/** Lines of the body of the function that begins on `line`. */
function bodyOf(
  { layout: { lines, roles }, signatures, ends }: Blocks,
  line: number,
): Gap {
  const last = keyAt(ends, line);
  let from = Math.min(last, Math.max(line, keyAt(signatures, line)) + 1);
  if (roles[from] === COMMENT && DOCSTRING.test(startOf(lines, from))) {
    while (from < last && roles[from] === COMMENT) from++;
  }
  return { from, to: last + 1 };
}

function nameOf({ layout: { lines }, heads }: Blocks, line: number): string {
  const head = startOf(lines, keyAt(heads, line)).replace(RECEIVER, "");
  const found = NAME.exec(head);
  return found?.[1] ?? found?.[2] ?? "";
}

/** Of a function that is most of the text, what branches and leaves, the outermost first. */
function weighMain(
  { layout: { lines, roles, indents }, heads, ends }: Blocks,
  weights: Uint8Array,
  { from, to }: Gap,
): void {
  for (let line = from; line < to; line++) {
    const says = keyAt(ends, line) > line || heads[line] !== line ||
      LEAVING.test(startOf(lines, line));
    if (roles[line] !== CODE || !says) continue;
    weights[line] = Math.max(1, BRANCH - offsetAt(indents, line));
  }
}

/** What notes on bodies say. */
export interface Said {
  /** Number of the first line of the text. */
  readonly firstLine: number;
  /** Words for what a body holds. */
  readonly label: (body: Gap) => string;
}

/** UTF-16 units of a body that is worth a note, indentation left out. */
const LEAST_SIZE = 35;
/** The end of a function and nothing else. */
const CLOSER = /^(?:[)\]}]+[;,]?|end)$/;

/** Finds the bodies of which all lines go or none; changes the weights of what closes them. O(text). */
export function shutBodies(
  blocks: Blocks,
  weighed: Weighed,
  { firstLine, label }: Said,
): Pick<Units, "told" | "write"> {
  const { layout: { lines }, functions, zones } = blocks;
  // Notes of an earlier compression stay, and lines of a body with them.
  if (notesIn(lines.text).length > 0) return {};
  const told = new Uint8Array(lines.count);
  const bodies = new Map<number, Gap>();
  for (const [line, kind] of functions.entries()) {
    if (kind !== BODY || zones[line] === BODY) continue;
    const body = shutBody(blocks, weighed, line);
    if (body === undefined) continue;
    told.fill(1, body.from, body.to);
    bodies.set(body.from - 1, body);
  }
  const write = (line: number, kept?: Uint8Array) => {
    const body = bodies.get(line);
    if (body === undefined || kept === undefined) return undefined;
    const gaps = gapsOf(body, kept);
    const end = gaps.at(-1)?.to;
    if (end === undefined) return undefined;
    const missing = gaps.map(({ from, to }) =>
      rangeText({ first: firstLine + from, last: firstLine + to - 1 })
    ).join(", ");
    const last = startOf(lines, body.to - 1);
    const closer = end === body.to && CLOSER.test(last) ? ` ${last}` : "";
    const [from, to] = [lineStart(lines, line), lineStart(lines, line + 1)];
    const whole = lines.text.slice(from, to);
    const head = whole.trimEnd();
    const isCut = end === lines.count && !endsWithNewline(lines);
    const newline = isCut ? "" : whole.slice(head.length);
    return `${head} ${lineNote(missing, label(body))}${closer}${newline}`;
  };
  return { told, write };
}

/** What of a body is left out: nearly always all of it. A gap that goes on behind the body has a note of its own. */
function gapsOf({ from, to }: Gap, kept: Uint8Array): Gap[] {
  const gaps: Gap[] = [];
  for (let at = from; at < to; at++) {
    if (kept[at] === 1) continue;
    let end = at + 1;
    while (kept[end] === 0) end++;
    if (end <= to) gaps.push({ from: at, to: end });
    at = end;
  }
  return gaps;
}

/** Lines of a body and what closes it, where all of them go or none and a note pays. */
function shutBody(
  blocks: Blocks,
  { weights, bundles }: Weighed,
  line: number,
): Gap | undefined {
  const { layout: { lines, roles, indents } } = blocks;
  const { from, to: behind } = bodyOf(blocks, line);
  if (roles[from - 1] !== CODE || weights[from - 1] !== STAYS) return undefined;
  const weight = codeAt(weights, from);
  const bundle = keyAt(bundles, from);
  if (weight === STAYS || (weight > 0 && bundle === 0)) return undefined;
  for (let at = from; at < behind; at++) {
    if (weights[at] !== weight || bundles[at] !== bundle) return undefined;
  }
  const isClosed = roles[behind] === CODE &&
    CLOSER.test(startOf(lines, behind));
  const to = isClosed ? behind + 1 : behind;
  let size = 0;
  for (let at = from; at < to && size < LEAST_SIZE; at++) {
    size += lineLength(lines, at) - offsetAt(indents, at);
  }
  if (size < LEAST_SIZE) return undefined;
  weights.fill(weight, from, to);
  bundles.fill(bundle, from, to);
  return { from, to };
}

/** What is asked for. */
export interface Asked {
  /** Whether the question has a name in it, or all words of it, in any form. */
  readonly isNamed: (name: string) => boolean;
  /** Lines that fit the question clearly better than others. */
  readonly lines: readonly number[];
  /** Lines that report or handle errors, where the question is about them. */
  readonly failures: readonly number[];
}

/** Lines that are asked for at most. */
const MOST_HITS = 6;
/** Least score of a line that is asked for: a word in every tenth line does not reach it. */
const CLEAR_SCORE = 2.5;
/** Lines on errors that are looked at. */
const MOST_FAILURES = 200;
/** A line must score this share of the best one. */
const NEAR_BEST = 0.6;
/** A name of only small letters this short is more likely a word. */
const SHORT_WORD = 4;
/** Words that a name must have, all of them in the question, where it is not there itself. */
const LEAST_PARTS = 2;
/** A question about errors; words of code that reports or handles them. */
const ABOUT_ERRORS =
  /\b(?:thr[eo]w|catch|caught|rais(?:e|ing)|rescue|exception|error|fail|crash|panic|retr(?:y|ies|ied))/i;
const ON_ERROR = "catch except rescue throw raise fail retry panic".split(" ");
/** Where the text came from: files and folders, and the keys of arguments. They name no part of it. */
const ORIGIN = new RegExp(
  [
    /"\w+":/,
    // Each starts where a word does, so that a long word is read once.
    /(?<![^\s"'`(),;|<>])[^\s"'`(),;|<>]*[\w-]\.(?:c|cc|cpp|cs|cxx|go|h|hh|hpp|java|jsx?|json|md|[cm]?[jt]s|pyi?|rb|rs|toml|tsx|txt|ya?ml)\b(?!\()/,
    /(?<![\w.-])(?:~|\.{0,2})\/[\w./-]+/,
    /(?<![\w./-])[\w.-]+\/[\w.-]+\/[\w./-]+/,
  ].map(({ source }) => source).join("|"),
  "g",
);

/** Finds what `query` asks for. O(text). */
export function askedOf(lines: Lines, query: string): Asked {
  const question = query.replace(ORIGIN, " ");
  const terms = queryTerms(question);
  // A word that is in the text is looked for as it is.
  const text = lines.text.toLowerCase();
  const forms = terms.map((term) =>
    text.includes(term) ? term : wordForms(term)
  );
  const hits = bestLines(lines, forms, MOST_HITS);
  const least = Math.max(CLEAR_SCORE, NEAR_BEST * (hits[0]?.score ?? 0));
  const names = namesIn(question);
  const words = new Set(terms.map(stemOf));
  const failing = ABOUT_ERRORS.test(question)
    ? bestLines(lines, [ON_ERROR.flatMap(wordForms)], MOST_FAILURES)
    : [];
  return {
    isNamed(name) {
      const stem = stemOf(name);
      const isOne = stem.length >= SHORT_WORD && names.has(stem);
      if (names.has(name) || isOne) return true;
      const parts = words.size === 0 ? [] : queryTerms(name);
      return parts.length >= LEAST_PARTS &&
        parts.every((part) => words.has(stemOf(part)));
    },
    lines: hits.filter(({ score }) => score >= least).map(({ line }) => line),
    failures: failing.map(({ line }) => line),
  };
}

function namesIn(question: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: name, index } of question.matchAll(/[A-Za-z_$][\w$]+/g)) {
    const isWord = name.length <= SHORT_WORD && /^[a-z]+$/.test(name);
    // `run` may be any word; `run()`, `.run` and `` `run` `` are names.
    const isMarked = question.charAt(index + name.length) === "(" ||
      /[.:>`"/]/.test(question.charAt(index - 1));
    if (!isWord || isMarked) names.add(name).add(stemOf(name));
  }
  return names;
}

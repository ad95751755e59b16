/** Is this text the output of a build, a test run or a service? @module */
import { countsOf } from "../../text/counts.ts";
import { FIELD } from "../../text/line_fields.ts";
import {
  type Field,
  FieldMemo,
  learnShapes,
  readStart,
  startOf,
  type StartShapes,
} from "../../text/line_start.ts";
import { codesOf, indexLines, keyAt, lineHeads } from "../../text/lines.ts";
import { coarseShape, looseShapes } from "../../text/similarity.ts";
import { matches } from "../../text/sticky.ts";
import { isToolEnd, toolLinesOf } from "./tool_lines.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 30;
/** UTF-16 units looked at of one line. */
const WIDTH = 300;
/** Lines at each end where the first or last words of a known tool stand. */
const EDGE = 25;
/** Lines that there must be. */
const LEAST = 3;
/** Confidence with such words; without them it grows with the share of log lines. */
const SIGNED = 0.92;
/** Share of log lines below which such words are only a part of something else, and share needed without them. */
const SIGNED_SHARE = 0.15;
const UNSIGNED_SHARE = 0.4;
/** Share of lines of code, documents and data that may be among them, with such words and without. */
const SIGNED_OTHERS = 0.35;
const UNSIGNED_OTHERS = 0.25;
/** Of so many lines every fourth is looked at first; the share of them that may be lines of a log. */
const FEW = 40;
const EVERY = 4;
const HOPE = 0.2;
/** Lines of which each must be like others, in how many lines, their share, and the share of data and code beside them. */
const LEAST_ALIKE = 12;
const ALIKE = 3;
const ALIKE_SHARE = 0.7;
const ALIKE_OTHERS = 0.2;
/** Lines from which is learnt how lines begin. */
const LEARNT = 45;
/** Lines that sources alone must begin, their share of all lines, and how many lines each stands before. */
const NAMED = 5;
const NAMED_SHARE = 0.6;
const LINES_PER_SOURCE = 4;

/** A code fence, the rule of a table, or a heading of columns: a document that quotes a log, or a listing. */
const DOCUMENT =
  /^(?:```|~~~[ \t]*\S*$|\|(?: *:?-+:? *\|)+ *$| ?-+(?:\+-+)+$|diff --git |@@ -\d|[A-Z][A-Z%/()]*(?: +[A-Z][A-Z%/()]*){3,} *$)/;
/** Lines of documents and data. */
const DATA =
  /^\s*(?:[\w-]+: \S+$|#{1,6} \S|[-*] \S|```|\d+(?:\. \S|\t|→|\|)|>+ \S|[{}\]"]|\[(?![^[\]]{1,80}\][ \t\w[]))|^[^\s,]+,[^\s,]*,[^\s,]*(?:,|$)|^\|.*\|$|^<(?!\d+>)|^[-dlbcps](?:[r-][w-][xsStT-]){3}/;
/** Lines of listings, annotated files and numbered text, which may hold times. */
const LISTED =
  /^[-dlbcps](?:[r-][w-][xsStT-]){3}|^\^?[0-9a-f]{7,40} .{0,80}\(|^\s*\d+ *(?:\t|→|\|)|^[A-Za-z_./][^\s:]*\.[A-Za-z]\w{0,9}:\d+:(?! )/;
const CODE =
  /^\s*(?:(?:import|export|from|def|class|function|const|let|var|return|public|private|protected|package|fn|impl|use|pub|struct|enum|func|#include|#define|if|for|while|else|elif|try|except)\b|\/\/|\/\*|\* |#!)|[;{}]$/;
/** What a line may begin a log with: a time, a word in capitals, a bracket or a bar. */
const MAY_BEGIN =
  /^.{0,90}?\d[:.]?\d\d[:.]?\d|^.{0,90}?(?:[A-Z]{4}|level=|lvl=)|^.{0,40}?(?:\[[\w/]|\||\( *\d)|^[\w.-]{0,60}[@/][\w@./-]{1,80}(?: [\w:-]{1,40})?[:$] /;
const IDS = /[\da-f]{6,}|\d+/g;
/** Two words, or one that is no path: what stands behind a time in a log. */
const MESSAGE =
  /(?!\d+ +\S*[/.]\S*$)(?=.{0,80}[A-Za-z]{2})[^\s,;]\S*[ \t]+\S|[A-Za-z][^\s,;/]*$/y;
/** Two words beside each other. */
const WORDS = /[A-Za-z]{2}[:,]? [A-Za-z]{2}/;
/** Three words of a sentence, in which names alone may differ. */
const SENTENCE = /(?:[A-Za-z]{2,40}[:,]? ){2}[A-Za-z]{2}/;
/** No check box, no number. */
const SOURCE_NAME = /^[^A-Za-z]*[A-Za-z][\w./@-]/;
/** Three words: what stands behind a source in a log. */
const LONG_MESSAGE = /\S+[ \t]+\S+[ \t]+\S/y;
// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g;

/** How sure it is that a text is a log, and how its lines begin. */
export interface Recognised {
  /** From 0 to 1. */
  readonly confidence: number;
  /** Learnt from a sample of the lines. */
  readonly shapes: StartShapes;
}

const NONE: Recognised = { confidence: 0, shapes: new Map() };

/** Weighs the lines of a bounded sample that only a log would hold against those of code, documents or data. O(1). */
export function readLog(text: string): Recognised {
  const lines = lineHeads(text, SAMPLE, WIDTH);
  if (lines.some((line) => DOCUMENT.test(line))) return NONE;
  const heads = lines.map((line) =>
    (line.includes("\x1b") ? line.replace(COLOUR, "") : line).trimEnd()
  );
  const isSigned = heads.some((head, i) =>
    (i < EDGE || i >= heads.length - EDGE) && isToolEnd(head)
  );
  const whole = heads.join("\n");
  const isToolLine = toolLinesOf(whole);
  if (!isSigned && !isHopeful(heads, isToolLine)) return NONE;
  const { begun, shapes } = beginningsOf(heads, whole);
  let logs = 0;
  let others = 0;
  let seen = 0;
  heads.forEach((head, i) => {
    if (head === "") return;
    seen++;
    if (begun.has(i) || isToolLine(head)) logs++;
    else others += otherness(head);
  });
  return { confidence: confidenceOf({ isSigned, seen, logs, others }), shapes };
}

/**
 * Whether most of a sample of lines say the same as others but for numbers and ids, in sentences also but for names, one
 * right below the other: a log in whatever form. O(1).
 */
export function isRepeated(text: string): boolean {
  const heads = lineHeads(text, SAMPLE, WIDTH);
  if (heads.length < LEAST_ALIKE) return false;
  if (heads.some((head) => DOCUMENT.test(head))) return false;
  const lines = indexLines(heads.join("\n"));
  const isSame = oftenIn(looseShapes(lines));
  const isSimilar = oftenIn(
    Int32Array.from(heads, (_, i) => coarseShape(lines, i)),
  );
  const alike = new Set<string>();
  let repeated = 0;
  let others = 0;
  for (const [i, head] of heads.entries()) {
    const other = head.trim() === "" ? 1 : otherness(head);
    others += other;
    const isAlike = isSame(i) || (isSimilar(i) && SENTENCE.test(head));
    if (other === 1 || !isAlike || !WORDS.test(head)) continue;
    repeated++;
    alike.add(head);
  }
  return repeated >= ALIKE_SHARE * heads.length &&
    others <= ALIKE_OTHERS * heads.length && 2 * alike.size >= repeated;
}

/** Tells of the lines whose shape comes often. */
function oftenIn(shapes: Int32Array): (line: number) => boolean {
  const times = countsOf(shapes);
  return (line) => (times.get(keyAt(shapes, line)) ?? 0) >= ALIKE;
}

/** 1 for a line of documents or data, a half for one of code. */
function otherness(head: string): number {
  return DATA.test(head) ? 1 : CODE.test(head) ? 0.5 : 0;
}

function confidenceOf(
  { isSigned, seen, logs, others }: {
    isSigned: boolean;
    seen: number;
    logs: number;
    others: number;
  },
): number {
  if (seen < LEAST) return 0;
  const share = logs / seen;
  const against = others / seen;
  if (isSigned && share >= SIGNED_SHARE && against <= SIGNED_OTHERS) {
    return SIGNED;
  }
  if (share < UNSIGNED_SHARE) return 0;
  if (against > UNSIGNED_OTHERS || against * 2 > share) return share * 0.5;
  return Math.min(1, 0.5 + share * 0.75);
}

/** Whether a share of a few lines may be lines of a log. */
function isHopeful(
  heads: readonly string[],
  isToolLine: (line: string) => boolean,
): boolean {
  const step = heads.length < FEW ? 1 : EVERY;
  let seen = 0;
  let logs = 0;
  for (let i = 0; i < heads.length; i += step) {
    const head = heads[i] ?? "";
    if (head === "") continue;
    seen++;
    if (MAY_BEGIN.test(head) || isToolLine(head)) logs++;
  }
  return logs >= HOPE * seen;
}

/** Which lines begin as many others do, with a time or a level; or with a source that stands before several lines. */
function beginningsOf(
  heads: readonly string[],
  whole: string,
): { readonly begun: ReadonlySet<number>; readonly shapes: StartShapes } {
  const mayBegin = heads.map((head) =>
    MAY_BEGIN.test(head) && !LISTED.test(head)
  );
  const memo = new FieldMemo(codesOf(whole));
  let end = -1;
  const places = heads.map(({ length }) => ({
    from: end + 1,
    to: end += length + 1,
  }));
  const step = Math.max(1, Math.floor(heads.length / LEARNT));
  const sample = places.filter((_, i) => i % step === 0);
  const shapes = learnShapes(
    sample.map((line, i) =>
      mayBegin[i * step] ? readStart(whole, line, { memo }) : []
    ),
    sample.filter(({ from, to }) => to > from).length,
  );
  const begun = new Set<number>();
  if (shapes.size === 0) return { begun, shapes };
  const sources = new Sources();
  for (const [i, line] of places.entries()) {
    if (!mayBegin[i]) continue;
    const fields = startOf(readStart(whole, line, { shapes, memo }), shapes);
    const last = fields.at(-1);
    if (last === undefined) continue;
    if (fields.some(({ kind }) => kind <= FIELD.level)) {
      const says = fields.some(({ kind }) => saysMore(kind));
      if (says || matches(MESSAGE, heads[i] ?? "", last.end - line.from)) {
        begun.add(i);
      }
    } else sources.add(i, whole, fields);
  }
  const filled = heads.filter((head) => head !== "").length;
  const named = sources.linesOf(filled);
  return { begun: new Set([...begun, ...named]), shapes };
}

/** Lines that begin with the name of a source, and the names. */
class Sources {
  readonly #lines = new Set<number>();
  readonly #names = new Set<string>();
  /** Lines with more than a word behind the name. */
  #long = 0;

  /** Takes a line that may begin with one. */
  add(i: number, whole: string, [first]: readonly Field[]): void {
    const isName = first?.kind === FIELD.source ||
      first?.kind === FIELD.bracket;
    const source = isName ? whole.slice(first.start, first.end) : "";
    if (!isName || !SOURCE_NAME.test(source)) return;
    this.#names.add(source.replace(IDS, "0"));
    this.#lines.add(i);
    if (matches(LONG_MESSAGE, whole, first.end)) this.#long++;
  }

  /** The lines, where each name stands before several and most say something; none otherwise. @param filled Lines that are not blank. */
  linesOf(filled: number): ReadonlySet<number> {
    const { size } = this.#lines;
    const areSources = size >= Math.max(NAMED, NAMED_SHARE * filled) &&
      this.#names.size * LINES_PER_SOURCE <= size && 2 * this.#long >= size;
    return areSources ? this.#lines : new Set();
  }
}

/** Whether a field stands in no listing of times and numbers. */
function saysMore(kind: number): boolean {
  return kind > FIELD.time && kind <= FIELD.bracket;
}

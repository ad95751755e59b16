/** Which rows of search results stay: what fails or is unusual, what answers the question, then some of each file. @module */
import type { Units } from "../../core/kind.ts";
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  indexLines,
  keyAt,
  lineEnd,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import { windowsOf } from "../../engine/windows.ts";
import { headingsOf, rootNote, writtenLine } from "./fold.ts";
import { CONTEXT, HEADING, MATCH, OTHER, type SearchView } from "./parse.ts";

/** If more than this share of the rows speaks of failures, that is what was searched for; so many of them stay. */
const SEARCHED_SHARE = 0.3;
const MOST_FAILING = 16;
/** Weights of matches, and what one loses that differs from an earlier one in its numbers only. */
const FAILS = 230;
const DECLARES = 200;
const USES = 190;
const IMPORTS = 140;
const ALIKE = 60;
/** Weights of context, which comes after all matches: what a match is in, and the lines beside it. */
const ENCLOSES = 36;
const NEAREST = 31;
/** A longer row is cut, in UTF-16 units. */
const LONG_ROW = 400;
/** UTF-16 units by which rows are compared. */
const WIDTH = 200;
/** Share of the text beside what stays: `SHARE / sqrt(tokens)`, less what stays, within limits. */
const SHARE = 10;
const STAYS_SHARE = 0.5;
const MOST_SHARE = 0.4;
const LEAST_SHARE = 0.01;
/** A line that declares something, in the usual languages. */
const DECLARATION =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|pub(?:\(\w+\))?|unsafe|extern|inline|open|data) +)*(?:function\*?|class|interface|type|enum|struct|trait|union|namespace|module|record|object|def|fn|func(?: \([^)]*\))?|fun|mod|macro_rules!|#define|CREATE (?:TABLE|VIEW|INDEX|FUNCTION)) +[A-Za-z_$]/i;
/** A line that imports, or is nothing but a comment. */
const IMPORT =
  /^(?:import\b|from +\S+ +import\b|use +[\w:{]|#include\b|require\b|export +(?:\*|\{[^}]*\}) +from\b|using +[\w.]+;|\/\/|\/\*|\* |#(?!define|include)|<!--|\}? *from +["'])/;
const OPEN = 91;
const CLOSE = 93;

/** Cuts a result into rows, each below what is written of its path. O(n). */
export function searchUnits(view: SearchView, query: string): Units {
  const { lines, layout, forms, numbers, files } = view;
  const isCounts = layout === "counts";
  const weights = isCounts
    ? forms.map((_, line) => numbers[line] === 0 ? 0 : STAYS)
    : weightsOf(view, query);
  const headings = headingsOf(view);
  const list = new UnitList();
  if (headings.root !== "") {
    list.add(0, rootNote(headings.root), { weight: STAYS });
  }
  const terms = queryTerms(query);
  let directory = -1;
  let file = -1;
  for (let line = 0; line < lines.count; line++) {
    const start = lineStart(lines, line);
    const above = headings.directories.get(line);
    const name = headings.names.get(line);
    if (above !== undefined) directory = list.add(start, `${above}\n`);
    if (name !== undefined) {
      file = /[/\\]/.test(name) ? -1 : directory;
      if (!isCounts) file = list.add(start, `${name}\n`, { parent: file });
    }
    if (forms[line] === OTHER || forms[line] === HEADING) file = -1;
    const traits = {
      weight: codeAt(weights, line),
      parent: file,
      group: offsetAt(files, line),
    };
    const written = writtenLine(view, headings, line);
    if (written.length > LONG_ROW && forms[line] !== OTHER) {
      addLong(list, view, { line, traits, terms });
    } else {
      const unit = list.add(start, written, traits);
      if (forms[line] === HEADING) file = unit;
    }
  }
  return list.units(lines.text);
}

/** Weights of the lines. */
function weightsOf(view: SearchView, query: string): Uint8Array {
  const { lines, forms } = view;
  const said = saidLines(view);
  const shapes = shapesOf(said);
  const weights = new Uint8Array(lines.count);
  const seen = new Set<number>();
  for (const [line, form] of forms.entries()) {
    const start = lineStart(said, line);
    const end = Math.min(lineEnd(said, line), start + WIDTH);
    const text = said.text.slice(start, end).trim();
    if (form === MATCH) {
      const shape = keyAt(shapes, line);
      weights[line] = weightOf(text) - (seen.has(shape) ? ALIKE : 0);
      seen.add(shape);
    } else if (form === CONTEXT) {
      weights[line] = contextWeight(view, line, text);
    } else if (form === OTHER && text !== "") weights[line] = STAYS;
  }
  const mayAnswer = (line: number) => forms[line] === MATCH;
  keepAnswers(lines, { query, groups: shapes, mayAnswer }, weights);
  keepFailures(view, { said, shapes }, weights);
  for (const { line } of standouts(said)) {
    if (isRow(view, line)) weights[line] = STAYS;
  }
  return weights;
}

function weightOf(text: string): number {
  if (IMPORT.test(text)) return IMPORTS;
  return DECLARATION.test(text) ? DECLARES : USES;
}

function contextWeight(
  { forms, lines, bodies, numbers }: SearchView,
  line: number,
  text: string,
): number {
  // `git grep -p` prints the line of the function behind an equals sign.
  const sign = offsetAt(bodies, line) + String(numbers[line]).length;
  if (lines.text[sign] === "=" || DECLARATION.test(text)) return ENCLOSES;
  const isNear = forms[line - 1] === MATCH || forms[line + 1] === MATCH;
  return isNear && text.length > 2 ? NEAREST : 0;
}

function isRow({ forms }: SearchView, line: number): boolean {
  return forms[line] === MATCH || forms[line] === CONTEXT;
}

/** The lines without paths and numbers, which say nothing about what fails. */
function saidLines(view: SearchView): Lines {
  const { lines, bodies } = view;
  const parts: string[] = [];
  for (const [line, body] of bodies.entries()) {
    let at = body;
    if (isRow(view, line)) {
      while (codeAt(lines.codes, at) < 58 && codeAt(lines.codes, at) > 47) at++;
      at++;
    }
    parts.push(lines.text.slice(at, lineStart(lines, line + 1)));
  }
  return indexLines(parts.join(""));
}

/** Hash of each line without its numbers and what is in brackets. */
function shapesOf(said: Lines): Int32Array {
  const { codes, count } = said;
  const shapes = new Int32Array(count);
  for (let line = 0; line < count; line++) {
    const start = lineStart(said, line);
    const end = Math.min(lineEnd(said, line), start + WIDTH);
    let hash = 1;
    let isInside = false;
    for (let at = start; at < end; at++) {
      const code = codeAt(codes, at);
      isInside = code === OPEN || (isInside && code !== CLOSE);
      const isDigit = code >= 48 && code <= 57;
      if (!isInside && !isDigit) hash = Math.imul(hash ^ code, 0x01000193);
    }
    shapes[line] = hash;
  }
  return shapes;
}

/** Of failures that differ in their numbers only the first and the last stay. */
function keepFailures(
  view: SearchView,
  { said, shapes }: { readonly said: Lines; readonly shapes: Int32Array },
  weights: Uint8Array,
): void {
  const flags = severities(said);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  let failing = 0;
  let rows = 0;
  for (let line = 0; line < said.count; line++) {
    if (!isRow(view, line)) continue;
    rows++;
    if ((codeAt(flags, line) & ERROR) === 0) continue;
    failing++;
    const shape = keyAt(shapes, line);
    if (!first.has(shape)) first.set(shape, line);
    last.set(shape, line);
  }
  const isSearched = failing > Math.max(3, SEARCHED_SHARE * rows);
  let left = isSearched ? MOST_FAILING : failing;
  for (const line of new Set([...first.values(), ...last.values()])) {
    weights[line] = left-- > 0 ? STAYS : FAILS;
  }
}

/** What is known of a unit besides its place. */
interface Traits {
  readonly weight?: number;
  readonly parent?: number;
  readonly group?: number;
}

class UnitList {
  readonly #starts: number[] = [];
  readonly #weights: number[] = [];
  readonly #parents: number[] = [];
  readonly #groups: number[] = [];
  readonly #written: string[] = [];
  #stays = 0;

  /** Adds what is written from `start` on; returns its index. */
  add(
    start: number,
    written: string,
    { weight = 0, parent = -1, group = 0 }: Traits = {},
  ): number {
    this.#starts.push(start);
    this.#weights.push(weight);
    this.#parents.push(parent);
    this.#groups.push(group);
    if (weight === STAYS) this.#stays += written.length;
    return this.#written.push(written) - 1;
  }

  units(text: string): Units {
    this.#starts.push(text.length);
    const written = this.#written;
    const share = SHARE / Math.sqrt(Math.max(1, text.length / 4)) -
      STAYS_SHARE * this.#stays / text.length;
    return {
      starts: Uint32Array.from(this.#starts),
      weights: Uint8Array.from(this.#weights),
      parents: Int32Array.from(this.#parents),
      groups: Int32Array.from(this.#groups),
      share: Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share)),
      write: (unit) => written[unit] ?? "",
    };
  }
}

/** Adds a row of which only the ends stay, what the question names and what reports a failure. */
function addLong(
  list: UnitList,
  { lines, bodies }: SearchView,
  { line, traits, terms }: {
    readonly line: number;
    readonly traits: Traits;
    readonly terms: readonly string[];
  },
): void {
  const span = { start: offsetAt(bodies, line), end: lineEnd(lines, line) };
  const windows = windowsOf(lines.codes, span, terms);
  let parent: number | undefined;
  let at = lineStart(lines, line);
  let from = span.start;
  for (const { start, end } of windows) {
    if (parent !== undefined) {
      list.add(at, lines.text.slice(from, start), { parent });
      at = from = start;
    }
    const to = end === span.end ? lineStart(lines, line + 1) : end;
    const written = lines.text.slice(from, to);
    const own = parent === undefined ? traits : { ...traits, parent };
    parent ??= list.add(at, written, own);
    if (own !== traits) list.add(at, written, own);
    at = from = to;
  }
}

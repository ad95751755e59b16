/** What matters in a JSON text: failures, answers, what stands out of a column; and what never does. @module */
import { STAYS } from "../../engine/choose.ts";
import { notesIn } from "../../engine/note.ts";
import { NUMBER, STRING, type Tape } from "../../text/json/tape.ts";
import { codesOf } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import {
  outliersOf,
  spreadOf,
  type Standout,
  weightiest,
} from "../../text/series.ts";
import type { Column, Grid } from "./grid.ts";

/** Words of failures, and members that report one by key and value. */
const FAILURE =
  /error|fail(?:ed|ure|ing)|exception|critical|fatal|crash|panic|abort|time(?:d[ -]?)?out|denied|rejected|refused|traceback|unhealthy|oomkilled|backoff|unable to|cannot |"(?:ok|success|succeeded|passed|healthy|is_?success)":(?=false)|"(?:errors?|err|error_?message|failed|failures?|failure_?(?:messages?|reason)|exception|crashed)":(?=[1-9-]|true|"[^"]|\[[^\]]|\{[^}])|"(?:exit_?code|exit_?status|return_?code|rc)":(?=-?[1-9])|"(?:http_?)?(?:status|code)(?:_?code)?":(?="?[45]\d\d\b)/gi;
/** Before a word: no failure. */
const NEGATED = /(?:^|[^\w.])(?:0|no|zero|without)[ -]$/i;
/** Nodes that answer a question, and those that are looked at. */
const MAX_ANSWERS = 4;
const MAX_RANKED = 64;
/** Failures alike up to which all stay; of more the first ones and the last. */
const MAX_ALIKE = 12;
const FIRST_ALIKE = 5;
const LAST_ALIKE = 3;
/** Rows that always stay. */
const FIRST_ROWS = 4;
const LAST_ROWS = 2;
/** A number further from the mean than this many standard deviations is an outlier. */
const OUTLIER_SIGMA = 2;
const MAX_OUTLIERS = 6;
const MAX_RARE = 8;
/** Share of the rows up to which a value is rare, and up to which all rare values together are. */
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;
/** Different values of a column that are counted. */
const MAX_VALUES = 50;
/** Rows from the start that tell a column of ids: no two of them alike. */
const ALL_DIFFERENT = 24;
/** Characters of a text that tell its pattern. */
const PATTERN_CHARS = 160;
/** Unusual members and rows of another shape that stay. */
const MAX_UNUSUAL = 6;
const UNUSUAL_SHARE = 0.2;
const MAX_MISFITS = 3;

/** Spans of words that tell of a failure, ascending. */
export function failuresIn(text: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(FAILURE)) {
    if (NEGATED.test(text.slice(Math.max(0, index - 9), index))) continue;
    found.push([index, index + word.length]);
  }
  return found;
}

/** What matters in a text: ascending nodes. */
export interface Matter {
  /** Values that report failures, and those with notes of an earlier compression. */
  readonly failures: Int32Array;
  /** Those, and what answers the question. */
  readonly all: Int32Array;
}

/** Finds what matters. Linear. */
export function matterIn(tape: Tape, query: string): Matter {
  const nodes = new Set<number>();
  for (const offset of notesIn(tape.text)) nodes.add(tape.at(offset));
  for (const [, end] of failuresIn(tape.text)) {
    const node = tape.at(end);
    const isFlag = tape.text.charCodeAt(end - 1) === 0x3a;
    // A word that is in a key reports nothing by itself.
    const isText = tape.isString(node) && end <= tape.end(node);
    if (isFlag || isText) nodes.add(node);
  }
  const failures = Int32Array.from(nodes).sort();
  for (const node of answersTo(tape, query)) nodes.add(node);
  return { failures, all: Int32Array.from(nodes).sort() };
}

/** Values and members whose words the query holds; those that are one of its words come first. */
function answersTo(tape: Tape, query: string): number[] {
  const terms = queryTerms(query);
  if (terms.length === 0) return [];
  const starts = new Uint32Array(tape.length + 1);
  for (let node = 0; node < tape.length; node++) {
    const key = tape.keyStart(node);
    starts[node] = key < 0 ? tape.start(node) : key;
  }
  starts[tape.length] = tape.text.length + 1;
  const codes = codesOf(tape.text);
  const lines = { text: tape.text, count: tape.length, starts, codes };
  const found = bestLines(lines, terms, MAX_RANKED);
  const least = (found[0]?.score ?? 0) / 2;
  const ranked = found.filter(({ score }) => score >= least)
    .map(({ line }) => line);
  const words = new Set(query.match(/[\w.@/:-]*\w/g));
  const exact = ranked.filter((node) =>
    words.has(tape.kind(node) === STRING ? tape.content(node) : tape.raw(node))
  );
  return [...new Set([...exact, ...ranked])].slice(0, MAX_ANSWERS);
}

/** The part of some ascending nodes that is in the subtree of `node`. O(log n). */
export function within(
  tape: Tape,
  nodes: Int32Array,
  node: number,
): Int32Array {
  return nodes.subarray(bound(nodes, node), bound(nodes, tape.next(node)));
}

function bound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a long list, and what is known of them. */
export interface Sample {
  /** Weight of each row, as the engine has it. */
  readonly weights: Uint8Array;
  /** Statistics of the columns. */
  readonly profiles: readonly Profile[];
}

/** Weighs the rows of a container: both ends, what matters, what stands out. Linear in the rows. */
export function sampleOf(
  tape: Tape,
  rows: Int32Array,
  { grid, matter }: { grid: Grid | undefined; matter: Int32Array },
): Sample {
  const weights = new Uint8Array(rows.length);
  weights.fill(STAYS, 0, FIRST_ROWS);
  weights.fill(STAYS, rows.length - LAST_ROWS);
  // What is in a short list within a row says little of the row.
  const columns =
    grid?.leaves.filter(({ key }) => key !== "" || grid.root.isList) ??
      [{ key: "", cells: rows, present: rows.length }];
  const profiles = columns.map((column) => profileOf(tape, column));
  const keep = [
    ...standoutRows(profiles),
    ...grid === undefined ? [] : unusualRows(grid),
    ...someAlike(tape, matter, rows)
      .map((node) => bound(rows, node + 1) - 1),
  ];
  for (const row of keep) weights[row] = STAYS;
  return { weights, profiles };
}

/** Of values alike the first ones and the last; none of those that most rows have. */
function someAlike(tape: Tape, matter: Int32Array, rows: Int32Array): number[] {
  const groups = new Map<string, number[]>();
  for (const node of within(tape, matter, tape.parent(rows[0] ?? 0))) {
    const raw = tape.raw(node).slice(0, PATTERN_CHARS);
    const text = tape.kind(node) === NUMBER ? raw : raw.replace(/\d+/g, "0");
    const key = `${tape.key(node)}:${text}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return [...groups.values()].flatMap((group) => {
    if (group.length <= MAX_ALIKE) return group;
    return 2 * group.length > rows.length
      ? []
      : [...group.slice(0, FIRST_ALIKE), ...group.slice(-LAST_ALIKE)];
  });
}

/** Rows that are alike, in order of appearance. */
interface Groups {
  /** Group of each row. */
  readonly of: Uint8Array;
  /** First row of each group. */
  readonly first: readonly number[];
  /** Rows in each group. */
  readonly sizes: readonly number[];
}

/** Statistics of one column. */
export interface Profile {
  readonly column: Column;
  /** Value of each row, NaN where there is none; only when all values are numbers. */
  readonly numbers: Float64Array | undefined;
  /** Rows with the same text; only when there are few texts. */
  readonly values: Groups | undefined;
  /** Rows with the same text but for words with digits; only of texts, and when there are few. */
  readonly patterns: Groups | undefined;
}

function profileOf(tape: Tape, column: Column): Profile {
  const { cells } = column;
  const numbers = numbersOf(tape, cells);
  const values = groupsOf(cells, (node) => node === 0 ? "" : tape.raw(node));
  const isText = values === undefined && numbers === undefined &&
    !cells.some((node) => tape.isContainer(node));
  const patterns = isText
    ? groupsOf(cells, (node) => patternOf(tape, node))
    : undefined;
  return { column, numbers, values, patterns };
}

/** `undefined` when there are too many groups. */
function groupsOf(
  cells: Int32Array,
  keyOf: (node: number) => string | number,
): Groups | undefined {
  const limit = Math.min(MAX_VALUES, cells.length >> 2);
  const of = new Uint8Array(cells.length);
  const first: number[] = [];
  const sizes: number[] = [];
  const known = new Map<string | number, number>();
  for (const [row, node] of cells.entries()) {
    const key = keyOf(node);
    let group = known.get(key);
    if (group === undefined) {
      group = first.length;
      if (group === limit || (group === ALL_DIFFERENT && row === group)) {
        return undefined;
      }
      known.set(key, group);
      first.push(row);
      sizes.push(0);
    }
    of[row] = group;
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  return { of, first, sizes };
}

/** Numbers of a column, also those written as strings. */
function numbersOf(tape: Tape, cells: Int32Array): Float64Array | undefined {
  const numbers = new Float64Array(cells.length).fill(NaN);
  for (const [row, node] of cells.entries()) {
    if (node === 0) continue;
    const isNumber = tape.kind(node) === NUMBER;
    if (!isNumber && (tape.kind(node) !== STRING || tape.size(node) > 26)) {
      return undefined;
    }
    const text = isNumber ? tape.raw(node) : tape.content(node);
    if (!isNumber && !/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
      return undefined;
    }
    numbers[row] = Number(text);
  }
  return numbers;
}

/** Hash of a text in which all words with a digit are alike; of its kind for what is no text. */
function patternOf(tape: Tape, node: number): number {
  if (!tape.isString(node)) return -1 - tape.kind(node);
  const { text } = tape;
  const end = Math.min(tape.end(node) - 1, tape.start(node) + PATTERN_CHARS);
  let [hash, before, hasDigit, inWord] = [0, 0, false, false];
  for (let at = tape.start(node) + 1; at <= end; at++) {
    const code = at === end ? 0x20 : text.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    const lower = code | 0x20;
    const isWord = isDigit || (lower >= 0x61 && lower <= 0x7a) || code > 0x7f;
    if (isWord && !inWord) [before, hasDigit] = [hash, false];
    hasDigit ||= isDigit;
    if (!isWord && inWord && hasDigit) hash = Math.imul(before, 31) + 1 | 0;
    inWord = isWord;
    hash = Math.imul(hash, 31) + code | 0;
  }
  return hash >>> 0;
}

/** Rows worth keeping for their values, in no order. */
function standoutRows(profiles: readonly Profile[]): number[] {
  const furthest: number[] = [];
  const outliers: Standout[] = [];
  const rare: Standout[] = [];
  for (const { numbers, values, patterns } of profiles) {
    rare.push(...rareRows(values ?? patterns));
    const spread = numbers && spreadOf(numbers);
    if (numbers === undefined || spread === undefined || spread.isMonotone) {
      continue;
    }
    const found = outliersOf(numbers, spread, OUTLIER_SIGMA);
    outliers.push(...found);
    furthest.push(...weightiest(found, 1));
  }
  return [
    ...furthest,
    ...weightiest(outliers, MAX_OUTLIERS),
    ...weightiest(rare, MAX_RARE),
  ];
}

/** The first row of each rare value. */
function rareRows(groups: Groups | undefined): Standout[] {
  const { of, first, sizes } = groups ?? { of: [], first: [], sizes: [] };
  const limit = Math.max(1, Math.floor(of.length * RARE_SHARE));
  const found: Standout[] = [];
  let rows = 0;
  for (const [group, size] of sizes.entries()) {
    if (size > limit) continue;
    rows += size;
    found.push({ row: first[group] ?? 0, weight: 1 / size });
  }
  return rows <= ALL_RARE_SHARE * of.length ? found : [];
}

/** The first row of each unusual member, rarest first, and the first rows that fit no columns. */
function unusualRows({ root, misfits }: Grid): number[] {
  const rare: Column[] = [];
  const visit = (column: Column) => {
    column.members?.forEach(visit);
    if (column.present < root.present * UNUSUAL_SHARE) rare.push(column);
  };
  visit(root);
  rare.sort((a, b) => a.present - b.present);
  return [
    ...rare.slice(0, MAX_UNUSUAL)
      .map(({ cells }) => cells.findIndex((node) => node !== 0)),
    ...[...misfits].slice(0, MAX_MISFITS),
  ];
}

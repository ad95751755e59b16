/** What matters in a JSON text: failures, answers, and what stands out of a column. @module */
import { STAYS } from "../../engine/choose.ts";
import { notesIn } from "../../engine/note.ts";
import { NUMBER, STRING, type Tape } from "../../text/json/tape.ts";
import { codesOf, type Lines } from "../../text/lines.ts";
import {
  bestLines,
  queryTerms,
  type RankedLine,
} from "../../text/relevance.ts";
import {
  outliersOf,
  spreadOf,
  type Standout,
  weightiest,
} from "../../text/series.ts";
import {
  groupsOf,
  hashOf,
  patternOf,
  rareRows,
  type RowGroups,
} from "../../text/signs/columns.ts";
import { extremesOf, LEAST_VALUES } from "../../text/signs/extremes.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { quantityAt } from "../../text/signs/quantity.ts";
import { severities } from "../../text/signs/severity.ts";
import { BAD_KEY, fails, keyKind } from "../../text/signs/values.ts";
import type { Column, Grid } from "../../text/json/grid.ts";

/** Nodes that stay for the words of a question, and the share of the best score that they have. */
const MAX_ANSWERS = 4;
const LEAST_SCORE = 0.5;
/** Weight of a row that the question names by a value: such rows stay while there is room. */
const NAMED = STAYS - 1;
/** Digits of a number that names a value: shorter ones are counts and limits. */
const MIN_DIGITS = 3;
/** Failures alike up to which all stay; of more the first ones and the last. */
const MAX_ALIKE = 12;
const FIRST_ALIKE = 5;
const LAST_ALIKE = 3;
/** Rows that always stay. */
const FIRST_ROWS = 4;
const LAST_ROWS = 2;
/** Rows with rare values that stay, besides those of columns with few of them. */
const MAX_RARE = 8;
const FEW_RARE = 3;
/** Standard deviations from the mean from which one of few numbers is an outlier. */
const OUTLIER_SIGMA = 2.5;
/** Characters of a text that tell its pattern. */
const PATTERN_CHARS = 160;
/** Unusual members and rows of another shape that stay. */
const MAX_UNUSUAL = 6;
const UNUSUAL_SHARE = 0.2;
const MAX_MISFITS = 3;

/** What matters in a text. */
export interface Matter {
  /** One code per character of the text. */
  readonly codes: Uint8Array;
  /** Values that report failures, and those with notes of an earlier compression; ascending nodes. */
  readonly failures: Int32Array;
  /** Those, and what answers the question best. */
  readonly all: Int32Array;
  /** Values that are words of the question; ascending nodes. */
  readonly named: Int32Array;
}

/** Finds what matters. Linear. */
export function matterIn(tape: Tape, query: string): Matter {
  const lines = linesOf(tape);
  const nodes = new Set<number>();
  for (const offset of notesIn(tape.text)) nodes.add(tape.at(offset));
  const flags = severities(lines);
  const kinds = new Map<string, number>();
  for (let node = 1; node < tape.length; node++) {
    const isContainer = tape.isContainer(node);
    const isSaid = !isContainer && tape.isString(node) &&
      ((flags[node] ?? 0) & ERROR) !== 0;
    if (isSaid || isFlagged(tape, node, kinds)) nodes.add(node);
  }
  const failures = Int32Array.from(nodes).sort();
  const { best, named } = answersTo(tape, lines, query);
  for (const node of best) nodes.add(node);
  const all = Int32Array.from(nodes).sort();
  return { codes: lines.codes, failures, all, named };
}

/** Each value with its key as a line. */
function linesOf(tape: Tape): Lines {
  const starts = new Uint32Array(tape.length + 1);
  for (let node = 0; node < tape.length; node++) {
    const key = tape.keyStart(node);
    starts[node] = key < 0 ? tape.start(node) : key;
  }
  starts[tape.length] = tape.text.length + 1;
  const codes = codesOf(tape.text);
  return { text: tape.text, count: tape.length, starts, codes };
}

/** Whether a member means failure for its key. `kinds`: of the keys seen so far. */
function isFlagged(
  tape: Tape,
  node: number,
  kinds: Map<string, number>,
): boolean {
  if (tape.keyStart(node) < 0) return false;
  const key = tape.key(node);
  let kind = kinds.get(key);
  if (kind === undefined) kinds.set(key, kind = keyKind(key));
  if (kind === 0) return false;
  if (tape.isContainer(node)) return kind === BAD_KEY && tape.count(node) > 0;
  return fails(kind, tape.isString(node) ? tape.content(node) : tape.raw(node));
}

/** Values and members whose words the query holds: the best, and those that are one of its words, which come first. */
function answersTo(
  tape: Tape,
  lines: Lines,
  query: string,
): { readonly best: readonly number[]; readonly named: Int32Array } {
  const found = bestLines(lines, queryTerms(query), lines.count);
  const least = (found[0]?.score ?? 0) * LEAST_SCORE;
  const words = new Set(query.toLowerCase().match(/[\w.@/:-]*\w/g));
  const isNamed = ({ line }: RankedLine) =>
    tape.kind(line) === STRING
      ? words.has(tape.content(line).toLowerCase())
      : tape.kind(line) === NUMBER && words.has(tape.raw(line));
  const named = found.filter(isNamed);
  const likely = (one: RankedLine) => one.score >= least;
  const best = [...named.filter(likely), ...found.filter(likely)];
  return {
    best: [...new Set(best.map(({ line }) => line))].slice(0, MAX_ANSWERS),
    named: Int32Array.from(named, ({ line }) => line).sort().filter((node) =>
      tape.kind(node) === STRING || tape.size(node) >= MIN_DIGITS
    ),
  };
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
  /** What the rows are in. */
  readonly container: number;
  /** Weight of each row, as the engine has it. */
  readonly weights: Uint8Array;
  /** Rows that the question names by a value. */
  readonly named: ReadonlySet<number>;
  /** Rows that report failures, where most do not. */
  readonly failing: ReadonlySet<number>;
  /** Statistics of the columns. */
  readonly profiles: readonly Profile[];
}

/** Weighs the rows of a container: both ends, what matters, what stands out. Linear in the rows. */
export function sampleOf(
  tape: Tape,
  rows: Int32Array,
  { grid, matter }: { grid: Grid | undefined; matter: Matter },
): Sample {
  const weights = new Uint8Array(rows.length);
  // What is in a short list within a row says little of the row.
  const columns =
    grid?.leaves.filter(({ key }) => key !== "" || grid.root.isList) ??
      [{ key: "", cells: rows, present: rows.length }];
  const profiles = columns.map((column) =>
    profileOf(tape, column, matter.codes)
  );
  const keep = [
    ...standoutRows(profiles),
    ...grid === undefined ? [] : unusualRows(grid),
    ...someAlike(tape, matter.all, rows)
      .map((node) => bound(rows, node + 1) - 1),
  ];
  const rowsOf = (nodes: Int32Array) =>
    new Set(
      groupsAlike(tape, nodes, rows)
        .filter((group) => 2 * group.length <= rows.length).flat()
        .map((node) => bound(rows, node + 1) - 1),
    );
  const named = rowsOf(matter.named);
  const failing = rowsOf(matter.failures);
  for (const row of named) weights[row] = NAMED;
  for (const row of keep) weights[row] = STAYS;
  weights.fill(STAYS, 0, FIRST_ROWS);
  weights.fill(STAYS, rows.length - LAST_ROWS);
  const container = tape.parent(rows[0] ?? 0);
  return { container, weights, named, failing, profiles };
}

/** Of values alike the first ones and the last; none of those that most rows have. */
function someAlike(tape: Tape, matter: Int32Array, rows: Int32Array): number[] {
  return groupsAlike(tape, matter, rows).flatMap((group) => {
    if (group.length <= MAX_ALIKE) return group;
    return 2 * group.length > rows.length
      ? []
      : [...group.slice(0, FIRST_ALIKE), ...group.slice(-LAST_ALIKE)];
  });
}

/** Some of the nodes in rows, by key and by text but for digits. */
function groupsAlike(
  tape: Tape,
  nodes: Int32Array,
  rows: Int32Array,
): number[][] {
  const groups = new Map<string, number[]>();
  for (const node of within(tape, nodes, tape.parent(rows[0] ?? 0))) {
    const raw = tape.raw(node).slice(0, PATTERN_CHARS);
    const text = tape.kind(node) === NUMBER ? raw : raw.replace(/\d+/g, "0");
    const key = `${tape.key(node)}:${text}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return [...groups.values()];
}

/** Statistics of one column. */
export interface Profile {
  readonly column: Column;
  /** Value of each row, NaN where there is none; only when all values are numbers, with a unit or without. */
  readonly numbers: Float64Array | undefined;
  /** Rows with the same text; only when there are few texts. */
  readonly values: RowGroups | undefined;
  /** Rows with the same text but for digits; only of texts, and when there are few. */
  readonly patterns: RowGroups | undefined;
}

function profileOf(tape: Tape, column: Column, codes: Uint8Array): Profile {
  const { cells } = column;
  const numbers = numbersOf(tape, cells, codes);
  const end = (node: number) => Math.min(tape.end(node), codes.length);
  const values = groupsOf(
    cells,
    (node) => hashOf(codes, tape.start(node), end(node)),
  );
  const isText = values === undefined && numbers === undefined &&
    cells.every((node) => node === 0 || tape.isString(node));
  const patterns = isText
    ? groupsOf(cells, (node) => {
      const start = tape.start(node);
      return patternOf(
        codes,
        start,
        Math.min(end(node), start + PATTERN_CHARS),
      );
    })
    : undefined;
  return { column, numbers, values, patterns };
}

/** Numbers of a column, also those in strings, with units. */
function numbersOf(
  tape: Tape,
  cells: Int32Array,
  codes: Uint8Array,
): Float64Array | undefined {
  const numbers = new Float64Array(cells.length).fill(NaN);
  for (let row = 0; row < cells.length; row++) {
    const node = cells[row] ?? 0;
    if (node === 0) continue;
    if (tape.kind(node) === NUMBER) numbers[row] = Number(tape.raw(node));
    else {
      const end = tape.end(node) - 1;
      const value = tape.kind(node) === STRING && tape.size(node) < 27
        ? quantityAt(codes, { start: tape.start(node) + 1, end }, end)
        : NaN;
      if (Number.isNaN(value)) return undefined;
      numbers[row] = value;
    }
  }
  return numbers;
}

/** Rows worth keeping for their values, in no order. */
function standoutRows(profiles: readonly Profile[]): number[] {
  const rare: Standout[] = [];
  const rows: number[] = [];
  for (const { numbers, values, patterns } of profiles) {
    const found = rareRows(values ?? patterns);
    if (found.length > FEW_RARE) rare.push(...found);
    else rows.push(...found.map(({ row }) => row));
    const spread = numbers && spreadOf(numbers);
    // Ids and times only rise.
    if (numbers === undefined || spread === undefined || spread.isMonotone) {
      continue;
    }
    const extremes = extremesOf(numbers);
    // Too few values say little about what is usual.
    const furthest = numbers.length < 2 * LEAST_VALUES
      ? outliersOf(numbers, spread, OUTLIER_SIGMA)
      : [];
    rows.push(...extremes.map(({ row }) => row));
    rows.push(...weightiest(furthest, 1));
  }
  return [...rows, ...weightiest(rare, MAX_RARE)];
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

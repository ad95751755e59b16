/** What matters in a JSON text: failures, answers, and what stands out of a column. @module */
import { addTo } from "../../text/counts.ts";
import { STAYS } from "../../engine/choose.ts";
import { notesIn } from "../../engine/note.ts";
import { NUMBER, STRING, type Tape } from "../../text/json/tape.ts";
import { codesOf, type Lines } from "../../text/lines.ts";
import {
  bestLines,
  queryTerms,
  type RankedLine,
} from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { BAD_KEY, fails, keyKind } from "../../text/signs/values.ts";
import type { Grid } from "../../text/json/grid.ts";
import { kinRows } from "./kin.ts";
import {
  type Profile,
  profilesOf,
  standoutRows,
  unusualRows,
} from "./profile.ts";

/** Nodes that stay for the words of a question, and the share of the best score that they have. */
const MAX_ANSWERS = 4;
const LEAST_SCORE = 0.5;
/** Weight of a row that the question names by a value: such rows stay while there is room. */
const NAMED = STAYS - 1;
/** Weight of the earliest row and of the latest. */
const END_OF_TIME = 220;
/** Digits of a number that names a value: shorter ones are counts and limits. */
const MIN_DIGITS = 3;
/** Failures alike up to which all stay; of more the first ones and the last. */
const MAX_ALIKE = 12;
const FIRST_ALIKE = 5;
const LAST_ALIKE = 3;
/** Rows that always stay. */
const FIRST_ROWS = 4;
const LAST_ROWS = 2;
/** Characters of a value that tell which others are like it. */
const PATTERN_CHARS = 160;

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
  const { profiles, nested } = profilesOf(tape, rows, {
    grid,
    codes: matter.codes,
  });
  const { stays, ends } = standoutRows([...profiles, ...nested]);
  const rowsOf = (nodes: Int32Array) =>
    new Set(
      groupsAlike(tape, nodes, rows)
        .filter((group) => 2 * group.length <= rows.length).flat()
        .map((node) => bound(rows, node + 1) - 1),
    );
  const named = rowsOf(matter.named);
  const failing = rowsOf(matter.failures);
  const keep = [
    ...stays,
    ...kinRows(tape, { failing, profiles, codes: matter.codes }),
    ...grid === undefined ? [] : unusualRows(grid),
    ...someAlike(tape, matter.all, rows)
      .map((node) => bound(rows, node + 1) - 1),
  ];
  for (const row of ends) weights[row] = END_OF_TIME;
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
    addTo(groups, key, node);
  }
  return [...groups.values()];
}

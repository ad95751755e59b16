/** Which rows of long tables stay, and what a note says about those that do not. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Gap, Units } from "../../core/kind.ts";
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  keyAt,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { extremesOf } from "../../text/signs/extremes.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { cellSeverities, excuseRefused } from "../../text/signs/severity.ts";
import { fails, keyKind } from "../../text/signs/values.ts";
import { lineEnding, rowText, type Writing, writingOf } from "./fold.ts";
import {
  bodyOf,
  CELLS,
  cellText,
  isListing,
  PLAIN,
  rowSource,
  RULE,
  type Table,
} from "./layout.ts";
import { endRows, type Profile, profilesOf } from "./profile.ts";

/** Rows of a table that is written whole; of Markdown, whose rows are as a rule written by hand, and of files there may be more. */
const SHORT = 14;
const SHORT_MARKDOWN = 40;
/** First and last rows, which stay if there is room. */
const FIRST = 4;
const LAST = 2;
/** Weights of those, of the ends of numeric columns, and of failing rows where there are many. */
const END = 220;
const EXTREME = 200;
const FAILING = 250;
/** Failing rows that all stay. */
const ALL_FAILING = 24;
/** Failing values of so many rows, and such a share of them, are the usual ones of a column. */
const LEAST_USUAL = 10;
const USUAL = 0.5;
/** Numeric columns of which rows stay. */
const MOST_MEASURES = 6;

/** What is known about one table. */
interface Sight {
  readonly table: Table;
  readonly writing: Writing | undefined;
  /** Unit of its first row. */
  readonly unit: number;
  readonly profiles: readonly Profile[];
  /** 1 for each row that says that something failed. */
  readonly failing: Uint8Array;
}

/** Units of a text, and what notes need to know. */
export interface TableUnits {
  readonly units: Units;
  readonly sights: readonly Sight[];
  /** Index of the table of each unit; -1 for other text. */
  readonly tableOf: Int32Array;
}

/** Makes each row a unit, and each stretch of other text; `undefined` when all tables are short. O(n). */
export function unitsOf(
  lines: Lines,
  tables: readonly Table[],
  { query }: CompressContext,
): TableUnits | undefined {
  if (!tables.some(isLong)) return undefined;
  const answers = new Uint8Array(lines.count);
  keepAnswers(lines, { query }, answers);
  const errors = cellSeverities(lines);
  excuseRefused(errors);
  const starts = new Uint32Array(lines.count + 1);
  const weights = new Uint8Array(lines.count).fill(STAYS);
  const tableOf = new Int32Array(lines.count).fill(-1);
  const sights: Sight[] = [];
  let count = 0;
  let from = 0;
  for (const [index, table] of tables.entries()) {
    const { rowLine, states } = table;
    if (lineStart(lines, offsetAt(rowLine, 0)) > from) starts[count++] = from;
    const sight = sightOf(table, errors, count);
    sights.push(sight);
    tableOf.fill(index, count, count + states.length);
    if (isLong(table)) weights.set(rowWeights(sight, answers), count);
    for (const line of rowLine) starts[count++] = from = lineStart(lines, line);
    count--;
  }
  if (from < lines.text.length) starts[count++] = from;
  starts[count] = lines.text.length;
  const units: Units = {
    starts: starts.subarray(0, count + 1),
    weights: weights.subarray(0, count),
    write: (unit) => written(lines, all, unit),
  };
  const all: TableUnits = { units, sights, tableOf };
  return all;
}

function isLong(table: Table): boolean {
  const isWritten = table.form === "markdown" || table.form === "ls -l";
  return table.states.length > (isWritten ? SHORT_MARKDOWN : SHORT);
}

function sightOf(table: Table, errors: Uint8Array, unit: number): Sight {
  const profiles = isLong(table) ? profilesOf(table) : [];
  const failing = failingRows(table, profiles, errors);
  return { table, writing: writingOf(table), unit, profiles, failing };
}

/** A unit that is not written as it is read: a row without padding, the first of a list below the names of the columns. */
function written(
  lines: Lines,
  { units, sights, tableOf }: TableUnits,
  unit: number,
): string | undefined {
  const sight = sights[keyAt(tableOf, unit)];
  if (sight?.writing === undefined || !isPadded(sight.table)) return undefined;
  const source = lines.text.slice(
    offsetAt(units.starts, unit),
    offsetAt(units.starts, unit + 1),
  );
  const { table: { states, head, names, rowLine, layout }, writing } = sight;
  const row = unit - sight.unit;
  if (states[row] === RULE) return "";
  const eol = lineEnding(lines, offsetAt(rowLine, row + 1) - 1);
  const isCells = states[row] === CELLS &&
    (row === head || layout?.misfits[row] !== 1);
  const own = isCells ? rowText(writing, row) + eol : source;
  const isFirst = row === 0 && head < 0 && names !== undefined;
  return isFirst ? names.join(writing.split) + eol + own : own;
}

/** Whether cells may have blanks around them that are not theirs: only those between tabs and without a delimiter may. */
function isPadded({ delimiter }: Table): boolean {
  return delimiter === "" || delimiter === "\t";
}

/** Weight of each row of a long table. */
function rowWeights(
  { table, profiles, failing }: Sight,
  answers: Uint8Array,
): Uint8Array {
  const { states, head } = table;
  const weights = new Uint8Array(states.length);
  const body = head + 1 + (states[head + 1] === RULE ? 1 : 0);
  weights.fill(END, body, body + FIRST);
  weights.fill(END, Math.max(0, states.length - LAST));
  weights.fill(STAYS, 0, Math.max(1, body));
  const keep = (rows: readonly number[], weight = STAYS) => {
    for (const row of rows) {
      weights[row] = Math.max(weight, codeAt(weights, row));
    }
  };
  for (const what of ["numbers", "times"] as const) {
    const measures = profiles.filter((profile) => profile[what] !== undefined);
    for (const profile of measures.slice(0, MOST_MEASURES)) {
      keep(endRows(profile), EXTREME);
      const { [what]: values = new Float64Array() } = profile;
      keep(extremesOf(values).map(({ row }) => row));
    }
  }
  for (const profile of profiles) keep(profile.rare);
  const failed: number[] = [];
  for (const [row, state] of states.entries()) {
    if (failing[row] === 1) failed.push(row);
    if (state === PLAIN || hasFlag(answers, table, row)) keep([row]);
  }
  keep(failed, failed.length > ALL_FAILING ? FAILING : STAYS);
  keep([...failed.slice(0, FIRST), ...failed.slice(-LAST)]);
  return weights;
}

/** 1 for each row that says so in words, in a cell whose name is that of a state, or by `0/1`. */
function failingRows(
  table: Table,
  profiles: readonly Profile[],
  errors: Uint8Array,
): Uint8Array {
  const { states, head } = table;
  const failing = new Uint8Array(states.length);
  // Words in a list of files or packages are names.
  if (isListing(table)) return failing;
  for (let row = head + 1; row < states.length; row++) {
    if (hasFlag(errors, table, row)) failing[row] = 1;
  }
  for (const { column, name } of profiles) {
    const found = failingCells(table, name, column);
    // What most rows have is no failure.
    const isUsual = found.length >= LEAST_USUAL &&
      found.length > USUAL * (states.length - head);
    if (!isUsual) { for (const row of found) failing[row] = 1; }
  }
  return failing;
}

/** Rows with a value of a column that means failure under its name. */
function failingCells(table: Table, name: string, column: number): number[] {
  const kind = keyKind(name);
  if (kind === 0 && !/^(?:READY|STAT|S)$/.test(name)) return [];
  return bodyOf(table).filter((row) => {
    const cell = cellText(table, row, column);
    const value = cell.includes('"') ? cell.replace(/^"|"$/g, "") : cell;
    if (name === "READY") {
      const [ready = 0, all = 0] = value.split("/").map(Number);
      return ready < all && !rowSource(table, row).includes("Completed");
    }
    return kind === 0 ? value.startsWith("Z") : fails(kind, value);
  });
}

/** Whether a line of a row is an answer or reports a failure. */
function hasFlag(flags: Uint8Array, { rowLine }: Table, row: number): boolean {
  const to = offsetAt(rowLine, row + 1);
  for (let line = offsetAt(rowLine, row); line < to; line++) {
    if (codeAt(flags, line) & ERROR) return true;
  }
  return false;
}

/** How many failing rows a gap holds. */
export function labelOf({ sights, tableOf }: TableUnits, gap: Gap): string {
  const sight = sights[keyAt(tableOf, gap.from)];
  if (sight === undefined) return "";
  const { unit, failing } = sight;
  const failed = failing.subarray(gap.from - unit, gap.to - unit)
    .reduce((sum, byte) => sum + byte, 0);
  return failed === 0 ? "" : `${failed} failing`;
}

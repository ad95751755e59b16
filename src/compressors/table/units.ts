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
import {
  headText,
  lineEnding,
  rowText,
  type Writing,
  writingOf,
} from "./fold.ts";
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
import {
  endRows,
  namesIn,
  type Profile,
  profilesOf,
  rareRows,
} from "./profile.ts";

/** Rows of a table that is written whole; of Markdown, whose rows are as a rule written by hand, there may be more. */
const SHORT = 14;
const SHORT_MARKDOWN = 40;
/** First and last rows, which stay if there is room. */
const FIRST = 4;
const LAST = 2;
/** Weights of those, of the ends of numeric columns, and of failing rows where there are many. */
const END = 220;
const EXTREME = 200;
const FAILING = 250;
/** Failing rows that all stay, and rows in another form. */
const ALL_FAILING = 24;
const MOST_PLAIN = 8;
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
  /** Column of names that notes give. */
  readonly names: number | undefined;
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

function isLong({ form, states }: Table): boolean {
  return states.length > (form === "markdown" ? SHORT_MARKDOWN : SHORT);
}

function sightOf(table: Table, errors: Uint8Array, unit: number): Sight {
  const profiles = isLong(table) ? profilesOf(table) : [];
  const failing = failingRows(table, profiles, errors);
  const names = isLong(table) ? namesIn(table) : undefined;
  return { table, writing: writingOf(table), unit, profiles, failing, names };
}

/** A unit as it is written: a row without padding and what the header says, the head with the names of the columns. */
function written(
  lines: Lines,
  { units, sights, tableOf }: TableUnits,
  unit: number,
): string {
  const source = lines.text.slice(
    offsetAt(units.starts, unit),
    offsetAt(units.starts, unit + 1),
  );
  const sight = sights[keyAt(tableOf, unit)];
  if (sight?.writing === undefined) return source;
  const { table: { states, head, rowLine, layout }, writing } = sight;
  const row = unit - sight.unit;
  if (states[row] === RULE) return "";
  const eol = lineEnding(lines, offsetAt(rowLine, row + 1) - 1);
  const isCells = states[row] === CELLS && layout?.misfits[row] !== 1;
  const own = isCells ? rowText(writing, row) + eol : source;
  const isHead = row === head;
  if (!isHead && (row > 0 || head >= 0)) return own;
  const names = headText(writing).split("\n").join(eol);
  return (names === "" ? "" : names + eol) + (isHead ? "" : own);
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
  const measures = profiles.filter(({ numbers }) => numbers !== undefined);
  for (const profile of measures.slice(0, MOST_MEASURES)) {
    keep(endRows(profile), EXTREME);
    const { numbers = new Float64Array() } = profile;
    keep(extremesOf(numbers).map(({ row }) => row));
  }
  for (const profile of profiles) keep(rareRows(profile));
  const failed: number[] = [];
  let plain = 0;
  for (const [row, state] of states.entries()) {
    if (failing[row] === 1) failed.push(row);
    const isOther = state === PLAIN && plain++ < MOST_PLAIN;
    if (isOther || hasFlag(answers, table, row)) keep([row]);
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
  if (kind === 0 && !SIGNS.has(name)) return [];
  return bodyOf(table).filter((row) => {
    const value = cellText(table, row, column).replace(/^"|"$/g, "");
    if (name === "READY") {
      return isLess(value) && !rowSource(table, row).includes("Completed");
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

/** Columns of what is ready, and of states of processes. */
const SIGNS = new Set(["READY", "STAT", "S"]);

/** `0/1`. */
function isLess(value: string): boolean {
  const [, ready, all] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  return Number(ready) < Number(all);
}

/** What a gap holds: how many failing rows, and of a list all names. */
export function labelOf(
  { sights, tableOf }: TableUnits,
  gap: Gap,
): string {
  const sight = sights[keyAt(tableOf, gap.from)];
  if (sight === undefined) return "";
  const { table, unit, failing, names } = sight;
  const said: string[] = [];
  let failed = 0;
  for (let row = gap.from - unit; row < gap.to - unit; row++) {
    if (failing[row] === 1) failed++;
    if (names === undefined || table.states[row] !== CELLS) continue;
    const name = cellText(table, row, names);
    // The suite behind the slash is the same for most packages.
    const [first = ""] = table.form === "apt list" ? name.split("/") : [name];
    said.push(first);
  }
  return [failed === 0 ? [] : `${failed} failing`, said.join(", ") || []].flat()
    .join("; ");
}

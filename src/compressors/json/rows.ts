/** Rows of long lists: which stay, what is said of the others, and which columns nobody needs. @module */
import { chooseUnits, gapsIn } from "../../engine/choose.ts";
import { lineNote } from "../../engine/note.ts";
import { TOKEN } from "../../engine/price.ts";
import { type Column, leavesOf } from "../../text/json/column.ts";
import type { Grid } from "../../text/json/grid.ts";
import { OBJECT, type Tape } from "../../text/json/tape.ts";
import { namesOf, summaryOf } from "./left_out.ts";
import type { Sample } from "./matter.ts";

/** Characters of a text, and of a list, from which parts may be left out. */
export const MIN_CHARS = 600;
/** Rows, and members, of which all stay. */
const MAX_ROWS = 15;
const MAX_MEMBERS = 30;
const MIN_OBJECT_CHARS = 1_500;
/** Rows from which some are brief, and characters of them. */
const MIN_BRIEF_ROWS = 4;
const MIN_BRIEF_CHARS = 1_500;
/** Rows left out that are worth a summary. */
const MIN_SUMMED = 8;

/** Whether a container has so much in it that not all stays, and that less detail makes it shorter. */
export function sizeOf(
  tape: Tape,
  node: number,
): { readonly isLong: boolean; readonly isMany: boolean } {
  const size = tape.size(node);
  const count = tape.count(node);
  const isLong = tape.kind(node) === OBJECT
    ? count > MAX_MEMBERS && size > MIN_OBJECT_CHARS
    : count > MAX_ROWS && size > MIN_CHARS;
  return {
    isLong,
    isMany: count >= MIN_BRIEF_ROWS && size > MIN_BRIEF_CHARS,
  };
}

/** Rows, and what is known of them. */
export interface Sampled {
  /** Their nodes. */
  readonly rows: Int32Array;
  /** How much each of them says. */
  readonly sample: Sample;
}

/** The rows that stay, a note for each run of others, and a summary of all of them; with how many are left out. */
export function sampledRows(
  tape: Tape,
  { rows, sample }: Sampled,
  write: (i: number) => string,
): { readonly parts: string[]; readonly omitted: number } {
  const isKeyed = tape.keyStart(rows[0] ?? 0) >= 0;
  const units = {
    starts: new Uint32Array(rows.length + 1),
    weights: sample.weights,
  };
  const prices = Uint32Array.from(rows, (row) => tape.size(row) * TOKEN / 3);
  const keep = chooseUnits(units, prices);
  const gaps = gapsIn(units, prices, keep);
  const parts: string[] = [];
  let at = 0;
  let omitted = 0;
  for (
    const { from, to } of [...gaps, { from: rows.length, to: rows.length }]
  ) {
    while (at < from) parts.push(write(at++));
    if (to === from) break;
    const noun = isKeyed ? "keys" : "items";
    const label = isKeyed ? namesOf(tape, rows.subarray(from, to)) : "";
    parts.push(lineNote({ first: from + 1, last: to, noun }, label));
    at = to;
    omitted += to - from;
  }
  const more = missedOf(sample, keep);
  const summary = omitted < MIN_SUMMED ? "" : summaryOf(tape, sample, keep);
  if (summary + more !== "") {
    const said = summary === "" ? "" : `: ${summary}`;
    parts.push(`… the ${omitted} omitted${more}${said}`);
  }
  return { parts, omitted };
}

/** How many rows that answer the question, or report a failure, are left out all the same. */
function missedOf({ named, failing }: Sample, keep: Uint8Array): string {
  return ([
    [named, "match the question"],
    [failing, "report failures"],
  ] as const).map(([rows, words]) => {
    const out = [...rows].filter((row) => keep[row] === 0).length;
    return out === 0 ? "" : ` (${out} more ${words})`;
  }).join("");
}

/** Columns with a note in place of those that hold only opaque values, and how many of these there are. */
export function withoutOpaque(
  grid: Grid,
  opaque: ReadonlyMap<number, string>,
): { readonly table: Grid; readonly omitted: number } {
  let omitted = 0;
  const reduce = (column: Column): Column => {
    if (column.members !== undefined) {
      return { ...column, members: column.members.map(reduce) };
    }
    const cells = column.cells.filter((node) => node !== 0);
    const label = opaque.get(cells[0] ?? 0);
    if (label === undefined || !cells.every((node) => opaque.has(node))) {
      return column;
    }
    omitted += cells.length;
    return { ...column, note: `… ${label} omitted` };
  };
  const root = reduce(grid.root);
  return { table: { ...grid, root, leaves: leavesOf(root) }, omitted };
}

/** Whether rows are packages with digests: each of them is what a reader looks for. */
export function isLock(
  { root: { members = [], present } }: Grid,
  opaque: ReadonlyMap<number, string>,
): boolean {
  const isHalf = (column: Column) => 2 * column.present > present;
  return members.some((one) => one.key === "version" && isHalf(one)) &&
    members.some((one) =>
      isHalf(one) && one.cells.some((cell) => opaque.has(cell))
    );
}

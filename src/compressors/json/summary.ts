/** One line on what the rows left out hold: how often each value, from where to where. @module */
import { cellOf, NOTE } from "./cell.ts";
import type { Column, Grid } from "./column.ts";
import { dateOf, type Profile } from "./profile.ts";
import type { Sample } from "./sample.ts";
import type { Tape } from "./tape.ts";

const MAX_PARTS = 6;
const MAX_VALUES = 5;
/** Distinct numbers up to which they are counted, not given as a range. */
const MAX_NUMBERS = 2;
const MAX_CHARS = 300;
const MAX_VALUE_CHARS = 40;
/** Fewer rows than this are not worth a line. */
const MIN_ROWS = 8;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?$/;

/**
 * Describes the rows that do not stay, by columns with few values first, then by ranges.
 *
 * @param names Name of each column.
 * @returns Empty when there is nothing to say.
 */
export function summaryOf(
  tape: Tape,
  { profiles, keep }: Sample,
  names: ReadonlyMap<Column, string>,
): string {
  const omitted = keep.reduce((sum, kept) => sum + 1 - kept, 0);
  if (omitted < MIN_ROWS) return "";
  const counts = profiles.map((profile) => countsOf(tape, profile, keep));
  const parts: string[] = [];
  let size = 0;
  const add = ({ column }: Profile, text: string | undefined) => {
    if (text === undefined || parts.length === MAX_PARTS) return;
    const name = names.get(column) ?? column.key;
    const part = name === "" ? text : `${name} ${text}`;
    if (size + part.length > MAX_CHARS) return;
    size += part.length;
    parts.push(part);
  };
  profiles.forEach((profile, i) => add(profile, counts[i]));
  profiles.forEach((profile, i) => {
    if (counts[i] === undefined) add(profile, rangeOf(tape, profile, keep));
  });
  return parts.join("; ");
}

/** The line that follows the rows that stay; empty when there is nothing to say. */
export function summaryNote(
  tape: Tape,
  grid: Grid | undefined,
  sample: Sample,
): string {
  const text = summaryOf(tape, sample, namesOf(grid?.columns ?? []));
  const omitted = sample.keep.reduce((sum, kept) => sum + 1 - kept, 0);
  return text === "" ? "" : `${NOTE} the ${omitted} omitted: ${text}`;
}

/** `open×180, closed×43`; `undefined` when there are too many values or they are long. */
function countsOf(
  tape: Tape,
  { column, categories, numbers }: Profile,
  keep: Uint8Array,
): string | undefined {
  if (categories === undefined) return undefined;
  const limit = numbers === undefined ? MAX_VALUES : MAX_NUMBERS;
  const counts: [value: string, count: number][] = [];
  const { first, of } = categories;
  const omitted = new Int32Array(first.length);
  for (let row = 0; row < of.length; row++) {
    omitted[of[row]!]! += 1 - keep[row]!;
  }
  for (const [group, count] of omitted.entries()) {
    if (count === 0) continue;
    const value = valueOf(tape, column.cells[first[group]!]!);
    if (value.length > MAX_VALUE_CHARS || counts.length === limit) {
      return undefined;
    }
    counts.push([value, count]);
  }
  counts.sort((a, b) => b[1] - a[1]);
  return counts.map(([value, count]) => `${value}×${count}`).join(", ");
}

function valueOf(tape: Tape, node: number): string {
  return node === 0 ? "(none)" : cellOf(tape, node);
}

/** `0..12`, as the text has it; `undefined` for anything but numbers and ISO dates. */
function rangeOf(
  tape: Tape,
  { column, numbers }: Profile,
  keep: Uint8Array,
): string | undefined {
  const { cells } = column;
  let least = -1;
  let most = -1;
  let low: number | string = 0;
  let high: number | string = 0;
  for (let row = 0; row < cells.length; row++) {
    if (keep[row] === 1 || cells[row] === 0) continue;
    const value = numbers === undefined
      ? dateOf(tape, cells[row]!)
      : numbers[row]!;
    if (value === undefined) return undefined;
    if (least < 0 || value < low) {
      least = row;
      low = value;
    }
    if (most < 0 || value > high) {
      most = row;
      high = value;
    }
  }
  if (least < 0) return undefined;
  const ends = [least, most].map((row) => cellOf(tape, cells[row]!));
  const isRange = numbers !== undefined || ends.every((end) => DATE.test(end));
  return isRange ? ends.join("..") : undefined;
}

/** Names of columns with the path of their parents, such as `user.login`. */
export function namesOf(columns: readonly Column[]): Map<Column, string> {
  const names = new Map<Column, string>();
  const visit = (list: readonly Column[], parent: string) => {
    for (const column of list) {
      const name = parent + column.key;
      names.set(column, name);
      if (column.members) visit(column.members, `${name}.`);
      column.tuple?.forEach((part, i) => visit(part, `${name}[${i}].`));
    }
  };
  visit(columns, "");
  return names;
}

/** Which paths of a large list stay. @module */
import { bestLines } from "../../text/relevance.ts";
import type { Directories, Units } from "./directories.ts";
import type { ExtensionTable } from "./extension_table.ts";
import { isNotable, mayBeNotable } from "./file_names.ts";
import { countsUp } from "./part_line.ts";
import { CHANGE, endOf, OTHER, type Rows } from "./rows.ts";

/** Paths that best fit the query. */
const QUERY_ROWS = 24;
/** Paths of a directory whose first and last one stay; of a smaller one the count tells enough. */
const LEAST_FOR_ENDS = 12;
/** Notable names: of each name, and share of all paths. */
const NOTABLE_EACH = 3;
const NOTABLE_SHARE = 0.04;
const LEAST_NOTABLE = 24;
/** An extension of so few paths is rare; with more such paths than this it says nothing. */
const RARE = 2;
const MOST_RARE = 30;
/** Paths right in the directory that holds all: if there are no more, they stay. */
const TOP_ROWS = 40;
/** Names that count up by one, which a range tells in full. */
const LEAST_RANGE = 12;
/** A directory has a pattern if so many names, and this share of them, are alike but for numbers. */
const LEAST_PATTERN = 20;
const PATTERN_SHARE = 0.9;
const MOST_ODD = 10;
/** Paths that there is room for: so many, and a share of all. */
const ROOM = 60;
const ROOM_SHARE = 0.06;
/** Fewer more paths of a directory tell nothing. */
const LEAST_MORE = 2;
/** Largest paths of a list with sizes. */
const LARGEST = 12;

/** A list and what is known about it. */
export interface Listed {
  readonly rows: Rows;
  readonly directories: Directories;
  readonly units: Units;
  readonly extensions: ExtensionTable;
  /** Terms of the query. */
  readonly terms: readonly string[];
  /** Whether a number stands after each path. */
  readonly isSized: boolean;
  /** Whether paths of one directory stand apart, as in an order of time. */
  readonly isScattered: boolean;
}

/**
 * Lines that stay: all that are no path, all that git reports as changed, the first and last path of
 * each unit, names that stand out, numbered names, and what fits the query. O(text).
 *
 * @returns One byte per line, 1 for a line that stays.
 */
export function selectPaths(listed: Listed): Uint8Array {
  const { rows, directories, units, terms } = listed;
  const keep = new Uint8Array(rows.lines.count);
  for (const { line } of bestLines(rows.lines, terms, QUERY_ROWS)) {
    keep[line] = 1;
  }
  const ends = endsOf(listed);
  const isTop = directories.counts[units.top]! <= TOP_ROWS;
  for (let i = 0; i < keep.length; i++) {
    if (rows.kind[i] === OTHER || rows.kind[i] === CHANGE) keep[i] = 1;
    if (!isTop || directories.of[i] !== units.top) continue;
    const unit = units.of[i]!;
    if (unit >= 0 && !units.isBulk[unit]) keep[i] = 1;
  }
  if (listed.isScattered) keepFirst(listed, keep);
  else {
    ends.count.forEach((count, unit) => {
      if (count < LEAST_FOR_ENDS) return;
      keep[ends.first[unit]!] = keep[ends.last[unit]!] = 1;
    });
  }
  const made = { ...listed, isMade: handMade(listed) };
  keepNotable(made, keep);
  keepRare(made, keep);
  keepOdd(made, keep);
  if (!listed.isScattered) keepMore(made, keep, ends.units);
  keepNumbered(made, keep);
  if (listed.isSized) keepLargest(rows, keep);
  return keep;
}

/** Where the paths of each unit start and end, of those that were written by hand. */
interface Ends {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  readonly count: Uint32Array;
  /** Number of units with such paths. */
  readonly units: number;
}

function endsOf({ directories, units }: Listed): Ends {
  const first = new Uint32Array(directories.paths.length);
  const last = new Uint32Array(directories.paths.length);
  const count = new Uint32Array(directories.paths.length);
  let found = 0;
  for (let i = 0; i < units.of.length; i++) {
    const unit = units.of[i]!;
    if (unit < 0 || units.isBulk[unit]) continue;
    if (count[unit] === 0) {
      first[unit] = i;
      found++;
    }
    last[unit] = i;
    count[unit]!++;
  }
  return { first, last, count, units: found };
}

/** A list and its paths in directories that were written by hand. */
interface Made extends Listed {
  readonly isMade: Uint8Array;
}

/** One byte per line, 1 for a path in a directory that was written by hand. */
function handMade({ units, rows }: Listed): Uint8Array {
  const made = new Uint8Array(rows.kind.length);
  for (let i = 0; i < made.length; i++) {
    const unit = units.of[i]!;
    if (rows.kind[i] !== OTHER && unit >= 0 && !units.isBulk[unit]) made[i] = 1;
  }
  return made;
}

function nameOf({ lines, name, stop }: Rows, line: number): string {
  return lines.text.slice(name[line]!, stop[line]!);
}

function keepNotable(listed: Made, keep: Uint8Array): void {
  const { rows, isMade } = listed;
  const { lines, name: starts, stop } = rows;
  const times = new Map<string, number>();
  let left = Math.max(LEAST_NOTABLE, Math.round(rows.count * NOTABLE_SHARE));
  for (let i = 0; i < keep.length && left > 0; i++) {
    if (keep[i] || !isMade[i]) continue;
    if (!mayBeNotable(lines.codes, starts[i]!, stop[i]!)) continue;
    const name = nameOf(rows, i);
    if (!isNotable(name)) continue;
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    if (count > NOTABLE_EACH) continue;
    keep[i] = 1;
    left--;
  }
}

function keepRare(listed: Made, keep: Uint8Array): void {
  const { isMade } = listed;
  const { names, of } = listed.extensions;
  const byExtension: number[][] = names.map(() => []);
  for (let i = 0; i < keep.length; i++) {
    if (!isMade[i]) continue;
    const found = byExtension[of[i]!]!;
    if (found.length <= RARE) found.push(i);
  }
  const rare = byExtension.filter((found) => found.length <= RARE).flat();
  if (rare.length <= MOST_RARE) { for (const i of rare) keep[i] = 1; }
}

/** Keeps names that break the pattern of their directory. */
function keepOdd(listed: Made, keep: Uint8Array): void {
  const { rows, directories, isMade } = listed;
  const patterns = new Map<number, Map<number, number[]>>();
  for (let i = 0; i < keep.length; i++) {
    const directory = directories.of[i]!;
    if (
      !isMade[i] || directories.counts[directory]! < LEAST_PATTERN
    ) {
      continue;
    }
    let found = patterns.get(directory);
    if (found === undefined) patterns.set(directory, found = new Map());
    const pattern = patternOf(rows, i);
    const lines = found.get(pattern);
    if (lines === undefined) found.set(pattern, [i]);
    else lines.push(i);
  }
  for (const [directory, found] of patterns) {
    const all = directories.counts[directory]!;
    let main = 0;
    for (const alike of found.values()) main = Math.max(main, alike.length);
    if (main < PATTERN_SHARE * all) continue;
    const odd = [...found.values()].filter((l) => l.length < main).flat();
    for (const i of odd.slice(0, MOST_ODD)) keep[i] = 1;
  }
}

/** Hash of a name with each number as one sign. */
function patternOf(
  { lines: { codes }, name, stop }: Rows,
  line: number,
): number {
  let hash = 7;
  let wasDigit = false;
  for (let at = name[line]!; at < stop[line]!; at++) {
    const code = codes[at]!;
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit || !wasDigit) {
      hash = Math.imul(hash ^ (isDigit ? 48 : code), 0x01000193);
    }
    wasDigit = isDigit;
  }
  return hash;
}

/** Keeps the first paths and the last one of a list that may have the most recent first. */
function keepFirst(listed: Listed, keep: Uint8Array): void {
  const { kind } = listed.rows;
  let left = ROOM;
  let last = -1;
  for (let i = 0; i < keep.length; i++) {
    if (kind[i] === OTHER) continue;
    if (left-- > 0) keep[i] = 1;
    last = i;
  }
  if (last >= 0) keep[last] = 1;
}

/** Keeps the next paths of each unit while there is room. */
function keepMore(listed: Made, keep: Uint8Array, units: number): void {
  let kept = 0;
  for (let i = 0; i < keep.length; i++) kept += keep[i]!;
  const room = ROOM + listed.rows.count * ROOM_SHARE - kept;
  const each = Math.floor(room / Math.max(1, units));
  if (each < LEAST_MORE) return;
  const { isMade } = listed;
  const shown = new Uint32Array(listed.directories.paths.length);
  for (let i = 0; i < keep.length; i++) {
    if (!isMade[i]) continue;
    const unit = listed.units.of[i]!;
    if (shown[unit]! < each) keep[i] = 1;
    shown[unit]!++;
  }
}

function keepNumbered(listed: Made, keep: Uint8Array): void {
  const { rows, isMade } = listed;
  let from = 0;
  for (let i = 1; i <= keep.length; i++) {
    const goesOn = i < keep.length && isMade[i] &&
      isMade[i - 1] && countsUp(rows, i - 1, i);
    if (goesOn) continue;
    if (i - from >= LEAST_RANGE) keep.fill(1, from, i);
    from = i;
  }
}

function keepLargest(rows: Rows, keep: Uint8Array): void {
  const sized: { readonly line: number; readonly size: number }[] = [];
  for (let line = 0; line < keep.length; line++) {
    if (rows.kind[line] === OTHER) continue;
    const said = rows.lines.text.slice(rows.stop[line]! + 1, endOf(rows, line));
    const unit = "KMGTP".indexOf(said.at(-1) ?? "") + 1;
    sized.push({ line, size: Number.parseFloat(said) * 1024 ** unit });
  }
  sized.sort((a, b) => b.size - a.size || a.line - b.line);
  for (const { line } of sized.slice(0, LARGEST)) keep[line] = 1;
}

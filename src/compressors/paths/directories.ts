/** The directories of a list, and which of them are told apart where paths are left out. @module */
import { isBulk } from "./file_names.ts";
import { isSame, isSlash, OTHER, type Rows } from "./rows.ts";

/** Levels of directories that are told apart. */
const MAX_DEPTH = 32;
/** A directory with fewer paths is told as one, also one with fewer for each directory in it. */
const LEAST_TO_SPLIT = 12;
const LEAST_EACH = 5;
/** Paths for each directory that is told, and limits of their number. */
const PATHS_EACH = 8;
const LEAST_UNITS = 8;
const MOST_UNITS = 200;

/** All directories; a parent has a lower index than its children. Index 0 is above all. */
export interface Directories {
  /** Whole path, its last slash included. */
  readonly paths: readonly string[];
  /** Index of the parent; -1 for index 0. */
  readonly parents: readonly number[];
  /** Paths right in it. */
  readonly counts: readonly number[];
  /** Directory of each line; -1 for a line that is no path. */
  readonly of: Int32Array;
}

/** Finds the directories of all paths. O(text). */
export function readDirectories(rows: Rows): Directories {
  const { lines, kind, path, name, sameHead } = rows;
  const known = new Map<string, number>([["", 0]]);
  const paths = [""];
  const parents = [-1];
  const counts = [0];
  const of = new Int32Array(lines.count).fill(-1);
  const growing = { known, paths, parents, counts };
  let before = -1;
  for (let i = 0; i < lines.count; i++) {
    if (kind[i] === OTHER) continue;
    const length = name[i]! - path[i]!;
    const isAsBefore = sameHead[i] === 1 || (before >= 0 &&
      name[before]! - path[before]! === length &&
      isSame(lines, [path[before]!, path[i]!], length));
    of[i] = isAsBefore
      ? of[before]!
      : add(lines.text.slice(path[i]!, name[i]!), growing);
    counts[of[i]!]!++;
    before = i;
  }
  return { paths, parents, counts, of };
}

/** Directories while they are collected. */
interface Growing {
  readonly known: Map<string, number>;
  readonly paths: string[];
  readonly parents: number[];
  readonly counts: number[];
}

function add(full: string, growing: Growing): number {
  const { known, paths, parents, counts } = growing;
  const found = known.get(full);
  if (found !== undefined) return found;
  const ends: number[] = [];
  for (let at = 0; at < full.length && ends.length < MAX_DEPTH; at++) {
    if (isSlash(full.charCodeAt(at))) ends.push(at + 1);
  }
  // From the inside out: most often the next directory out is known.
  const isWhole = ends.at(-1) === full.length;
  // The whole is not known, as was seen above.
  let depth = ends.length - (isWhole ? 1 : 0);
  let parent = 0;
  while (depth > 0) {
    const index = known.get(full.slice(0, ends[depth - 1]));
    if (index !== undefined) {
      parent = index;
      break;
    }
    depth--;
  }
  for (const end of ends.slice(depth)) {
    const path = full.slice(0, end);
    known.set(path, paths.length);
    parents.push(parent);
    counts.push(0);
    parent = paths.push(path) - 1;
  }
  if (!isWhole) known.set(full, parent);
  return parent;
}

/** Directories that are told apart. */
export interface Units {
  /** Unit of each line, the index of a directory; -1 for a line that is no path. */
  readonly of: Int32Array;
  /** 1 for each directory that nobody wrote by hand. */
  readonly isBulk: Uint8Array;
  /** Index of the innermost directory that holds all paths. */
  readonly top: number;
}

/**
 * Chooses the directories to tell: the large ones are split as far as there is room; one that
 * nobody wrote by hand is not.
 *
 * @param root What all paths start with. @param query Names of directories in it are of interest.
 */
export function chooseUnits(
  directories: Directories,
  root: string,
  query: string,
): Units {
  const { paths, parents, counts } = directories;
  const total = counts.slice();
  const children: number[][] = paths.map(() => []);
  for (let i = paths.length - 1; i > 0; i--) {
    total[parents[i]!]! += total[i]!;
    children[parents[i]!]!.push(i);
  }
  const bulk = new Uint8Array(paths.length);
  for (let i = 1; i < paths.length; i++) {
    const path = paths[i]!;
    const isBelow = path.length > root.length;
    const name = path.slice(paths[parents[i]!]!.length, -1);
    const isNew = isBelow && isBulk(name) && !query.includes(name);
    bulk[i] = isNew || bulk[parents[i]!] ? 1 : 0;
  }
  const isUnit = split(total, children, bulk);
  const unitOf = new Int32Array(paths.length);
  for (let i = 1; i < paths.length; i++) {
    unitOf[i] = isUnit[i] ? i : unitOf[parents[i]!]!;
  }
  return {
    of: directories.of.map((directory) =>
      directory < 0 ? -1 : unitOf[directory]!
    ),
    isBulk: bulk,
    top: total.lastIndexOf(total[0]!),
  };
}

function split(
  total: readonly number[],
  children: readonly (readonly number[])[],
  bulk: Uint8Array,
): Uint8Array {
  const isUnit = new Uint8Array(total.length);
  isUnit[0] = 1;
  const room = Math.min(
    MOST_UNITS,
    Math.max(LEAST_UNITS, Math.round(total[0]! / PATHS_EACH)),
  );
  const open = [0];
  for (let units = 1; open.length > 0;) {
    let largest = 0;
    for (let i = 1; i < open.length; i++) {
      if (total[open[i]!]! > total[open[largest]!]!) largest = i;
    }
    const [next] = open.splice(largest, 1);
    const below = children[next!]!;
    if (total[next!]! < LEAST_TO_SPLIT) break;
    const isFine = total[next!]! < LEAST_EACH * below.length;
    if (bulk[next!] || isFine || units + below.length > room) continue;
    for (const child of below) {
      isUnit[child] = 1;
      open.push(child);
    }
    units += below.length;
  }
  return isUnit;
}

/** What is told of paths that are left out: where they stand, how many, of which types. @module */
import type { Directories, Units } from "./directories.ts";
import type { ExtensionTable } from "./extension_table.ts";

/** Directories that a note tells of. */
const MOST_UNITS = 40;
/** Directories below it that are named; of more only their number is told. */
const MOST_FOLDERS = 48;
/** Extensions told of a directory. */
const MOST_EXTENSIONS = 3;

/** What a set of paths has of one directory. */
interface Share {
  paths: number;
  /** Directories below and with it. */
  readonly folders: Set<number>;
  /** Paths with each extension, by its index. */
  readonly extensions: Map<number, number>;
}

/** A list and the directories to tell of. */
export interface Told {
  readonly directories: Directories;
  readonly units: Units;
  readonly extensions: ExtensionTable;
  /** Units of all paths that are not written. */
  readonly root: number;
}

/** `src/net/ 35 .ts; src/gen/ 41 (38 .ts, 3 .json) in 2 folders: api db` for the lines that are given. */
export function tellPaths(
  told: Told,
  lines: readonly number[],
  most: number = MOST_UNITS,
): string {
  const shares = sharesOf(told, lines);
  const largest = [...shares].sort((a, b) => b[1].paths - a[1].paths);
  const shown = new Set(largest.slice(0, most).map(([unit]) => unit));
  const said = [...shares].filter(([unit]) => shown.has(unit)).map((
    [unit, share],
  ) => tellShare(told, unit, share));
  const rest = largest.slice(most);
  if (rest.length > 0) {
    const paths = rest.reduce((sum, [, share]) => sum + share.paths, 0);
    said.push(`${paths} in ${rest.length} more folders`);
  }
  return said.join("; ");
}

function sharesOf(
  { directories, units, extensions }: Told,
  lines: readonly number[],
): Map<number, Share> {
  const shares = new Map<number, Share>();
  let share: Share | undefined;
  let last = -1;
  let folder = -1;
  for (const line of lines) {
    const unit = units.of[line]!;
    if (unit < 0) continue;
    if (unit !== last || share === undefined) {
      share = shares.get(unit);
      if (share === undefined) {
        share = { paths: 0, folders: new Set(), extensions: new Map() };
        shares.set(unit, share);
      }
      last = unit;
    }
    share.paths++;
    const own = directories.of[line]!;
    // A directory has one unit.
    if (own !== folder) share.folders.add(own);
    folder = own;
    const extension = extensions.of[line]!;
    share.extensions.set(extension, (share.extensions.get(extension) ?? 0) + 1);
  }
  return shares;
}

function tellShare(
  told: Told,
  unit: number,
  { paths, folders, extensions }: Share,
): string {
  const directory = told.directories.paths[unit]!.slice(told.root);
  const where = directory === "" ? "" : `${directory} `;
  const types = [...extensions].map(([index, count]) =>
    [told.extensions.names[index]!, count] as const
  ).filter(([extension]) => extension !== "").sort((a, b) => b[1] - a[1]);
  const below = tellFolders(told, unit, folders);
  const first = types[0];
  if (first === undefined) return `${where}${paths}${below}`;
  if (first[1] === paths) return `${where}${paths} ${first[0]}${below}`;
  const shown = types.slice(0, MOST_EXTENSIONS);
  const others = paths - shown.reduce((sum, [, count]) => sum + count, 0);
  const listed = shown.map(([extension, count]) => `${count} ${extension}`);
  if (others > 0) listed.push(`${others} other`);
  return `${where}${paths} (${listed.join(", ")})${below}`;
}

/** ` in 3 folders: api db ui`: the directories right below that hold the paths. */
function tellFolders(
  { directories, units }: Told,
  unit: number,
  folders: ReadonlySet<number>,
): string {
  const { paths, parents } = directories;
  const start = paths[unit]!.length;
  let last = -1;
  const names = new Set<string>();
  for (const folder of folders) {
    if (folder === unit) continue;
    let below = folder;
    while (parents[below] !== unit) below = parents[below]!;
    if (below !== last) names.add(paths[below]!.slice(start, -1));
    last = below;
  }
  if (names.size === 0) return "";
  const isNamed = names.size <= MOST_FOLDERS && !units.isBulk[unit];
  const count = `${names.size} ${names.size === 1 ? "folder" : "folders"}`;
  return ` in ${count}${isNamed ? `: ${[...names].join(" ")}` : ""}`;
}

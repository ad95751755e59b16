/** What of a diff stays: changes and what says where they are; context, repeated names and bulk go. @module */
import type { Units } from "../../core/kind.ts";
import { STAYS } from "../../engine/choose.ts";
import { leaveOutBulk, leaveOutMiddle } from "./bulk.ts";
import {
  firstLines,
  headerOfKept,
  type Hunk,
  isRemark,
  passLine,
  signOf,
} from "./hunk.ts";
import { failingIn } from "./failing.ts";
import type { LockedPackage } from "./locked_package.ts";
import { movesIn } from "./moves.ts";
import { type DiffView, type FileDiff, isBlobLine } from "./parse.ts";

/** What a line is, where that is not text that stays. */
export const TEXT = 0;
/** A line of a header that says nothing which other lines of it do not say. */
export const REPEATS = 1;
/** Encoded binary data. */
export const DATA = 2;
/** A line of a hunk that no side changed. */
export const CONTEXT = 3;
/** A line that was added, removed or changed. */
export const CHANGE = 4;
/** The header of a hunk. */
export const HUNK = 5;

/** Changed lines in a row from which only both ends stay. */
const LONG_RUN = 200;
const LONG_ENDS = [24, 8] as const;
const TELLS_NOTHING = /^[\s{}()[\];,]*$/;
/** Heads no place: imports are at the top. */
const IMPORT = /^\s*(?:import|from|use|using|package|#include)\b/;
/** What git writes of a file that is new, in the usual mode. */
const NEW_FILE = "new file mode 100644";
const GIT_FILE = /^diff --(?:(?:cc|combined) (.*)|git a\/(.*) b\/(.*))$/;
const COMMIT = /^commit [0-9a-f]{40}\b/;
const COMMIT_LENGTH = "commit ".length + 12;
/** The lines of a diff with what is known of them; all lists have one entry per line. */
export interface DiffLines {
  /** See {@linkcode TEXT} and the constants below it. */
  readonly roles: Uint8Array;
  /** Number in the file before the change; 0 outside of hunks. */
  readonly before: Uint32Array;
  /** Number in the file after it. */
  readonly after: Uint32Array;
  /** Hunk of a body line or a header, as its place in `hunks`, from 1; 0 for none. */
  readonly places: Uint32Array;
  /** All hunks. */
  readonly hunks: readonly Hunk[];
  /** How lines are written that name a file or a commit in a longer way than needed. */
  readonly names: ReadonlyMap<number, string>;
  /** What is said of lines that move, by the first that is left out. */
  readonly moved: ReadonlyMap<number, string>;
  /** Packages of lock files by the lines that say a version of theirs. */
  readonly locked: ReadonlyMap<number, LockedPackage>;
  /** 1 for a line that stays. */
  readonly stays: Uint8Array;
  /** Header of the hunk or of the file; -1 for none. */
  readonly parents: Int32Array;
}

/** Reads what each line of a diff is, and which ones stay. O(n). */
export function diffLines(view: DiffView): DiffLines {
  const { lines, files } = view;
  const list = {
    roles: new Uint8Array(lines.length),
    before: new Uint32Array(lines.length),
    after: new Uint32Array(lines.length),
    places: new Uint32Array(lines.length),
    hunks: [] as Hunk[],
    names: new Map<number, string>(),
    moved: new Map<number, string>(),
    locked: new Map<number, LockedPackage>(),
    stays: new Uint8Array(lines.length).fill(1),
    parents: new Int32Array(lines.length).fill(-1),
  };
  for (const file of files) readFile(view, file, list);
  // A commit is known by the start of its hash.
  for (const [at, line] of lines.entries()) {
    const isName = list.roles[at] === TEXT && line.startsWith("commit ") &&
      COMMIT.test(line);
    if (!isName) continue;
    list.names.set(at, `${line.slice(0, COMMIT_LENGTH)}…${line.slice(47)}`);
  }
  for (const { start, end, said } of movesIn(view, list)) {
    list.stays.fill(0, start, end);
    list.moved.set(start, said);
  }
  return list;
}

/** A list that is being made. */
type Growing = DiffLines & {
  readonly hunks: Hunk[];
  readonly names: Map<number, string>;
  readonly locked: Map<number, LockedPackage>;
};

function readFile(view: DiffView, file: FileDiff, list: Growing): void {
  readHeader(view, file, list);
  let heading = "";
  for (const hunk of file.hunks) {
    list.parents[hunk.start] = file.start;
    readHunk(view, hunk, list);
    const isSaid = hunk.heading === heading || IMPORT.test(hunk.heading);
    list.hunks.push(isSaid ? { ...hunk, heading: "" } : hunk);
    list.places.fill(list.hunks.length, hunk.start, hunk.end);
    heading = hunk.heading;
  }
  const isChange = (line: number) => list.roles[line] === CHANGE;
  leaveOutBulk(view, file, { ...list, isChange });
  for (const line of failingIn(view, file, { ...list, isChange })) {
    list.stays[line] = 1;
  }
}

/** The hunk that a line is in, its header included. */
export function hunkOf(
  { hunks, places }: DiffLines,
  line: number,
): Hunk | undefined {
  return hunks[(places[line] ?? 0) - 1];
}

/** Cuts a diff into its lines; headers of hunks count what stays below them. */
export function diffUnits(
  { text, lines, files }: DiffView,
  list: DiffLines,
): Units {
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const starts = new Uint32Array(count + 1);
  let at = 0;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    at += (lines[i] ?? "").length + 1;
  }
  starts[count] = text.length;
  const isChange = (line: number) => list.roles[line] === CHANGE;
  return {
    starts,
    weights: list.stays.subarray(0, count).map((stays) => stays * STAYS),
    parents: list.parents.subarray(0, count),
    told: toldIn(list, files).subarray(0, count),
    write: (unit, kept) => {
      const name = list.names.get(unit);
      if (name !== undefined) return `${name}\n`;
      const hunk = list.roles[unit] === HUNK ? hunkOf(list, unit) : undefined;
      return hunk && kept &&
        `${headerOfKept(lines, hunk, { kept, isChange })}\n`;
    },
  };
}

/** Marks header lines that repeat names, which the first line says, or give hashes. */
function readHeader(
  { lines }: DiffView,
  file: FileDiff,
  list: Growing,
): void {
  const { start, headerEnd, names } = file;
  for (let at = start + 1; at < headerEnd; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("index ")) leaveOut(list, at, REPEATS);
    else if (line === NEW_FILE) list.names.set(at, "new file");
    else if (isBlobLine(line) && names < 0) leaveOut(list, at, DATA);
  }
  readNames(lines, file, list);
}

function leaveOut({ roles, stays }: Growing, line: number, role: number): void {
  roles[line] = role;
  stays[line] = 0;
}

function readNames(
  lines: readonly string[],
  { start, names, hunks }: FileDiff,
  list: Growing,
): void {
  const [, both = "", before = both, after = both] =
    GIT_FILE.exec(lines[start] ?? "") ?? [];
  if (before === "" || names < start || hunks.length === 0) return;
  const isShort = before === after && both === "" && !before.includes(" ");
  if (isShort) list.names.set(start, `diff --git ${before}`);
  const areImplied = isImplied(lines[names], `a/${before}`) &&
    isImplied(lines[names + 1], `b/${after}`);
  if (!areImplied) return;
  leaveOut(list, names, REPEATS);
  leaveOut(list, names + 1, REPEATS);
}

/** Whether a line of a header names no other file than the first line does. */
function isImplied(line = "", name: string): boolean {
  return line.endsWith(" /dev/null") || line.slice(4).trimEnd() === name;
}

/** Context at the ends of a hunk, which its header counts, and header lines after those of the first file, whose note is for all. */
function toldIn(
  { roles, stays }: DiffLines,
  files: readonly FileDiff[],
): Uint8Array {
  const told = new Uint8Array(roles.length);
  const isGone = (at: number) => roles[at] === CONTEXT && stays[at] === 0;
  let isSaid = false;
  for (const { start, headerEnd, hunks } of files) {
    const repeats = roles.subarray(start, headerEnd).includes(REPEATS);
    for (let at = start; at < headerEnd; at++) {
      if (isSaid && roles[at] === REPEATS) told[at] = 1;
    }
    isSaid ||= repeats;
    for (const hunk of hunks) {
      for (let at = hunk.start + 1; at < hunk.end && isGone(at); at++) {
        told[at] = 1;
      }
      for (let at = hunk.end - 1; at > hunk.start && isGone(at); at--) {
        told[at] = 1;
      }
    }
  }
  return told;
}

/** Numbers the lines of a hunk, and marks the context that says nothing about its changes. */
function readHunk(
  { lines }: DiffView,
  hunk: Hunk,
  { roles, before, after, parents, stays }: DiffLines,
): void {
  const next = firstLines(hunk);
  roles[hunk.start] = HUNK;
  // Kept with any line below it.
  stays[hunk.start] = 0;
  for (let at = hunk.start + 1; at < hunk.end; at++) {
    const line = lines[at] ?? "";
    const isSame = isRemark(line) || signOf(hunk, line) === " ";
    roles[at] = isSame ? CONTEXT : CHANGE;
    before[at] = next[0] ?? 0;
    after[at] = next.at(-1) ?? 0;
    parents[at] = hunk.start;
    // A body that was cut says itself where it ends.
    if (isSame && hunk.isComplete) stays[at] = 0;
    passLine(hunk, line, next);
  }
  keepAround(lines, hunk, { roles, stays });
}

/** Keeps what says where the runs of changes in a hunk are, and of long ones only their ends. */
function keepAround(
  lines: readonly string[],
  hunk: Hunk,
  { roles, stays }: Pick<DiffLines, "roles" | "stays">,
): void {
  for (let at = hunk.start + 1; at < hunk.end; at++) {
    const isRun = roles[at] === CHANGE && roles[at - 1] !== CHANGE;
    if (!isRun) continue;
    let end = at;
    while (end < hunk.end && roles[end] === CHANGE) end++;
    const place = placeOf(lines, hunk, [at, end]);
    if (place !== undefined) stays[place] = 1;
    // A remark belongs to the line above it.
    if (isRemark(lines[end] ?? "")) stays[end] = 1;
    if (end - at > LONG_RUN) leaveOutMiddle(stays, [at, end], LONG_ENDS);
    at = end;
  }
}

/** The line of context that shows where a change is: the one before, or behind; none where a heading or what was removed does. */
function placeOf(
  lines: readonly string[],
  hunk: Hunk,
  [start, end]: readonly [number, number],
): number | undefined {
  if (hunk.isWords) return undefined;
  if (hunk.heading.trim() !== "" || signOf(hunk, lines[start] ?? "") === "-") {
    return undefined;
  }
  const parents = hunk.sides.length - 1;
  return [start - 1, end].find((at) =>
    at > hunk.start && at < hunk.end &&
    !TELLS_NOTHING.test((lines[at] ?? "").slice(parents))
  );
}

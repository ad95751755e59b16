/** Which files nobody reads line by line, and what stays of them: lock files, generated, minified, snapshots, files that are gone. @module */
import { type LockedChanges, lockedIn } from "./locked.ts";
import type { LockedPackage } from "./locked_package.ts";
import { type DiffView, type FileDiff, pathOf } from "./parse.ts";

const LOCK_FILES: ReadonlySet<string> = new Set([
  "bun.lock",
  "cargo.lock",
  "composer.lock",
  "deno.lock",
  "flake.lock",
  "gemfile.lock",
  "go.sum",
  "mix.lock",
  "npm-shrinkwrap.json",
  "package-lock.json",
  "package.resolved",
  "packages.lock.json",
  "pdm.lock",
  "pipfile.lock",
  "pnpm-lock.yaml",
  "podfile.lock",
  "poetry.lock",
  "pubspec.lock",
  "uv.lock",
  "yarn.lock",
]);

const BULK_NAME =
  /\.(?:min\.(?:js|mjs|cjs|css)|bundle\.js|map|snap|pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs)$|_pb2(?:_grpc)?\.pyi?$|\.generated\.[a-z]+$/;
const BULK_FOLDER = /(?:^|\/)(?:node_modules|__snapshots__|dist)\//;
const COMMENT_WITH_MARK =
  /^[ +-]?\s*(?:\/\/|#|\/?\*|<!--|--|;|"""|\(\*).*(?:@generated\b|\bDO NOT EDIT\b)/;

/** Lines of a file from which bulk is summarised; those that stay of it, at both ends. */
const BULK_LINES = 30;
const BULK_ENDS = [6, 4] as const;
/** Lines that stay of a file that is gone, and of a lock file whose packages notes list. */
const GONE_ENDS = [6, 0] as const;
const LISTED_ENDS = [0, 0] as const;
/** Lines at the top of a file in which a generator names itself. */
const TOP_LINES = 12;
/** Mean characters per changed line from which a file is taken for minified. */
const MINIFIED_MEAN = 400;
/** Characters from which that mean says something. */
const MINIFIED_TOTAL = 4000;

/** Whether the diff of a file may be summarised; judged by its path, a mark at its top, or its line lengths. */
export function isBulk(
  lines: readonly string[],
  file: FileDiff,
): boolean {
  const lower = pathOf(lines, file).toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return isLockFile(lines, file) || BULK_NAME.test(name) ||
    BULK_FOLDER.test(lower) || hasMark(lines, file) || isMinified(lines, file);
}

function hasMark(lines: readonly string[], file: FileDiff): boolean {
  const hunk = file.hunks[0];
  if (hunk === undefined || (hunk.sides.at(-1)?.start ?? 0) > 3) return false;
  const end = Math.min(hunk.end, hunk.start + 1 + TOP_LINES);
  for (let i = hunk.start + 1; i < end; i++) {
    if (COMMENT_WITH_MARK.test((lines[i] ?? "").slice(0, 300))) return true;
  }
  return false;
}

function isMinified(lines: readonly string[], file: FileDiff): boolean {
  let total = 0;
  let count = 0;
  for (const hunk of file.hunks) {
    for (let i = hunk.start + 1; i < hunk.end; i++) {
      const line = lines[i] ?? "";
      if (line.startsWith(" ")) continue;
      total += line.length;
      count++;
    }
  }
  return total > MINIFIED_TOTAL && total > MINIFIED_MEAN * count;
}

function isLockFile(lines: readonly string[], file: FileDiff): boolean {
  const path = pathOf(lines, file).toLowerCase();
  return LOCK_FILES.has(path.slice(path.lastIndexOf("/") + 1));
}

/** What is known of the lines of a diff; `stays`, `parents` and `locked` are changed. */
interface Known {
  readonly stays: Uint8Array;
  readonly parents: Int32Array;
  readonly locked: Map<number, LockedPackage>;
  readonly isChange: (line: number) => boolean;
}

/** Of lock files, generated files and files that are gone only the ends stay, and what is odd among packages that notes list. O(lines of the file). */
export function leaveOutBulk(
  view: DiffView,
  file: FileDiff,
  known: Known,
): void {
  const { lines } = view;
  const { stays } = known;
  const [first, ...others] = file.hunks;
  if (first === undefined) return;
  const last = others.at(-1) ?? first;
  const size = file.hunks.reduce((sum, { start, end }) => sum + end - start, 0);
  const isGone = others.length === 0 && first.isComplete &&
    first.sides.at(-1)?.count === 0;
  if (size <= BULK_LINES || !(isGone || isBulk(lines, file))) return;
  const whole = [first.start + 1, last.end] as const;
  const locked = isLockFile(lines, file) ? lockedIn(view, file) : undefined;
  const isListed = locked !== undefined && locked.packages.size > 0;
  // What notes list needs no context.
  const range = isListed && !isGone ? whole : changedIn(whole, known);
  const ends = isGone ? GONE_ENDS : isListed ? LISTED_ENDS : BULK_ENDS;
  leaveOutMiddle(stays, range, ends);
  if (locked !== undefined) keepOdd(locked, known);
}

function keepOdd(
  { packages, owners, odd }: LockedChanges,
  { stays, parents, locked }: Known,
): void {
  for (const [line, one] of packages) locked.set(line, one);
  // A line that stays is read with the name of its package.
  for (const [line, owner] of owners) parents[line] = owner;
  for (const line of odd) stays[line] = 1;
}

/** A range without the lines at its ends that no side changed. */
function changedIn(
  [from, to]: readonly [number, number],
  { isChange }: Known,
): readonly [number, number] {
  let [start, end] = [from, to];
  while (start < end && !isChange(start)) start++;
  while (end > start && !isChange(end - 1)) end--;
  return [start, end];
}

/** Leaves out the middle of a range of lines, where that is any. */
export function leaveOutMiddle(
  stays: Uint8Array,
  [start, end]: readonly [number, number],
  [head, tail]: readonly [number, number],
): void {
  if (end - start > head + tail) stays.fill(0, start + head, end - tail);
}

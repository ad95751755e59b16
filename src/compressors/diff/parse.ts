/** The files of a diff, and whether a text is one. @module */
import { type Hunk, hunkAt, signOf } from "./hunk.ts";

/** The part of a diff that is about one file; lines are counted from 0. */
export interface FileDiff {
  /** First line. */
  readonly start: number;
  /** The line behind the last. */
  readonly end: number;
  /** First line behind the header lines. */
  readonly headerEnd: number;
  /** Line of `--- name`, which `+++ name` follows; -1 when there is none. */
  readonly names: number;
  /** In order, without gaps. */
  readonly hunks: readonly Hunk[];
}

/** A text and the diffs in it. */
export interface DiffView {
  /** The text. */
  readonly text: string;
  /** Its lines, split at line feeds. */
  readonly lines: readonly string[];
  /** In order and disjoint; lines outside are commit messages and the like. */
  readonly files: readonly FileDiff[];
}

/** UTF-16 units looked at first; a diff shows early. */
const LOOKED_AT = 200_000;
const FILE_START = /^(?:diff --(?:git|cc|combined) |Index: |--- )/m;
const GIT_FILE = /^diff --(?:git|cc|combined) /;
const EXTENDED =
  /^(?:index|mode|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|Binary files) /;
const BLOB = /^(?:literal|delta) \d+$/;
const BLOB_LINE = /^[A-Za-z]\S{5,}$/;
const COMMIT = /^(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )/;
const COMMIT_FIELD =
  /^(?:Author|AuthorDate|Commit|CommitDate|Date|Merge|tree|parent|author|committer|From|Subject):? |^ {4}/;
/** Share of the lines that a diff must have, with the commits around it. */
const SHARE = 0.4;

/** Reads a diff; `undefined` when the text is none. O(n). */
export function parseDiff(text: string): DiffView | undefined {
  if (!FILE_START.test(text.slice(0, LOOKED_AT))) return undefined;
  const lines = text.split("\n");
  const view = { text, lines, files: filesIn(lines, false) };
  const words = /\[-|\{\+/.test(text) ? wordDiff(view) : undefined;
  const diff = words ?? view;
  return diff.files.length > 0 && shareOf(diff) >= SHARE ? diff : undefined;
}

/** The same with changes that are marked within lines, where each hunk has such marks and none has signs. */
function wordDiff({ text, lines, files }: DiffView): DiffView | undefined {
  const changes = (hunk: Hunk) =>
    lines.slice(hunk.start + 1, hunk.end)
      .some((line) => signOf(hunk, line) !== " ");
  const hasSigns = files.some(({ hunks }) =>
    hunks.some((hunk) => hunk.isComplete && changes(hunk))
  );
  if (hasSigns) return undefined;
  const marked = filesIn(lines, true);
  const hunks = marked.flatMap((file) => file.hunks);
  return hunks.length > 0 && hunks.every(changes)
    ? { text, lines, files: marked }
    : undefined;
}

/** Share of the lines that belong to files or to the commits around them. */
function shareOf({ lines, files }: DiffView): number {
  let inside = 0;
  let total = 0;
  let isCommit = false;
  let at = 0;
  for (const { start, end } of [...files, { start: lines.length, end: 0 }]) {
    for (const line of lines.slice(at, start)) {
      if (line.trim() === "") continue;
      total++;
      const isStart = COMMIT.test(line);
      isCommit ||= isStart;
      if (isCommit && (isStart || COMMIT_FIELD.test(line))) inside++;
    }
    inside += Math.max(0, end - start);
    total += Math.max(0, end - start);
    at = end;
  }
  return inside / total;
}

function filesIn(lines: readonly string[], isWords: boolean): FileDiff[] {
  const files: FileDiff[] = [];
  for (let at = 0; at < lines.length;) {
    const file = fileAt(lines, at, isWords);
    if (file !== undefined) files.push(file);
    at = file?.end ?? at + 1;
  }
  return files;
}

function fileAt(
  lines: readonly string[],
  start: number,
  isWords: boolean,
): FileDiff | undefined {
  const line = lines[start] ?? "";
  if (GIT_FILE.test(line)) {
    const { headerEnd, names } = gitHeader(lines, start);
    const hunks = hunksAt(lines, headerEnd, isWords);
    if (headerEnd === start + 1 && hunks.length === 0) return undefined;
    const end = hunks.at(-1)?.end ?? headerEnd;
    return { start, end, headerEnd, names, hunks };
  }
  const isIndex = line.startsWith("Index: ") &&
    lines[start + 1]?.startsWith("=====") === true;
  const names = isIndex ? start + 2 : start;
  if (!areNames(lines, names)) return undefined;
  const hunks = hunksAt(lines, names + 2, isWords);
  const last = hunks.at(-1);
  return last && { start, end: last.end, headerEnd: names + 2, names, hunks };
}

function gitHeader(
  lines: readonly string[],
  start: number,
): Pick<FileDiff, "headerEnd" | "names"> {
  let at = start + 1;
  let names = -1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (names < 0 && areNames(lines, at)) names = at++;
    else if (line.startsWith("GIT binary patch")) at = blobsEnd(lines, at);
    else if (!EXTENDED.test(line)) break;
  }
  return { headerEnd: at, names };
}

function areNames(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true &&
    lines[at + 1]?.startsWith("+++ ") === true;
}

/** Last line of the blocks `literal 12` and `delta 12` below `at`; each ends with a blank line. */
function blobsEnd(lines: readonly string[], at: number): number {
  while (BLOB.test(lines[at + 1] ?? "")) {
    at++;
    while (isBlobLine(lines[at + 1] ?? "")) at++;
    if (lines[at + 1] === "") at++;
  }
  return at;
}

/** A line of encoded binary data. */
export function isBlobLine(line: string): boolean {
  return BLOB_LINE.test(line);
}

function hunksAt(
  lines: readonly string[],
  from: number,
  isWords: boolean,
): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = from; at < lines.length;) {
    const hunk = hunkAt(lines, at, isWords);
    if (hunk === undefined) break;
    hunks.push(hunk);
    at = hunk.end;
  }
  return hunks;
}

/** Path of the file: the new one, or the old one of a deleted file; without `a/` and `b/`. */
export function pathOf(lines: readonly string[], file: FileDiff): string {
  const { names, start } = file;
  const added = names < 0 ? "" : lines[names + 1] ?? "";
  const name = names < 0
    ? (lines[start] ?? "").split(" ").at(-1) ?? ""
    : (added.startsWith("+++ /dev/null") ? lines[names] ?? "" : added)
      .slice("+++ ".length).split("\t")[0] ?? "";
  return name.trim().replace(/^"(.*)"$/, "$1").replace(/^[abciow]\//, "");
}

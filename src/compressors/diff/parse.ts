/** Finds the files and hunks of a diff; everything else is text that stays. @module */
import {
  countLine,
  type HunkHeader,
  isRemark,
  parseHunkHeader,
} from "./hunk_header.ts";

/** Half-open range of line indexes, counted from 0. */
export interface LineSpan {
  /** First line. */
  readonly start: number;
  /** The line after the last. */
  readonly end: number;
}

/** One hunk; `start` is its header line, its body begins behind it. */
export interface Hunk extends LineSpan {
  /** The header, parsed. */
  readonly header: HunkHeader;
  /** Whether the body has exactly the lines that the header counts. */
  readonly complete: boolean;
}

/** The part of a diff that is about one file. */
export interface FileDiff extends LineSpan {
  /** First line behind the header lines. */
  readonly headerEnd: number;
  /** Index of the `--- name` line, which `+++ name` follows; -1 when there is none. */
  readonly names: number;
  /** In order, without gaps. */
  readonly hunks: readonly Hunk[];
  /** Lines of encoded binary data, in the header. */
  readonly blobs: readonly LineSpan[];
}

/** A text and the diffs in it. */
export interface ParsedDiff {
  /** The text, split at line feeds. */
  readonly lines: readonly string[];
  /** In order and disjoint; lines outside are commit messages and the like. */
  readonly files: readonly FileDiff[];
}

/** Start of the line that begins one file in git's formats. */
const GIT_FILE = /^diff --(?:git|cc|combined) /;

const EXTENDED = [
  "index ",
  "mode ",
  "old mode ",
  "new mode ",
  "new file mode ",
  "deleted file mode ",
  "similarity index ",
  "dissimilarity index ",
  "rename from ",
  "rename to ",
  "copy from ",
  "copy to ",
  "Binary files ",
] as const;

/** Splits a text into lines and finds every file section. Linear; never throws. */
export function parseDiff(text: string): ParsedDiff {
  const lines = text.split("\n");
  const files: FileDiff[] = [];
  for (let i = 0; i < lines.length;) {
    const file = parseFile(lines, i);
    if (file === undefined) i++;
    else {
      files.push(file);
      i = file.end;
    }
  }
  return { lines, files };
}

function parseFile(lines: readonly string[], at: number): FileDiff | undefined {
  const line = lines[at]!;
  if (line.startsWith("--- ")) return parseNamed(lines, at, at);
  if (line.startsWith("Index: ")) {
    return lines[at + 1]?.startsWith("=====")
      ? parseNamed(lines, at, at + 2)
      : undefined;
  }
  if (GIT_FILE.test(line)) return parseGit(lines, at);
  return undefined;
}

/** `--- name`, `+++ name` and at least one hunk; the header begins at `start`. */
function parseNamed(
  lines: readonly string[],
  start: number,
  names: number,
): FileDiff | undefined {
  if (!areNames(lines, names)) return undefined;
  const hunks = parseHunks(lines, names + 2);
  const last = hunks.at(-1);
  if (last === undefined) return undefined;
  return {
    start,
    headerEnd: names + 2,
    names,
    hunks,
    blobs: [],
    end: last.end,
  };
}

function parseGit(
  lines: readonly string[],
  start: number,
): FileDiff | undefined {
  const blobs: LineSpan[] = [];
  let at = start + 1;
  let names = -1;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith("--- ") && names < 0 && areNames(lines, at)) {
      names = at++;
    } else if (line.startsWith("GIT binary patch")) {
      at = skipBlobs(lines, at + 1, blobs) - 1;
    } else if (!EXTENDED.some((prefix) => line.startsWith(prefix))) break;
  }
  const hunks = parseHunks(lines, at);
  if (at === start + 1 && hunks.length === 0) return undefined;
  const end = hunks.at(-1)?.end ?? at;
  return { start, headerEnd: at, names, hunks, blobs, end };
}

function areNames(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true &&
    lines[at + 1]?.startsWith("+++ ") === true;
}

/** Collects the data lines of `literal 12` and `delta 12` blocks; each ends with a blank line. */
function skipBlobs(
  lines: readonly string[],
  from: number,
  blobs: LineSpan[],
): number {
  let at = from;
  while (at < lines.length && /^(?:literal|delta) \d+$/.test(lines[at]!)) {
    const start = ++at;
    while (at < lines.length && /^[A-Za-z]\S{5,}$/.test(lines[at]!)) at++;
    blobs.push({ start, end: at });
    if (lines[at] === "") at++;
  }
  return at;
}

function parseHunks(lines: readonly string[], from: number): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = from; at < lines.length;) {
    const header = parseHunkHeader(lines[at]!);
    if (header === undefined) break;
    const hunk = parseHunk(lines, at, header);
    hunks.push(hunk);
    at = hunk.end;
  }
  return hunks;
}

/** Takes body lines until every side has its count; a removed `-- x` looks like a file name, so only counts can tell. */
function parseHunk(
  lines: readonly string[],
  start: number,
  header: HunkHeader,
): Hunk {
  const left = header.sides.map((side) => side.count);
  // The empty string behind the last line feed is no line.
  const limit = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  let at = start + 1;
  while (at < limit && isAnyAbove(left, 0)) {
    if (!countLine(lines[at]!, left, -1) || !isNoneBelow(left, 0)) break;
    at++;
  }
  const complete = left.every((count) => count === 0);
  if (complete && at < limit && isRemark(lines[at]!)) at++;
  return { start, end: at, header, complete };
}

// Loops rather than `some` and `every`: they run for each line of a diff.
function isAnyAbove(counts: readonly number[], limit: number): boolean {
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! > limit) return true;
  }
  return false;
}

function isNoneBelow(counts: readonly number[], limit: number): boolean {
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! < limit) return false;
  }
  return true;
}

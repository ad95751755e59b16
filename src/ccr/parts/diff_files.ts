/** Changes of one file in a diff, with the numbers of its lines before and after. @module */
import { indexLines, type Lines } from "../../text/lines.ts";
import {
  type FileLines,
  isNamed,
  type OtherFiles,
  wantedName,
} from "./file_lines.ts";

/** UTF-16 units of a line that are read: more names no file. */
const HEAD = 1_000;
/** Names that are given where none fits. */
const MAX_NAMES = 10;
const HUNK = /^(@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@/;
/** What names a file above its hunks; the names are the groups. */
const HEADERS = [
  /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/,
  /^diff --(?:cc|combined) (.*)$/,
  /^Index: (.*)$/,
  /^(?:---|\+\+\+) "?(?:[abciow]\/)?([^\t\n]*?)"?(?:\t.*)?$/,
  /^rename (?:from|to) (.*)$/,
] as const;
const FIRST_HEADER = /^(?:diff |Index: )/;
const COMMIT = /^commit [0-9a-f]{7,40}\b/;

/** A hunk that is being read. */
interface Hunk {
  /** Signs before each line: one, or one per parent of a merge. */
  readonly signs: number;
  /** Number of the next line before and after the change. */
  old: number;
  new: number;
  /** Lines that are still to come. */
  oldLeft: number;
  newLeft: number;
}

type Sign = "+" | "-" | " ";

/** Numbers of a line before and after the change, and what became of it. */
type Place = readonly [before: number, after: number, sign: Sign];

/** A file in a diff. */
interface Section {
  readonly names: Set<string>;
  readonly lines: number[];
  readonly numbers: number[];
  readonly oldNumbers: number[];
  readonly signs: Sign[];
  hasHunk: boolean;
}

/** All about the wanted file, headers included. O(n). */
export function diffFile(text: string, given: string): FileLines | OtherFiles {
  const wanted = wantedName(given).replace(/^[ab]\//, "");
  const sections = sectionsOf(indexLines(text));
  const names = [...new Set(sections.map(({ names }) => [...names].at(-1)!))];
  const exact = sections.filter((section) => section.names.has(wanted));
  const found = exact.length > 0
    ? exact
    : sections.filter((section) =>
      [...section.names].some((name) => isNamed(name, wanted))
    );
  if (found.length === 0) {
    return { names: names.slice(0, MAX_NAMES), total: names.length };
  }
  return {
    lines: found.flatMap(({ lines }) => lines),
    numbers: found.flatMap(({ numbers }) => numbers),
    change: {
      numbers: found.flatMap(({ oldNumbers }) => oldNumbers),
      signs: found.flatMap(({ signs }) => signs),
    },
    files: [...new Set(found.map((section) => [...section.names].at(-1)!))],
  };
}

function sectionsOf(lines: Lines): Section[] {
  const sections: Section[] = [];
  let section: Section | undefined;
  let hunk: Hunk | undefined;
  for (let i = 0; i < lines.count; i++) {
    const start = lines.starts[i]!;
    const end = Math.min(lines.starts[i + 1]! - 1, start + HEAD);
    const line = lines.text.slice(start, end);
    let place = hunk && placeIn(hunk, line);
    if (place === undefined) {
      if (COMMIT.test(line)) section = undefined;
      hunk = section && hunkOf(line);
      if (hunk !== undefined) {
        section!.hasHunk = true;
        place = [hunk.old, hunk.new, " "];
      } else if (isFirstHeader(line, section)) {
        sections.push(section = emptySection());
      }
    }
    if (section === undefined) continue;
    if (!section.hasHunk) addNames(section, line);
    addLine(section, i, place ?? [0, 0, " "]);
  }
  return sections.filter(({ names }) => names.size > 0);
}

function emptySection(): Section {
  const names = new Set<string>();
  return {
    names,
    lines: [],
    numbers: [],
    oldNumbers: [],
    signs: [],
    hasHunk: false,
  };
}

function addLine(
  section: Section,
  i: number,
  [before, after, sign]: Place,
): void {
  section.lines.push(i);
  section.oldNumbers.push(before);
  section.numbers.push(after);
  section.signs.push(sign);
}

/** `--- a` opens a file only where no other header did. */
function isFirstHeader(line: string, section: Section | undefined): boolean {
  if (FIRST_HEADER.test(line)) {
    // Subversion and some tools put `diff` below `Index:`.
    const isSecond = section !== undefined && !section.hasHunk &&
      section.lines.length <= 2 && !line.startsWith("diff --git");
    return !isSecond;
  }
  return /^--- \S/.test(line) && (section === undefined || section.hasHunk);
}

function addNames({ names }: Section, line: string): void {
  for (const header of HEADERS) {
    for (const name of header.exec(line)?.slice(1) ?? []) {
      if (name !== "" && name !== "/dev/null") names.add(name);
    }
  }
}

function hunkOf(line: string): Hunk | undefined {
  const match = HUNK.exec(line);
  if (match === null) return undefined;
  const [, at = "@@", before = "", first, count = "1"] = match;
  const [, oldFirst, oldCount = "1"] = /^-(\d+)(?:,(\d+))?/.exec(before)!;
  return {
    signs: at.length - 1,
    old: Number(oldFirst),
    new: Number(first),
    oldLeft: Number(oldCount),
    newLeft: Number(count),
  };
}

/** Takes the next line of a hunk; `undefined` behind its end. */
function placeIn(hunk: Hunk, line: string): Place | undefined {
  // A remark on the line above.
  if (line.startsWith("\\")) return [hunk.old - 1, hunk.new - 1, " "];
  // Of a merge only one parent's lines are counted: what begins no line of a hunk ends it.
  const isOver = hunk.signs > 1
    ? !/^[ +-]/.test(line)
    : hunk.oldLeft <= 0 && hunk.newLeft <= 0;
  if (isOver) return undefined;
  const signs = line.slice(0, hunk.signs);
  const sign = signs.includes("-") ? "-" : signs.includes("+") ? "+" : " ";
  const place: Place = [hunk.old, hunk.new, sign];
  if (sign !== "+") {
    hunk.old++;
    hunk.oldLeft--;
  }
  if (sign !== "-") {
    hunk.new++;
    hunk.newLeft--;
  }
  return place;
}

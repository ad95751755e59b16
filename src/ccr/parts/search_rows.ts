/** Rows of search results by the file they are from: `grep -n`, context lines, `rg --heading`. @module */
import { indexLines, lineAt, type Lines } from "../../text/lines.ts";
import {
  type FileLines,
  isNamed,
  type OtherFiles,
  wantedName,
} from "./file_lines.ts";

/** UTF-16 units of a line in which its name and number stand. */
const HEAD = 500;
/** Names that are given where none fits. */
const MAX_NAMES = 10;
/** A row with a name: of a match, or of a line around one. */
const MATCH = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,400}):(\d+)[:-]/;
/** A number that may be the one of a row, and how many are tried. */
const NUMBER = /[:=-](\d+)(?:[:=-]|$)/g;
const TRIES = 6;
/** A row without one. */
const ROW = /^(\d+)[:-]/;

/** Rows of the wanted file, with the numbers that they show. O(n). */
export function searchRows(
  text: string,
  given: string,
): FileLines | OtherFiles {
  const wanted = wantedName(given);
  const lines = indexLines(text);
  const names = namesIn(lines);
  const exact = names.has(wanted)
    ? [wanted]
    : [...names].filter((name) => isNamed(name, wanted));
  // A search in one file names none.
  const isUnnamed = names.size === 0;
  if (exact.length === 0 && !isUnnamed) {
    return { names: [...names].slice(0, MAX_NAMES), total: names.size };
  }
  const found = rowsOf(lines, new Set(exact), isUnnamed);
  return found.lines.length === 0
    ? { names: [...names].slice(0, MAX_NAMES), total: names.size }
    : { ...found, files: exact };
}

/** Numbers before the rows of a search in one file; `undefined` when rows name files. O(n). */
export function rowNumbers(text: string): Uint32Array | undefined {
  const lines = indexLines(text);
  const numbers = new Uint32Array(lines.count);
  let rows = 0;
  for (let i = 0; i < lines.count; i++) {
    const row = ROW.exec(headOf(lines, i));
    if (row === null) continue;
    numbers[i] = Number(row[1]);
    rows++;
  }
  return rows > 0 && namesIn(lines).size === 0 ? numbers : undefined;
}

function headOf({ text, starts }: Lines, i: number): string {
  return text.slice(
    starts[i]!,
    Math.min(starts[i + 1]! - 1, starts[i]! + HEAD),
  );
}

/** Files that matches name, and headings above rows without a name. */
function namesIn(lines: Lines): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i < lines.count; i++) {
    const head = headOf(lines, i);
    const row = ROW.test(head);
    const name = row ? undefined : MATCH.exec(head)?.[1];
    if (name !== undefined) names.add(name);
    else if (!row && isHeading(lines, i)) names.add(lineAt(lines, i));
  }
  return names;
}

function isHeading(lines: Lines, i: number): boolean {
  if (i + 1 >= lines.count || lines.starts[i + 1]! - lines.starts[i]! < 2) {
    return false;
  }
  if (i > 0 && lines.starts[i]! - lines.starts[i - 1]! > 1) return false;
  return ROW.test(headOf(lines, i + 1)) && !/^--$/.test(headOf(lines, i));
}

function rowsOf(
  lines: Lines,
  names: ReadonlySet<string>,
  isUnnamed: boolean,
): Omit<FileLines, "files"> {
  const found: number[] = [];
  const numbers: number[] = [];
  let isInside = isUnnamed;
  for (let i = 0; i < lines.count; i++) {
    const head = headOf(lines, i);
    const row = ROW.exec(head);
    if (row === null && isHeading(lines, i)) {
      isInside = names.has(lineAt(lines, i));
      if (!isInside) continue;
    }
    const number = row === null
      ? namedNumber(head, names)
      : isInside
      ? Number(row[1])
      : undefined;
    if (number === undefined) continue;
    found.push(i);
    numbers.push(number);
  }
  return { lines: found, numbers };
}

/** Number in `path:12:` or `path-12-` of one of the files. */
function namedNumber(
  head: string,
  names: ReadonlySet<string>,
): number | undefined {
  NUMBER.lastIndex = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const number = NUMBER.exec(head);
    if (number === null) return undefined;
    if (names.has(head.slice(0, number.index))) return Number(number[1]);
    // The border behind this number may be the one before the next.
    NUMBER.lastIndex--;
  }
  return undefined;
}

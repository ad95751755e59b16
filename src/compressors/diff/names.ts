/** File names of a diff's header. @module */
import type { FileDiff } from "./parse.ts";

/** The `--- ` and the `+++ ` line. */
export type NameLines = readonly [old: string, added: string];

/**
 * The name lines that git would write under the other header lines.
 *
 * @param header The header's lines without the name lines, `diff --git …` first.
 * @returns `undefined` when they do not follow from the header.
 */
export function impliedNames(header: readonly string[]): NameLines | undefined {
  const pair = namesOf(header);
  if (pair === undefined) return undefined;
  const isNew = header.some((line) => line.startsWith("new file mode "));
  const isGone = header.some((line) => line.startsWith("deleted file mode "));
  return [
    `--- ${isNew ? "/dev/null" : terminated(pair[0])}`,
    `+++ ${isGone ? "/dev/null" : terminated(pair[1])}`,
  ];
}

/** A tab ends an unquoted name with a space in it. */
function terminated(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

function namesOf(header: readonly string[]): NameLines | undefined {
  const first = header[0] ?? "";
  const combined = /^diff --(?:cc|combined) (.+)$/.exec(first)?.[1];
  if (combined !== undefined) return [`a/${combined}`, `b/${combined}`];
  if (!first.startsWith("diff --git ")) return undefined;
  const both = first.slice("diff --git ".length);
  return renamed(header, both) ?? halves(both);
}

function renamed(
  header: readonly string[],
  both: string,
): NameLines | undefined {
  const from = valueOf(header, /^(?:rename|copy) from (.+)$/);
  const to = valueOf(header, /^(?:rename|copy) to (.+)$/);
  if (from === undefined || to === undefined) return undefined;
  return both === `a/${from} b/${to}` ? [`a/${from}`, `b/${to}`] : undefined;
}

function valueOf(header: readonly string[], pattern: RegExp) {
  for (const line of header) {
    const value = pattern.exec(line)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Splits `a/x b/x` in its middle: names may hold spaces, but both are the same. */
function halves(both: string): NameLines | undefined {
  const middle = (both.length - 1) / 2;
  const old = both.slice(0, middle);
  const added = both.slice(middle + 1);
  if (both[middle] !== " ") return undefined;
  if (old === added) return [old, added];
  const quote = old.startsWith('"') ? 1 : 0;
  const same = old[quote + 1] === "/" &&
    old.slice(0, quote) === added.slice(0, quote) &&
    old.slice(quote + 1) === added.slice(quote + 1);
  return same ? [old, added] : undefined;
}

/** Header lines of `file` without its name lines. */
export function headerWithoutNames(
  lines: readonly string[],
  file: FileDiff,
): readonly string[] {
  const header = lines.slice(file.start, file.headerEnd);
  if (file.names >= 0) header.splice(file.names - file.start, 2);
  return header;
}

/**
 * Whether the name lines of `file` say nothing that its other header lines do not say.
 *
 * Git takes the `diff` line for the names only where an extended header line follows it.
 */
export function areNamesImplied(
  lines: readonly string[],
  file: FileDiff,
): boolean {
  if (file.names < file.start + 2 || file.hunks.length === 0) return false;
  // Behind the names only hunks may follow, so that they can be put back.
  if (file.names + 2 !== file.headerEnd) return false;
  const implied = impliedNames(headerWithoutNames(lines, file));
  return implied !== undefined && implied[0] === lines[file.names] &&
    implied[1] === lines[file.names + 1];
}

/** Path of the file for notes: the new one, or the old one of a deleted file; without `a/` and `b/`. */
export function pathOf(lines: readonly string[], file: FileDiff): string {
  const [old, added] = file.names >= 0
    ? [lines[file.names]!, lines[file.names + 1]!]
    : impliedNames(headerWithoutNames(lines, file)) ?? ["", ""];
  const line = added === "" || added.startsWith("+++ /dev/null") ? old : added;
  const name = line === ""
    ? lines[file.start]!.split(" ").at(-1)!
    : line.slice("+++ ".length).split("\t")[0]!;
  return name.trim().replace(/^"(.*)"$/, "$1").replace(/^[abciow]\//, "");
}

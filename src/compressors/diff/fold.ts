/** The folds without loss of the file's header: name lines that the `diff --git` line already says, and that line itself. @module */
import {
  areNamesImplied,
  headerWithoutNames,
  impliedNames,
  type NameLines,
} from "./names.ts";
import { type FileDiff, type ParsedDiff, parseDiff } from "./parse.ts";

/**
 * Leaves out every `--- a/x`, `+++ b/x` pair that follows from its header; git still applies the result.
 *
 * @returns `undefined` when there is no such pair, or when the inverse would
 * add names to a file that had none.
 */
export function foldNames({ lines, files }: ParsedDiff): string | undefined {
  if (files.some((file) => missingNames(lines, file) !== undefined)) {
    return undefined;
  }
  const out: string[] = [];
  let copied = 0;
  for (const file of files) {
    if (!areNamesImplied(lines, file)) continue;
    append(out, lines, copied, file.names);
    copied = file.names + 2;
  }
  if (copied === 0) return undefined;
  append(out, lines, copied, lines.length);
  return out.join("\n");
}

/** Inverse of {@linkcode foldNames}: puts the name lines back before the first hunk. */
export function unfoldNames(folded: string): string {
  const { lines, files } = parseDiff(folded);
  const out: string[] = [];
  let copied = 0;
  for (const file of files) {
    const names = missingNames(lines, file);
    if (names === undefined) continue;
    append(out, lines, copied, file.headerEnd);
    out.push(...names);
    copied = file.headerEnd;
  }
  append(out, lines, copied, lines.length);
  return out.join("\n");
}

/** Name lines that follow from the header of a file which has hunks but no names. */
function missingNames(
  lines: readonly string[],
  file: FileDiff,
): NameLines | undefined {
  if (file.names >= 0 || file.hunks.length === 0) return undefined;
  return impliedNames(headerWithoutNames(lines, file));
}

function append(
  out: string[],
  lines: readonly string[],
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) out.push(lines[i]!);
}

const SAME_NAME = /^diff --git a\/(\S+) b\/(\S+)$/;
const ONE_NAME = /^diff --git (\S+)$/;

/**
 * Writes `diff --git x` for `diff --git a/x b/x`.
 *
 * @returns The same text when there is no such line, or one with a single name already. O(n).
 */
export function foldGitLines(text: string): string {
  if (/^diff --git \S+$/m.test(text)) return text;
  return mapGitLines(text, (line) => {
    const [, old, added] = SAME_NAME.exec(line) ?? [];
    return old !== undefined && old === added ? `diff --git ${old}` : line;
  });
}

/** Inverse of {@linkcode foldGitLines}. */
export function unfoldGitLines(folded: string): string {
  return mapGitLines(folded, (line) => {
    const [, name] = ONE_NAME.exec(line) ?? [];
    return name === undefined ? line : `diff --git a/${name} b/${name}`;
  });
}

function mapGitLines(text: string, map: (line: string) => string): string {
  return text.replace(/^diff --git .*$/gm, map);
}

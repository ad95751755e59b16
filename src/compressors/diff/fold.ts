/** The fold without loss: name lines that the `diff --git` line already says. @module */
import { areNamesImplied, headerWithoutNames, impliedNames } from "./names.ts";
import { type ParsedDiff, parseDiff } from "./parse.ts";

/** Leaves out every `--- a/x`, `+++ b/x` pair that follows from its header; git still applies the result. */
export function foldNames({ lines, files }: ParsedDiff): string {
  const out: string[] = [];
  let copied = 0;
  for (const file of files) {
    if (!areNamesImplied(lines, file)) continue;
    append(out, lines, copied, file.names);
    copied = file.names + 2;
  }
  append(out, lines, copied, lines.length);
  return out.join("\n");
}

/** Inverse of {@linkcode foldNames}: puts the name lines back before the first hunk. */
export function unfoldNames(folded: string): string {
  const { lines, files } = parseDiff(folded);
  const out: string[] = [];
  let copied = 0;
  for (const file of files) {
    if (file.names >= 0 || file.hunks.length === 0) continue;
    const names = impliedNames(headerWithoutNames(lines, file));
    if (names === undefined) continue;
    append(out, lines, copied, file.headerEnd);
    out.push(...names);
    copied = file.headerEnd;
  }
  append(out, lines, copied, lines.length);
  return out.join("\n");
}

function append(
  out: string[],
  lines: readonly string[],
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) out.push(lines[i]!);
}

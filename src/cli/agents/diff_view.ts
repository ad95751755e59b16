/** What an edit changes in a file, for people. @module */
import { maskedChange, maskedContext } from "./value_mask.ts";

/** Lines shown before and after a change. */
const CONTEXT_LINES = 3;

/** A file before and after; `undefined` where there is none. */
export interface FileChange {
  /** Path to show. */
  readonly file: string;
  /** Text before. */
  readonly before: string | undefined;
  /** Text after. */
  readonly after: string | undefined;
  /** Values that may be shown. All others are left out: configurations hold keys. */
  readonly known: ReadonlySet<string>;
}

/** The change as one hunk of a unified diff without the values of others; it ends with a line end. O(length). */
export function diffView({ file, before, after, known }: FileChange): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT_LINES);
  const oldEnd = old.length - tail;
  const nowEnd = now.length - tail;
  const last = Math.min(old.length, oldEnd + CONTEXT_LINES);
  const changed = (line: string) => maskedChange(line, known);
  const shown = [
    ...old.slice(from, head).map(maskedContext).map(marked(" ")),
    ...old.slice(head, oldEnd).map(changed).map(marked("-")),
    ...now.slice(head, nowEnd).map(changed).map(marked("+")),
    ...old.slice(oldEnd, last).map(maskedContext).map(marked(" ")),
  ];
  const oldRange = rangeOf(from, last - from);
  const nowRange = rangeOf(from, last - from + now.length - old.length);
  return [
    `--- ${before === undefined ? "/dev/null" : file}\n`,
    `+++ ${after === undefined ? "/dev/null" : file}\n`,
    `@@ -${oldRange} +${nowRange} @@\n`,
    ...shown,
  ].join("");
}

/** Lines with their ends. */
function linesOf(text = ""): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string): (line: string) => string {
  return (line) =>
    line.endsWith("\n")
      ? sign + line
      : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Start and length of a range; a range without lines is named by the line before it. */
function rangeOf(from: number, length: number): string {
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Numbers beside the lines that an elided form kept. @module */
import { readLineNote } from "../../engine/note.ts";
import { type NumberStyle, prefixOf } from "../../text/line_numbers.ts";
import { EVERY } from "./fold.ts";

/** What a form was made of. */
export interface NumberedSource {
  /** The text without its numbers. */
  readonly original: string;
  /** Number of its first line. */
  readonly first: number;
  /** How numbers were written. */
  readonly style: NumberStyle;
}

/**
 * Writes the number before the first kept line, before the first one behind each gap, and before every tenth line.
 *
 * @returns `undefined` when the form's lines are not those of the original in order, so that their numbers are not known.
 */
export function numberedForm(
  form: string,
  { original, first, style }: NumberedSource,
): string | undefined {
  const lines = original.split("\n");
  const out: string[] = [];
  let next = first;
  let isFresh = true;
  for (const line of form.split("\n")) {
    const skipped = linesOf(line, next);
    if (skipped !== undefined) {
      out.push(line);
      next += skipped;
      isFresh = true;
      continue;
    }
    const own = lines[next - first];
    const behind = own === undefined || own === line
      ? 0
      : skippedBehind(line, own, next);
    if (own === undefined || behind === undefined) return undefined;
    const isShown = isFresh || next % EVERY === 0;
    out.push(isShown ? prefixOf(style, next) + line : line);
    isFresh = behind > 0;
    next += 1 + behind;
  }
  return next === first + lines.length ? out.join("\n") : undefined;
}

/** Lines that the note behind a kept line stands for, as `function f() { … lines 8-12 omitted }`; `undefined` where none is. */
function skippedBehind(
  line: string,
  own: string,
  next: number,
): number | undefined {
  return line.startsWith(`${own.trimEnd()} …`)
    ? linesOf(line.slice(own.trimEnd().length), next + 1)
    : undefined;
}

/** Lines that a note stands for; `undefined` when the line is none. A note for other lines than the next ones counts as none. */
function linesOf(line: string, next: number): number | undefined {
  const note = readLineNote(line);
  switch (note?.type) {
    case "repeated":
      return note.times - 1;
    case "again":
      return note.times * (note.last - note.first + 1);
    case "omitted":
      return note.first === next ? note.last - note.first + 1 : undefined;
    default:
      return undefined;
  }
}

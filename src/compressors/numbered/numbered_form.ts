/** Numbers beside the lines that an elided form kept. @module */
import { type NumberStyle, prefixOf } from "./line_numbers.ts";

/** Lines from one number that is shown to the next. */
const EVERY = 10;
const GAP = /… lines? (\d+)(?:-(\d+))? omitted/;
const RUN = /^… \(repeated (\d+) times\)$/;
const AGAIN = /^… \(lines? (\d+)(?:-(\d+))? again(?:, (\d+) times)?\)$/;

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
    if (line !== lines[next - first]) return undefined;
    const isShown = isFresh || next % EVERY === 0;
    out.push(isShown ? prefixOf(style, next) + line : line);
    isFresh = false;
    next++;
  }
  return next === first + lines.length ? out.join("\n") : undefined;
}

/** Lines that a note stands for; `undefined` when the line is none. A note for other lines than the next ones counts as none. */
function linesOf(line: string, next: number): number | undefined {
  if (!line.includes("…")) return undefined;
  const run = RUN.exec(line);
  if (run !== null) return Number(run[1]) - 1;
  const again = AGAIN.exec(line);
  if (again !== null) {
    const once = Number(again[2] ?? again[1]) - Number(again[1]) + 1;
    return once * Number(again[3] ?? 1);
  }
  const gap = GAP.exec(line);
  if (gap === null || Number(gap[1]) !== next) return undefined;
  return Number(gap[2] ?? gap[1]) - Number(gap[1]) + 1;
}

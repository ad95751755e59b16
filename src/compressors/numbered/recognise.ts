/** Does each line of this text begin with its number? @module */
import type { Recognise } from "../../core/detector.ts";
import { type NumberedRun, numberedRun } from "./line_numbers.ts";

/** UTF-16 units looked at first: most texts have no numbers there. */
const SAMPLE = 4096;
/** Files in which a number at the start of a line is a key or a cell. */
const COLUMNS = /\.(?:ya?ml|[ct]sv|tab|psv)$/i;

/** Whether rising numbers stand before most lines of the text. */
export const recogniseNumbered: Recognise = (text, hint) => {
  const cut = text.length <= SAMPLE
    ? text.length
    : text.lastIndexOf("\n", SAMPLE);
  if (cut < 0) return 0;
  const run = numberedRun(text.slice(0, cut));
  if (run === undefined || isColumn(run, hint?.path ?? "")) return 0;
  return cut === text.length || numberedRun(text) !== undefined ? 1 : 0;
};

/** An arrow or a number of fixed width is written by no table. */
function isColumn({ style }: NumberedRun, path: string): boolean {
  return style.pad === "" && style.separator !== "→" && COLUMNS.test(path);
}

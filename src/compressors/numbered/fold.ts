/** Line numbers on every tenth line only. @module */
import {
  mapLines,
  type NumberedRun,
  type NumberStyle,
  prefixOf,
} from "../../text/line_numbers.ts";

/** Lines from one number that is shown to the next. */
export const EVERY = 10;

/** Says what the lines below it are, and how each began. */
const NOTE =
  /^\[lines (\d+)-(\d+), each began with its number as "([ 0]*)(\d+)([^"]+)"; shown on every 10th\]$/m;

/** Writes the run with a number on every tenth line, behind a line that says so. */
export function foldNumbers(text: string, run: NumberedRun): string {
  const { style, first, starts } = run;
  const last = first + starts.length - 2;
  const note = `[lines ${first}-${last}, each began with its number as "${
    prefixOf(style, first)
  }"; shown on every ${EVERY}th]\n`;
  const body = mapLines(
    text,
    run,
    (number) => number % EVERY === 0 ? `${number}${style.separator}` : "",
  );
  return text.slice(0, run.start) + note + body + text.slice(run.end);
}

/** Inverse of {@linkcode foldNumbers}; a text without its note is returned as it is. */
export function unfoldNumbers(folded: string): string {
  const match = NOTE.exec(folded);
  if (match === null) return folded;
  const [note, from, to, pad = "", digits = "", separator = ""] = match;
  const style: NumberStyle = pad === "" ? { pad: "", width: 0, separator } : {
    pad: pad.startsWith("0") ? "0" : " ",
    width: pad.length + digits.length,
    separator,
  };
  const [first, last] = [Number(from), Number(to)];
  const head = folded.slice(0, match.index);
  const rest = folded.slice(match.index + note.length + 1).split("\n");
  for (let i = 0; i <= last - first && i < rest.length; i++) {
    const number = first + i;
    const shown = number % EVERY === 0 ? `${number}${separator}` : "";
    rest[i] = prefixOf(style, number) + (rest[i] ?? "").slice(shown.length);
  }
  return head + rest.join("\n");
}

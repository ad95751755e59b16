/** Texts in which a number stands before each line: what notes of such a text count by. @module */
import { indexLines } from "../../text/lines.ts";

/** As tools write them; the number, then what parts it from the line. */
const NUMBERED = /^[ 0]*(\d{1,7})(?:→|\t| \| |\| ?|: ?)/;
/** A number of fixed width, or behind an arrow or before a tab: written by tools that show files. */
const FILE_NUMBER = /^(?: +\d+|0+\d+|\d+)(?:→|\t)|^ +\d+(?: \| |\| ?|: ?)/;
/** UTF-16 units of a line that are looked at. */
const HEAD = 24;
/** Share of the lines that must be numbered, one after the other. */
const MIN_SHARE = 0.6;

/**
 * Reads the numbers before the lines.
 *
 * @param isCertain Whether the text is known to have some; else only numbers as tools write them before lines of files count.
 * @returns Per line its number, 0 where it has none; `undefined` when most have none that follows on. O(n).
 */
export function lineNumbers(
  text: string,
  isCertain: boolean,
): Uint32Array | undefined {
  const { starts, count } = indexLines(text);
  const numbers = new Uint32Array(count);
  let last = 0;
  let found = 0;
  for (let i = 0; i < count; i++) {
    const head = text.slice(
      starts[i]!,
      Math.min(starts[i]! + HEAD, starts[i + 1]!),
    );
    const digits = NUMBERED.exec(head)?.[1];
    if (digits === undefined) continue;
    if (!isCertain && !FILE_NUMBER.test(head)) continue;
    const number = Number(digits);
    if (found > 0 && number !== last + 1) continue;
    numbers[i] = last = number;
    found++;
  }
  return found > 1 && found >= MIN_SHARE * count ? numbers : undefined;
}

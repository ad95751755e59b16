/** JSON that stands on lines of its own in a text. @module */
import { scanJson } from "../../text/json/scan.ts";

/** UTF-16 units of a block that is worth looking at, and of the largest one. */
const MIN_LENGTH = 160;
const MAX_LENGTH = 1024 * 1024;

/** A character that may follow the opening bracket of JSON, but for white space. */
const LIKELY = /^[[{]\s{0,200}(?:["[{\]}\d-]|true|false|null)/;

/** Characters that may still be looked at. */
export interface Budget {
  /** Falls with each look. */
  left: number;
}

/** Offset behind the JSON value that opens at `start`, if it ends its line and is valid. O(what it takes from `budget`). */
export function jsonEnd(
  text: string,
  start: number,
  budget: Budget,
): number | undefined {
  if (budget.left <= 0 || !LIKELY.test(text.slice(start, start + 256))) {
    return undefined;
  }
  const scan = scanJson(text, { from: start, isOne: true });
  budget.left -= scan.end - start;
  const end = scan.tape.end(1);
  const size = end - start;
  if (scan.open.length > 0 || size < MIN_LENGTH || size > MAX_LENGTH) {
    return undefined;
  }
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline < 0 ? end + 200 : newline);
  return rest.trim() === "" ? end : undefined;
}

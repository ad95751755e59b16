/** JSON that stands on lines of its own in a text. @module */
import { parseJson } from "../../bytes/json_parts.ts";

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
  const end = closing(text, start, budget);
  if (end === undefined || end - start < MIN_LENGTH) return undefined;
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline < 0 ? end + 200 : newline);
  if (rest.trim() !== "") return undefined;
  return isJson(text.slice(start, end)) ? end : undefined;
}

/** Offset behind the bracket that closes the one at `start`. */
function closing(
  text: string,
  start: number,
  budget: Budget,
): number | undefined {
  const limit = Math.min(text.length, start + MAX_LENGTH);
  let depth = 0;
  for (let i = start; i < limit; i++, budget.left--) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = stringEnd(text, i, limit);
        if (end < 0) return undefined;
        budget.left -= end - i;
        i = end;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--depth === 0) return i + 1;
    }
  }
  return undefined;
}
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Offset of the closing quote; -1 when a line end cuts the string off. */
function stringEnd(text: string, at: number, limit: number): number {
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
    else if (code === NEWLINE) return -1;
  }
  return -1;
}

/** Brackets that balance are not JSON yet: such a text stays as it is. */
function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

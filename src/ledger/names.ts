/** Names that clients choose, as they are kept. @module */

import { cutText } from "../bytes/cut_text.ts";

/** Stands for every name beyond the bound. */
export const OTHER = "(other)";

/** Stands for what has no name. */
export const UNKNOWN = "unknown";

/** UTF-16 units of a name that are kept. */
const MAX_NAME_CHARS = 200;

/** A name as it is kept: cut, and without what cannot be printed or is half a character. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && ASCII.test(name)) return name;
  return printable(cutText(name, MAX_NAME_CHARS));
}

/** Printable ASCII. */
const ASCII = /^[ -~]*$/;
/** Control characters, those that turn the direction of writing, line separators, halves of characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with `\ufffd` in place of each character that cannot be printed. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

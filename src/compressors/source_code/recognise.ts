/** Is this text source code in a language that can be outlined? @module */
import type { Recognise } from "../../core/detector.ts";
import { languageOf } from "./language_of.ts";

/** Fewer UTF-16 units say too little. */
const SHORTEST = 100;
/** Confidence when the lines speak for one language. */
const CLEAR = 0.9;

/** Longest line that people write, in UTF-16 units: what has longer ones is made by a program. */
const LONGEST_LINE = 5_000;
/** Start of the text that is looked at for such a line. */
const LOOK = 64 * 1024;

/** Whether the file's name and its content, or the content alone, speak for a language with a grammar. */
export const recogniseSourceCode: Recognise = (text, hint) =>
  text.length >= SHORTEST && languageOf(text, hint?.path) !== undefined &&
    !isMinified(text)
    ? CLEAR
    : 0;

function isMinified(text: string): boolean {
  for (let at = 0; at < Math.min(text.length, LOOK);) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (end - at > LONGEST_LINE) return true;
    at = end + 1;
  }
  return false;
}

/** Are there several texts in this one? @module */
import type { Recognise } from "../../core/detector.ts";

/** Shorter texts have no part that would gain anything, in UTF-16 units. */
const MIN_LENGTH = 400;
/** Start of the text that is looked at, in UTF-16 units. */
const SAMPLE = 16 * 1024;
/** A fence, a table, a line of JSON, or a blank line between two texts. */
const SEAM = /^(?:```|~~~|\|.*\||[[{])|\n[ \t]*\n/m;

/** Whether the text has seams at which it can be cut. Asked last: any other kind comes first. */
export const recogniseMixed: Recognise = (text) => {
  if (text.length < MIN_LENGTH) return 0;
  return SEAM.test(text.slice(0, SAMPLE)) ? 0.8 : 0;
};

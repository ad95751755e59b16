/** Folds of a document that lose nothing: repeated lines, common starts of web addresses. @module */
import { foldAddresses, unfoldAddresses } from "./addresses.ts";
import { foldRepeats, type Numbering, unfoldRepeats } from "./repeats.ts";

/** UTF-16 units, and share of the text, that the folds must save. */
const LEAST = 60;
const LEAST_SHARE = 0.03;

/**
 * The folded text. A part of a larger text has no place for the line that explains addresses: there only lines are folded.
 *
 * @returns `undefined` when too little is won, or when the text has lines that look like the notes of a fold.
 */
export function foldProse(
  text: string,
  numbering: Numbering,
): string | undefined {
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const once = foldRepeats(text, numbering);
  const folded = numbering.firstLine === 1 ? foldAddresses(once) : once;
  const saved = text.length - folded.length;
  return saved >= LEAST && saved >= LEAST_SHARE * text.length
    ? folded
    : undefined;
}

/** Inverse of {@linkcode foldProse} with the same numbering. */
export function unfoldProse(folded: string, numbering: Numbering): string {
  const once = numbering.firstLine === 1 ? unfoldAddresses(folded) : folded;
  return unfoldRepeats(once, numbering);
}

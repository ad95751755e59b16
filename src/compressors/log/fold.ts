/** Folds of a log that lose nothing: repeated lines, repeated blocks, common line starts. @module */
import { foldRepeats, unfoldRepeats } from "./repeats.ts";
import { foldStarts, unfoldStarts } from "./starts.ts";

/** Share of the text that the folds must save, and UTF-16 units. */
const LEAST_SHARE = 0.04;
const LEAST = 40;

/** The folded text; `undefined` when nothing is won, or when the text has lines that look like the notes of a fold. */
export function foldLog(text: string): string | undefined {
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const folded = foldStarts(foldRepeats(text));
  const saved = text.length - folded.length;
  return saved >= LEAST && saved >= LEAST_SHARE * text.length
    ? folded
    : undefined;
}

/** Inverse of {@linkcode foldLog}. */
export function unfoldLog(folded: string): string {
  return unfoldRepeats(unfoldStarts(folded));
}

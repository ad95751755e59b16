/** What git writes before a path: `modified:   `, ` M `, `?? `, `A` and a tab. @module */
import type { Lines } from "../../text/lines.ts";

const TAB = 9;
const SPACE = 32;
const BANG = 33;
const QUESTION = 63;

/** Units in which the words of the long form stand: `	deleted by them:   `. */
const LONG = 24;
const LONG_LEAD =
  /^\t(?:modified|new file|deleted|typechange|both (?:modified|added|deleted)|(?:added|deleted) by (?:us|them)): +/;
/** One byte per code: 1 for a letter of a short state. */
const STATES = letters(" MADRCUT?!");
/** Letters of `--name-status`. */
const NAMED = letters("MADRTCUX");

const NONE = { length: 0, isChange: false };
const UNTRACKED_LONG = { length: 1, isChange: false };
const UNTRACKED_SHORT = { length: 3, isChange: false };
const CHANGED_SHORT = { length: 3, isChange: true };
const CHANGED_NAMED = { length: 2, isChange: true };

/** Length of what stands before the path in `[start, end)`, and whether it reports a change of a known file. */
export function leadLength(
  { codes, text }: Lines,
  start: number,
  end: number,
): { readonly length: number; readonly isChange: boolean } {
  const first = codes[start]!;
  if (first === TAB) {
    const head = text.slice(start, Math.min(end, start + LONG));
    const length = LONG_LEAD.exec(head)?.[0].length ?? 0;
    return length === 0 ? UNTRACKED_LONG : { length, isChange: true };
  }
  if (!STATES[first] || end - start < 3) return NONE;
  const second = codes[start + 1]!;
  if (second === TAB && NAMED[first]) return CHANGED_NAMED;
  if (codes[start + 2] !== SPACE || !STATES[second] || end - start < 4) {
    return NONE;
  }
  if (first === SPACE && second === SPACE) return NONE;
  return first === second && (first === QUESTION || first === BANG)
    ? UNTRACKED_SHORT
    : CHANGED_SHORT;
}

function letters(all: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const letter of all) table[letter.charCodeAt(0)] = 1;
  return table;
}

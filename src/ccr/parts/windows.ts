/** Stretches of a long line, for lines that are too long to be one unit. @module */

/** Longer lines are cut into stretches, in UTF-16 units. */
export const LONGEST_LINE = 1_000;
/** Length of a stretch in UTF-16 units, and how much longer one gets so that no word is cut. */
const WINDOW = 200;
const SLACK = 40;

/**
 * Adds where the stretches of `text` from `start` to `end` begin: every 200 UTF-16 units or a few more,
 * not within a word where that can be helped, never within a character.
 */
export function addWindows(
  starts: number[],
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  for (let at = start; at < end;) {
    starts.push(at);
    let next = at + WINDOW;
    const limit = next + SLACK;
    while (next < limit && isWord(text.charCodeAt(next))) next++;
    at = isWithinCharacter(text, next) ? next + 1 : next;
  }
}

/** Whether an offset in UTF-16 units is between the two halves of a character. */
export function isWithinCharacter(text: string, offset: number): boolean {
  return (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(offset) & 0xfc00) === 0xdc00;
}

/** At most the first `length` UTF-16 units, no character cut. */
export function startOf(text: string, length: number): string {
  return text.slice(0, isWithinCharacter(text, length) ? length - 1 : length);
}

/** Letters and digits of ASCII, `_`, and everything beyond. */
function isWord(code: number): boolean {
  return code > 127 || code === 95 || (code > 47 && code < 58) ||
    ((code | 32) > 96 && (code | 32) < 123);
}

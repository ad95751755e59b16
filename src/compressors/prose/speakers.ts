/** Who says what in a conversation: reviews, comments on an issue. @module */
import type { Lines } from "../../text/lines.ts";
import { ROW, TEXT } from "./kinds.ts";
import { OPENS_PARAGRAPH, type Unit } from "./units.ts";

/** Tokens of a line that names who speaks. */
const SPEAKER = 14;
/** Such lines in a conversation, at least. */
const SPEAKERS = 3;
const SPEAKS =
  /^[\s>]*(?:\*\*[^*]{2,40}\*\*|@[\w-]{2,40})(?: on `[^`]*`| \([^)]*\)| (?:commented|wrote|said|replied|asked)\b.*|,? [\d:.\-TZ ]+)?:?\s*$/;
/** 1 for each unit that names who says what follows, else 0; all 0 where fewer than three do. O(text). */
export function speakersOf(
  { text }: Lines,
  units: readonly Unit[],
  tokens: Float64Array,
): Uint8Array {
  let count = 0;
  const speakers = Uint8Array.from(units, ({ start, end, kind, place }, u) => {
    if (kind === ROW && isSeam(text, start, end)) {
      count++;
      return 1;
    }
    if (kind !== TEXT || tokens[u]! > SPEAKER) return 0;
    const isOne = (place & OPENS_PARAGRAPH) !== 0 &&
      SPEAKS.test(text.slice(start, end));
    count += isOne ? 1 : 0;
    return isOne ? 1 : 0;
  });
  return count >= SPEAKERS ? speakers : new Uint8Array(units.length);
}

/** What `gh` prints between the head of a comment and its text. */
function isSeam(text: string, start: number, end: number): boolean {
  return end - start === 2 && text.startsWith("--", start);
}

/** Looks at parts of a line that tell configuration from code, documents and logs. @module */
import type { Lines } from "../../text/lines.ts";
import type { LineScan } from "./scan_line.ts";

/** Words of a value from which on it is a sentence. */
const SENTENCE = 9;

const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
/** Characters of a key. */
const IN_KEY = tableOf(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/$@:+<>{}*~%",
);
/** Ends of lines in code. */
const CODE_ENDS = tableOf(";{(,\\");
const BACKSLASH = 92;

/** Last character of a line, blanks aside; 0 for none. */
export function lastOf({ codes, starts }: Lines, line: number): number {
  const start = starts[line]!;
  let end = starts[line + 1]! - 1;
  while (end > start && codes[end - 1]! <= SPACE) end--;
  return end > start ? codes[end - 1]! : 0;
}

/** Whether the line ends as lines of code do: `;`, `{`, `(`, `,`. */
export function endsAsCode(lines: Lines, line: number): boolean {
  const last = lastOf(lines, line);
  return CODE_ENDS[last] === 1 && last !== BACKSLASH;
}

/** Whether a key has only characters of keys, or stands in quotes. */
export function isKey({ codes }: Lines, { keyAt, keyEnd }: LineScan): boolean {
  const first = codes[keyAt]!;
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    return codes[keyEnd - 1] === first;
  }
  for (let at = keyAt; at < keyEnd; at++) {
    if (IN_KEY[codes[at]!] === 0) return false;
  }
  return true;
}

/** Whether the characters `[from, to)` are a sentence: many words, not in quotes. Bounded. */
export function isSentence(codes: Uint8Array, from: number, to: number) {
  const first = codes[from]!;
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return false;
  let words = 1;
  const end = Math.min(to, from + 200);
  for (let at = from + 1; at < end; at++) {
    if (codes[at] === SPACE && codes[at + 1]! > 64) words++;
  }
  return words >= SENTENCE;
}

function tableOf(chars: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

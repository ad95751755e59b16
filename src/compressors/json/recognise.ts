/** Is this text JSON or JSON Lines? @module */
import type { Recognise } from "../../core/detector.ts";
import { scanJson } from "./scan.ts";

/**
 * 1 when the whole text is one object or array, or several of them; 0 otherwise.
 * JSON that the compressor leaves alone (too deep, a key twice) counts as JSON.
 */
export const recogniseJson: Recognise = (text) => {
  if (!hasBrackets(text)) return 0;
  return scanJson(text) === "invalid_json" ? 0 : 1;
};

/** Whether the first and the last character, white space aside, can be those of objects and arrays. */
export function hasBrackets(text: string): boolean {
  let start = 0;
  while (isSpace(text.charCodeAt(start))) start++;
  const first = text.charCodeAt(start);
  if (first !== 0x7b && first !== 0x5b) return false;
  let end = text.length - 1;
  while (isSpace(text.charCodeAt(end))) end--;
  const last = text.charCodeAt(end);
  return last === 0x7d || last === 0x5d;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

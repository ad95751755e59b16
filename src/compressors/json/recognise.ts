/** Is this text JSON or JSON Lines? @module */
import { parseJson } from "../../bytes/json_parts.ts";
import type { Recognise } from "../../core/detector.ts";
import { closeCutOff } from "./cut_off.ts";
import { scanJson } from "./scan.ts";

/** Confidence in JSON that breaks off. */
const CUT_OFF = 0.9;

/**
 * 1 when the whole text is one object or array, or several of them; less when it breaks off; 0 otherwise.
 * JSON that the compressor leaves alone (too deep, a key twice) counts as JSON.
 */
export const recogniseJson: Recognise = (text) => {
  if (!startsWithBracket(text)) return 0;
  if (endsWithBracket(text)) {
    // The engine's own parser takes a quarter of the time of a scan.
    if (parses(text) || areLines(text)) return 1;
    if (scanJson(text) !== "invalid_json") return 1;
  }
  return closeCutOff(text) === undefined ? 0 : CUT_OFF;
};

/** Whether the last character, white space aside, closes an object or array. */
function endsWithBracket(text: string): boolean {
  let end = text.length - 1;
  while (isSpace(text.charCodeAt(end))) end--;
  const last = text.charCodeAt(end);
  return last === 0x7d || last === 0x5d;
}

/** Whether each line is one value; stops at the first that is not. */
function areLines(text: string): boolean {
  const { length } = text.trimEnd();
  for (let at = 0; at < length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    if (!startsWithBracket(line) || !parses(line)) return false;
    at = end + 1;
  }
  return true;
}

function parses(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Whether the first character, white space aside, opens an object or array. */
export function startsWithBracket(text: string): boolean {
  let start = 0;
  while (isSpace(text.charCodeAt(start))) start++;
  const first = text.charCodeAt(start);
  return first === 0x7b || first === 0x5b;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

/** Long strings of JSON without their middle, but for what reports a failure in it. @module */
import { escapeLength } from "../../text/json/tokens.ts";
import { codesOf, lineEnd, lineStart } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";

/** Share of the kept characters that is taken from the start. */
const HEAD_SHARE = 0.65;
/** Characters of a stretch that stays when it tells of a failure, and of a gap that is not worth a note. */
const STRETCH = 160;
const MIN_GAP = 100;
/** Characters by which a cut may move to the start of a line. */
const NEAR = 60;

/** Content of a JSON string and the characters left out of it. */
export interface CutString {
  readonly text: string;
  readonly omitted: number;
}

/** Shortens the raw content of a string to about `limit` characters and the failures in it; cuts no escape. Linear. */
export function cutString(content: string, limit: number): CutString {
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = content.length - (limit - head);
  if (tail - head < MIN_GAP) return { text: content, omitted: 0 };
  const kept: [from: number, to: number][] = [[0, head], [
    tail,
    content.length,
  ]];
  kept.splice(1, 0, ...failingIn(content));
  let text = "";
  let omitted = 0;
  let at = 0;
  for (const [from, to] of kept) {
    const start = from - at < MIN_GAP ? at : cutAt(content, from);
    if (start > at) {
      text += `…(${start - at} chars omitted)…`;
      omitted += start - at;
    }
    const end = to >= content.length ? content.length : cutAt(content, to);
    text += content.slice(start, Math.max(start, end));
    at = Math.max(at, start, end);
  }
  return { text, omitted };
}

/** Stretches that tell of failures, each from a blank to a blank. */
function failingIn(content: string): [from: number, to: number][] {
  const starts = [0];
  let blank = 0;
  for (let at = STRETCH; at < content.length; at += STRETCH) {
    // Looked for once: a search per stretch would read a text without blanks again and again.
    if (blank < at) blank = indexFrom(content, " ", at);
    if (blank > at + STRETCH) starts.push(at);
    else starts.push(at = blank + 1);
  }
  const count = starts.length;
  starts.push(content.length + 1);
  const lines = {
    text: content,
    count,
    starts: Uint32Array.from(starts),
    codes: codesOf(content),
  };
  const found: [number, number][] = [];
  for (const [line, flags] of severities(lines).entries()) {
    const isFailing = (flags & ERROR) !== 0;
    if (isFailing) found.push([lineStart(lines, line), lineEnd(lines, line)]);
  }
  return found;
}

/** Where the first of these is at or after an offset; infinite where there is none. */
function indexFrom(text: string, what: string, offset: number): number {
  const at = text.indexOf(what, offset);
  return at < 0 ? Infinity : at;
}

/** The start of a line shortly before an offset, or the offset itself; neither in an escape nor between surrogates. */
function cutAt(content: string, offset: number): number {
  const from = Math.max(0, offset - NEAR);
  const line = from + content.slice(from, offset).lastIndexOf("\\n");
  const isNear = line >= from && outsideEscape(content, line) === line;
  return isNear ? line + 2 : outsideEscape(content, offset);
}

/** An escape has at most six characters; a run of backslashes pairs up from its start. */
function outsideEscape(content: string, at: number): number {
  for (let back = Math.max(0, at - 6); back < at; back++) {
    if (content.charCodeAt(back) !== 0x5c) continue;
    let first = back;
    while (content.charCodeAt(first - 1) === 0x5c) first--;
    const start = back - (back - first) % 2;
    if (start < at && start + 1 + escapeLength(content, start + 1) > at) {
      return start;
    }
  }
  const low = content.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at - 1 : at;
}

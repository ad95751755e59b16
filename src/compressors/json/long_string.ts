/** Long strings: start, end and failures stay, notes stand for the rest. @module */
import { LONE_STRING, LONG_STRING, STRING_BUDGET } from "./defaults.ts";
import { hitsOf } from "./failure.ts";
import { ESCAPED, STRING, type Tape } from "./tape.ts";
import { escapeLength } from "../../text/json/tokens.ts";

/** Share of the kept characters that is taken from the start. */
const HEAD_SHARE = 0.65;
/** Characters kept on each side of a word that tells of a failure. */
const AROUND = 80;
/** Characters that are not worth a note. */
const MIN_GAP = 100;
/** Characters by which a cut may move to the start of a line. */
const NEAR = 60;

/** A shortened string. */
export interface CutString {
  /** Content of a JSON string, without quotes. */
  readonly text: string;
  /** Characters left out. */
  readonly omitted: number;
}

/**
 * Shortens the content of a JSON string to about `limit` characters and the failures in it. Linear.
 *
 * @param content Raw content without quotes; escapes are never cut.
 */
export function cutString(content: string, limit: number): CutString {
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = content.length - (limit - head);
  if (tail - head < MIN_GAP) return { text: content, omitted: 0 };
  const kept: [from: number, to: number][] = [[0, head]];
  for (const [start, end] of hitsOf(content)) {
    const last = kept.at(-1)!;
    if (start - AROUND <= last[1]) last[1] = Math.max(last[1], end + AROUND);
    else kept.push([start - AROUND, end + AROUND]);
  }
  kept.push([tail, content.length]);
  let text = "";
  let omitted = 0;
  let at = 0;
  const boundary = new Boundary(content);
  kept.sort((a, b) => a[0] - b[0]);
  for (const [from, to] of kept) {
    const start = from - at < MIN_GAP ? at : boundary.atOrBefore(from);
    if (start > at) {
      text += `…(${start - at} chars omitted)…`;
      omitted += start - at;
    }
    const end = to >= content.length ? content.length : boundary.atOrBefore(to);
    if (end > start) text += content.slice(start, end);
    at = Math.max(at, end, start);
  }
  return { text, omitted };
}

/** Characters that each long string of a text may keep: more, when there are few of them. Linear. */
export function stringLimitOf(tape: Tape): number {
  let long = 0;
  for (let node = 1; node < tape.length; node++) {
    const kind = tape.kind[node]!;
    const isLong = (kind === STRING || kind === ESCAPED) &&
      tape.end[node]! - tape.start[node]! > LONG_STRING;
    if (isLong) long++;
  }
  const share = Math.floor(STRING_BUDGET / Math.max(1, long));
  return Math.min(LONE_STRING, Math.max(LONG_STRING, share));
}

/** Finds offsets at the start of a line, or else neither in an escape nor between surrogates. */
class Boundary {
  readonly #content: string;

  constructor(content: string) {
    this.#content = content;
  }

  atOrBefore(offset: number): number {
    let at = Math.max(0, offset);
    const low = this.#content.charCodeAt(at);
    if (low >= 0xdc00 && low <= 0xdfff) at--;
    return this.#lineStart(at) ?? this.#outsideEscape(at);
  }

  /** The start of the line, when that is near. */
  #lineStart(at: number): number | undefined {
    const from = Math.max(0, at - NEAR);
    const found = this.#content.slice(from, at).lastIndexOf("\\n");
    if (found < 0) return undefined;
    const newline = from + found;
    return this.#outsideEscape(newline) === newline ? newline + 2 : undefined;
  }

  /** An escape has at most six characters; a run of backslashes pairs up from its start. */
  #outsideEscape(at: number): number {
    const content = this.#content;
    for (let back = Math.max(0, at - 6); back < at; back++) {
      if (content.charCodeAt(back) !== 0x5c) continue;
      let first = back;
      while (first > 0 && content.charCodeAt(first - 1) === 0x5c) first--;
      const start = (back - first) % 2 === 0 ? back : back - 1;
      const end = start + 1 + escapeLength(content, start + 1);
      if (start < at && end > at) return start;
    }
    return at;
  }
}

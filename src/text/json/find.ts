/** JSON in a text: all of it, or the largest run of values in it. @module */
import { type Scan, scanJson } from "./scan.ts";
import type { Tape } from "./tape.ts";
import { isOpening } from "./tokens.ts";

/** Values of a text, one after the other. */
export interface JsonValues {
  /** The text they are in, as it is written. */
  readonly tape: Tape;
  /** Nodes of the values; several for JSON Lines. At least one. */
  readonly values: readonly number[];
}

/** What can be the start of JSON in other text. */
const LIKELY = /\{\s{0,200}["}]|\[\s{0,200}(?:["[{\]\d-]|true|false|null)/g;
/** UTF-16 units looked at for each unit of text, at most, in the search for JSON in other text. */
const LOOKS = 4;
/** A text that breaks off is JSON when this much of it is, in UTF-16 units. */
const MIN_CUT_OFF = 40;

/** Where a whole element may start in a text that lost its beginning. */
const ELEMENT = /[}\]][,\n](?=[{[]["{[])/g;
/** UTF-16 units before it, also as a share of the text, and places that are tried. */
const MAX_HEAD = 2000;
const HEAD_SHARE = 0.3;
const MAX_TRIED = 6;

/**
 * Offsets at which the first whole element may start in minified JSON, or in JSON Lines, that lost their beginning:
 * behind a comma or a newline, or at the start. Bounded work, at most seven.
 */
export function elementStarts(text: string): number[] {
  const limit = Math.min(MAX_HEAD, Math.floor(text.length * HEAD_SHARE));
  const newline = text.slice(0, limit).indexOf("\n");
  const line = newline < 0 ? limit : newline;
  const places = [...text.slice(0, line + 3).matchAll(ELEMENT)];
  const starts = places.slice(0, MAX_TRIED).map(({ index }) => index + 2)
    .filter((start) => {
      const brackets = text.slice(0, start).match(/[[\]{}]/g) ?? [];
      const ends = brackets.filter((one) => one === "}" || one === "]");
      // What began before the text ends in it.
      return 2 * ends.length > brackets.length;
    });
  return isOpening(text.charCodeAt(0)) ? [0, ...starts] : starts;
}

/**
 * Finds the JSON of a text: all of it, all but what follows, or the largest run of values in it.
 * A text that starts with JSON and breaks off gives what there is, and so does one that starts inside an element. Linear, not recursive.
 *
 * @returns `undefined` when there is none.
 */
export function findJson(text: string): JsonValues | undefined {
  const from = text.startsWith("\ufeff") ? 1 : 0;
  const scan = scanJson(text, from === 0 ? {} : { from });
  const whole = wholeOf(scan);
  if (whole !== undefined) {
    if (2 * endOf(whole) > text.length) return whole;
  } else if (
    scan.open.length > 0 && scan.end - from >= MIN_CUT_OFF &&
    2 * scan.end > text.length
  ) return { tape: scan.tape, values: [1] };
  return begunList(text) ?? largestRun(text);
}

/** The list that most of a text is when its beginning is lost; a bracket is in place of the comma before it. */
function begunList(text: string): JsonValues | undefined {
  for (const start of elementStarts(text)) {
    if (start > 0 && text[start - 1] !== ",") continue;
    const from = Math.max(0, start - 1);
    const list = `${text.slice(0, from)}[${text.slice(start)}`;
    const { tape } = scanJson(list, { from, isOne: true });
    if (tape.count(1) > 1 && 2 * tape.size(1) > text.length) {
      return { tape, values: [1] };
    }
  }
  return undefined;
}

/** The complete values of a scan; `undefined` when there are none. */
function wholeOf({ tape, open }: Scan): JsonValues | undefined {
  const values = [...tape.children(0)];
  if (open.length > 0) values.pop();
  return values.length === 0 ? undefined : { tape, values };
}

/** The run of values with the most characters. */
function largestRun(text: string): JsonValues | undefined {
  let best: JsonValues | undefined;
  let size = 0;
  let left = LOOKS * text.length;
  LIKELY.lastIndex = 0;
  for (let match = LIKELY.exec(text); match !== null && left > 0;) {
    const scan = scanJson(text, { from: match.index });
    left -= 1 + scan.end - match.index;
    const found = wholeOf(scan);
    LIKELY.lastIndex = found === undefined ? match.index + 1 : endOf(found);
    if (found !== undefined && endOf(found) - match.index > size) {
      size = endOf(found) - match.index;
      best = found;
    }
    match = LIKELY.exec(text);
  }
  return best;
}

/** Offset behind the last of the values. */
export function endOf({ tape, values }: JsonValues): number {
  return tape.end(values.at(-1) ?? 0);
}

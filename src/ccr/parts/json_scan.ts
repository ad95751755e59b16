/** JSON inside a text as offsets: where values are, and where each container ends. @module */
import { isOpening, memberValue, scalarEnd, skipSpace } from "./json_tokens.ts";

/** JSON values of a text, one after the other. */
export interface JsonValues {
  /** The text they stand in. */
  readonly text: string;
  /** Offsets of the values: `[start, end)` pairs, in order; several for JSON Lines. */
  readonly spans: readonly JsonSpan[];
  /** Per offset of an opening bracket, the offset behind the one that closes it. */
  readonly ends: Int32Array;
}

/** `[start, end)` in UTF-16 units. */
export interface JsonSpan {
  /** First unit. */
  readonly start: number;
  /** Behind the last unit. */
  readonly end: number;
}

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
/** What can be the start of JSON in other text. */
const LIKELY = /[[{]\s{0,200}(?:["[{\]}\d-]|true|false|null)/g;
/** Units looked at for each unit of text, at most, in the search for JSON in other text. */
const LOOKS = 4;
/** A text that breaks off is JSON when this much of it is, in UTF-16 units. */
const MIN_CUT_OFF = 40;

/**
 * Finds the JSON of a text: all of it, all but what follows, or the largest run of values in it.
 * A text that starts with JSON and breaks off gives what there is. Linear, not recursive.
 *
 * @returns `undefined` when there is none.
 */
export function findJson(text: string): JsonValues | undefined {
  const ends = new Int32Array(text.length);
  const start = skipSpace(text, text.startsWith("\ufeff") ? 1 : 0);
  const { spans: first, failedAt } = valuesFrom(text, start, ends);
  const end = first.at(-1)?.end ?? 0;
  if (2 * end > text.length) return { text, spans: first, ends };
  if (
    end === 0 && failedAt - start >= MIN_CUT_OFF && 2 * failedAt > text.length
  ) {
    return { text, spans: [{ start, end: failedAt }], ends };
  }
  const spans = largestRun(text, ends);
  return spans.length === 0 ? undefined : { text, spans, ends };
}

/** The run of values with the most characters. */
function largestRun(text: string, ends: Int32Array): readonly JsonSpan[] {
  let best: readonly JsonSpan[] = [];
  let size = 0;
  let left = LOOKS * text.length;
  LIKELY.lastIndex = 0;
  for (let match = LIKELY.exec(text); match !== null && left > 0;) {
    const { spans, failedAt } = valuesFrom(text, match.index, ends);
    const first = spans[0];
    left -= 1 + failedAt - match.index;
    if (first !== undefined) {
      const length = spans.at(-1)!.end - first.start;
      if (length > size) [best, size] = [spans, length];
      LIKELY.lastIndex = spans.at(-1)!.end;
    } else LIKELY.lastIndex = match.index + 1;
    match = LIKELY.exec(text);
  }
  return best;
}

/** Containers from `start` on, with nothing but white space between them. */
function valuesFrom(
  text: string,
  start: number,
  ends: Int32Array,
): { readonly spans: readonly JsonSpan[]; readonly failedAt: number } {
  const spans: JsonSpan[] = [];
  let at = start;
  while (isOpening(text.charCodeAt(at))) {
    const end = containerEnd(text, at, ends);
    if (end < 0) return { spans, failedAt: -end };
    spans.push({ start: at, end });
    at = skipSpace(text, end);
  }
  return { spans, failedAt: at };
}

/**
 * Offset behind the container at `start`; the offsets of all ends in it are written to `ends`.
 * A negative offset where it is broken: open containers then end there.
 */
function containerEnd(text: string, start: number, ends: Int32Array): number {
  const open: number[] = [];
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isOpening(code)) {
      open.push(at);
      at = skipSpace(text, at + 1);
      // A closing bracket is two behind the opening one in ASCII.
      if (text.charCodeAt(at) !== code + 2) {
        if (code === OPEN_BRACE) at = memberValue(text, at);
        if (at < 0) return broken(open, ends, -at);
        continue;
      }
    } else {
      const end = scalarEnd(text, at);
      if (end < 0) return broken(open, ends, at);
      at = skipSpace(text, end);
    }
    at = nextValue(text, at, { open, ends });
    if (at < 0) return broken(open, ends, -at);
    if (open.length === 0) return at;
  }
}

/**
 * From behind a value to the next one, out of the containers that end there. Negative where neither follows.
 * @returns With nothing open, the offset behind the outermost container.
 */
function nextValue(
  text: string,
  from: number,
  { open, ends }: { readonly open: number[]; readonly ends: Int32Array },
): number {
  for (let at = from;;) {
    const parent = open.at(-1)!;
    const isObject = text.charCodeAt(parent) === OPEN_BRACE;
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      const next = skipSpace(text, at + 1);
      return isObject ? memberValue(text, next) : next;
    }
    if (code !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      return -Math.max(1, at);
    }
    ends[parent] = ++at;
    open.pop();
    if (open.length === 0) return at;
    at = skipSpace(text, at);
  }
}

function broken(open: readonly number[], ends: Int32Array, at: number): number {
  for (const start of open) ends[start] = at;
  return -Math.max(1, at);
}

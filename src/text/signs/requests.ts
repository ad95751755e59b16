/** The status of a request in a line that names a method or a version of HTTP, as access logs do. @module */
import { DIGIT, KINDS } from "../words.ts";
import { isStatus } from "./status.ts";
import {
  digitsEnd,
  endsNumber,
  isAmount,
  isBlank,
  numberAt,
} from "./line_cursor.ts";

/** Part of a text: one line. */
export interface Span {
  /** The whole text and its bytes, as in `Lines`. */
  readonly text: string;
  readonly codes: Uint8Array;
  /** Offsets of the line. */
  start: number;
  end: number;
}

const QUOTE = 34;
const OPEN = 40;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const GREATER = 62;
const BRACKET = 91;
const BAR = 124;
const SMALL_H = 104;
const STAR = 42;
/** Bytes behind a method and before it in which a status is looked for. */
const REACH = 200;
/** Digits of a status of HTTP. */
export const STATUS_DIGITS = 3;
/** Statuses in use are 100 to 131 and so on, and these. */
const USED = 31;
const OTHERS_USED = new Set([444, 451, 460, 463, 494, 495, 496, 497, 499]);
const MOST = 599;

/**
 * Where the status of a request may be, behind what is requested.
 *
 * @param at End of the method. @returns -1 where no path, address or status follows.
 */
export function targetEnd({ codes, end }: Span, at: number): number {
  if (at >= end || !isBlank(codes[at]!)) return -1;
  const first = codes[at + 1] === QUOTE ? at + 2 : at + 1;
  const code = codes[first];
  if (KINDS[code!] === DIGIT) {
    const stop = digitsEnd(codes, first, end);
    const next = stop + 1 < end ? codes[stop + 1] : SLASH;
    const isPlace = next === SLASH || next === SMALL_H;
    return stop - first === STATUS_DIGITS && isPlace ? at : -1;
  }
  if (code !== SLASH && code !== SMALL_H && code !== STAR) return -1;
  let stop = first;
  while (stop < end && !isBlank(codes[stop]!)) stop++;
  return stop;
}

/** End of the version of HTTP behind a slash at `at`: `/1.1`, `/2`; -1 for none. */
export function versionEnd({ codes, end }: Span, at: number): number {
  if (codes[at] !== SLASH) return -1;
  const stop = digitsEnd(codes, at + 1, end);
  if (stop === at + 1) return -1;
  return codes[stop] === DOT ? digitsEnd(codes, stop + 1, end) : stop;
}

/** The first number at or after `at` that may be a status; 0 for none. */
export function statusAfter(span: Span, at: number): number {
  const { text, codes } = span;
  const end = Math.min(span.end, at + REACH);
  for (let i = at; i < end; i++) {
    if (KINDS[codes[i]!]! !== DIGIT) continue;
    const stop = digitsEnd(codes, i, span.end);
    if (stop - i === STATUS_DIGITS && followsSign(codes[i - 1]!)) {
      const value = numberAt(codes, i, stop);
      const isWhole = endsNumber(codes, stop, span.end) &&
        !isAmount(text, stop);
      if (isWhole && isUsed(value)) return value;
    }
    i = stop;
  }
  return 0;
}

/** The status that is the next word behind `at`, as in `HTTP 503`; 0 for none. */
export function statusBehind({ text, codes, end }: Span, at: number): number {
  if (at + 1 >= end || !isBlank(codes[at]!)) return 0;
  const stop = digitsEnd(codes, at + 1, end);
  const isNumber = stop - at - 1 === STATUS_DIGITS &&
    endsNumber(codes, stop, end) && !isAmount(text, stop);
  const value = isNumber ? numberAt(codes, at + 1, stop) : 0;
  return isStatus(value) ? value : 0;
}

/** The first number before `at` that may be a status with a size behind it, as haproxy and squid write it; 0 for none. */
export function statusBefore({ codes, start, end }: Span, at: number): number {
  for (let i = Math.max(start, at - REACH); i < at; i++) {
    if (KINDS[codes[i]!]! !== DIGIT) continue;
    const stop = digitsEnd(codes, i, end);
    if (stop - i === STATUS_DIGITS && isFramed(codes, i, stop)) {
      const value = numberAt(codes, i, stop);
      if (isUsed(value)) return value;
    }
    i = stop;
  }
  return 0;
}

function followsSign(code: number): boolean {
  return isBlank(code) || code === QUOTE || code === OPEN ||
    code === BRACKET || code === BAR || code === GREATER;
}

function isFramed(codes: Uint8Array, at: number, stop: number): boolean {
  const before = codes[at - 1]!;
  const isOwned = before === SLASH && codes[at - 2]! >= 65 &&
    codes[at - 2]! <= 90;
  if (!isOwned && !isBlank(before)) return false;
  if (!isBlank(codes[stop]!)) return false;
  const next = codes[stop + 1]!;
  const isSize = KINDS[next] === DIGIT ||
    (next === DASH && isBlank(codes[stop + 2]!));
  return isSize || next === BAR;
}

function isUsed(value: number): boolean {
  return value <= MOST && value >= 100 &&
    (value % 100 <= USED || OTHERS_USED.has(value));
}

/** The status of the request of one line, whose words come one after another. */
export class RequestStatus {
  /** Where the status may be, and where the method is; -1 for no request. */
  #at = -1;
  #methodAt = -1;

  /** Starts a line. */
  start(): void {
    this.#at = this.#methodAt = -1;
  }

  /** Takes a method of HTTP. */
  method(span: Span, part: number, stop: number): void {
    const at = targetEnd(span, stop);
    if (at >= 0) this.#request(part, at);
  }

  /** Takes the word `HTTP`. @returns The status that is the next word; 0 for none. */
  version(span: Span, part: number, stop: number): number {
    const at = versionEnd(span, stop);
    if (at < 0) return statusBehind(span, stop);
    this.#request(part, at);
    return 0;
  }

  /** The status of the request of the line that ends; 0 for none. */
  end(span: Span): number {
    if (this.#at < 0) return 0;
    return statusAfter(span, this.#at) || statusBefore(span, this.#methodAt);
  }

  #request(part: number, at: number): void {
    this.#at = at;
    if (this.#methodAt < 0) this.#methodAt = part;
  }
}

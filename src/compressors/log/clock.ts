/** Steps of the clock in a log: where nothing was written for long, and where the time goes back. @module */
import { isDigit } from "../../text/words.ts";
import { lineEnd, type Lines, lineStart } from "../../text/lines.ts";

/** Lines with a time that there must be. */
const FEWEST = 20;
/** A step stands out if it is so many times as long as all but so many of 100 steps, and so long. */
const TIMES = 10;
const USUAL = 0.95;
const LEAST_MS = 20_000;
/** Steps that are given, forwards and backwards; where the time goes back more often, it does so always. */
const MOST = 4;
/** UTF-16 units at the start of a line in which its time is. */
const WIDTH = 64;
/** Characters of `hh:mm:ss`. */
const TIME_WIDTH = 8;
const COLON = 58;
const POINT = 46;
const COMMA = 44;
const DASH = 45;
const SLASH = 47;
const BLANK = 32;
const ZERO = 48;
const LETTER_T = 84;
const BRACKET = 91;
const DAY_MS = 86_400_000;
const HALF_A_DAY_MS = DAY_MS / 2;

/** Characters of a date before a time, as in `2026-01-31T`. */
const DATE_WIDTH = 11;
/** At most, as in `Jan  31 `, and one before. */
const MONTH_WIDTH = 9;
const MONTH =
  /(?:^|[^A-Za-z])(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) $/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
/** The date of an access log. */
const ACCESS_WIDTH = 12;
const ACCESS = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):$/;
/** Seconds or milliseconds since 1970, or seconds since the start of a kernel. */
const STAMP =
  /^\[? {0,5}(?:(1\d{9})(\d{3})?(?:[.,](\d+))?|(\d{1,8})\.(\d{6})\])/;

/** Where a line is, or as much of it as is looked at. */
interface Line {
  readonly start: number;
  readonly end: number;
}

/** A time in milliseconds, and whether it has a date. */
interface Time {
  readonly ms: number;
  readonly isDated: boolean;
}

/**
 * Finds the lines on both sides of the longest steps of the clock.
 *
 * @returns Lines in no order, at most 16. O(n log n) in the lines.
 */
export function clockSteps(lines: Lines): readonly number[] {
  const timed: number[] = [];
  const steps: number[] = [];
  let last: Time | undefined;
  let longest = 0;
  for (let i = 0; i < lines.count; i++) {
    const start = lineStart(lines, i);
    const end = Math.min(lineEnd(lines, i), start + WIDTH);
    const time = timeOf(lines, { start, end });
    if (time === undefined) continue;
    if (last !== undefined) {
      const step = stepOf(last, time);
      longest = Math.max(longest, Math.abs(step));
      steps.push(step);
    }
    timed.push(i);
    last = time;
  }
  if (timed.length < FEWEST || longest < LEAST_MS) return [];
  const sizes = Float64Array.from(steps, Math.abs).sort();
  const usual = sizes[Math.floor(USUAL * (sizes.length - 1))] ?? 0;
  const least = Math.max(LEAST_MS, TIMES * usual);
  return [1, -1].flatMap((sign) => longSteps(steps, sign, least))
    .flatMap((at) => [timed[at] ?? 0, timed[at + 1] ?? 0]);
}

/** Indices of the longest steps in one direction; none where the time goes back all the time. */
function longSteps(
  steps: readonly number[],
  sign: number,
  least: number,
): readonly number[] {
  const long = steps.map((step, at) => ({ size: sign * step, at }))
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size || a.at - b.at);
  if (sign < 0 && long.length > MOST) return [];
  return long.slice(0, MOST).map(({ at }) => at);
}

/** Milliseconds from one time to the next; times without a date go on at midnight. */
function stepOf(from: Time, to: Time): number {
  if (from.isDated !== to.isDated) return 0;
  const step = to.ms - from.ms;
  return !to.isDated && step < -HALF_A_DAY_MS ? step + DAY_MS : step;
}

/** The first time at the start of a line. */
function timeOf(lines: Lines, line: Line): Time | undefined {
  const { codes, text } = lines;
  const { start, end } = line;
  const stamped = stampOf(lines, line);
  if (stamped !== undefined) return stamped;
  for (let at = start; at + TIME_WIDTH <= end; at++) {
    if (codes[at + 2] !== COLON || codes[at + 5] !== COLON) continue;
    const ms = clockAt(codes, at, end);
    if (Number.isNaN(ms)) continue;
    const day = at - start < DATE_WIDTH ? NaN : dayAt(codes, at - DATE_WIDTH);
    if (!Number.isNaN(day)) return { ms: day + ms, isDated: true };
    const before = text.slice(Math.max(start, at - MONTH_WIDTH), at);
    const named = before.endsWith(" ") ? MONTH.exec(before) : null;
    if (named !== null) {
      const [, month = "", ofMonth] = named;
      const day = Date.UTC(2000, MONTHS.indexOf(month) / 3, Number(ofMonth));
      return { ms: day + ms, isDated: true };
    }
    const accessed = at - start < ACCESS_WIDTH ? NaN : accessDay(lines, at);
    if (!Number.isNaN(accessed)) return { ms: accessed + ms, isDated: true };
    if (isFree(codes, at, { start, end })) return { ms, isDated: false };
  }
  return undefined;
}

/** Milliseconds of the date of an access log before `at`; `NaN` where there is none. */
function accessDay({ codes, text }: Lines, at: number): number {
  if (codes[at - 1] !== COLON) return NaN;
  const found = ACCESS.exec(text.slice(at - ACCESS_WIDTH, at));
  if (found === null) return NaN;
  const [, ofMonth, month = "", year] = found;
  const place = MONTHS.indexOf(month) / 3;
  return Date.UTC(Number(year), place, Number(ofMonth));
}

/** The time of a line that begins with a count of seconds or milliseconds. */
function stampOf(
  { codes, text }: Lines,
  { start, end }: Line,
): Time | undefined {
  const first = codes[start]!;
  if (first !== BRACKET && !isDigit(first)) return undefined;
  const found = STAMP.exec(text.slice(start, Math.min(end, start + WIDTH)));
  if (found === null) return undefined;
  const [all, seconds, ms = "0", , sinceBoot, micros] = found;
  // A longer number is no time.
  if (seconds !== undefined && isDigit(codes[start + all.length] ?? BLANK)) {
    return undefined;
  }
  return seconds === undefined
    ? {
      ms: 1000 * Number(sinceBoot) + Number(micros) / 1000,
      isDated: true,
    }
    : { ms: 1000 * Number(seconds) + Number(ms), isDated: true };
}

/** Milliseconds of `hh:mm:ss` and a fraction; `NaN` where there are no such digits. */
function clockAt(codes: Uint8Array, at: number, end: number): number {
  const seconds = 3600 * number(codes, at, 2) +
    60 * number(codes, at + 3, 2) + number(codes, at + 6, 2);
  let ms = 1000 * seconds;
  const dot = at + TIME_WIDTH;
  if (codes[dot] !== POINT && codes[dot] !== COMMA) return ms;
  let unit = 100;
  for (let i = dot + 1; i < end && isDigit(codes[i]!); i++) {
    ms += unit * (codes[i]! - ZERO);
    unit /= 10;
  }
  return ms;
}

/** Milliseconds of a date with numbers; `NaN` where there is none. */
function dayAt(codes: Uint8Array, at: number): number {
  const isParted = isDash(codes[at + 4]) && isDash(codes[at + 7]) &&
    (codes[at + 10] === LETTER_T || codes[at + 10] === BLANK);
  if (!isParted || isDigit(codes[at - 1]!)) return NaN;
  return Date.UTC(
    number(codes, at, 4),
    number(codes, at + 5, 2) - 1,
    number(codes, at + 8, 2),
  );
}

/** Whether a time is no part of a longer number, as a port or an address is. */
function isFree(codes: Uint8Array, at: number, { start, end }: Line): boolean {
  const before = at > start ? codes[at - 1]! : BLANK;
  if (isDigit(before) || before === COLON || before === POINT) return false;
  let behind = at + TIME_WIDTH;
  if (codes[behind] === POINT || codes[behind] === COMMA) behind++;
  while (behind > at + TIME_WIDTH && behind < end && isDigit(codes[behind]!)) {
    behind++;
  }
  return behind >= end || codes[behind] !== COLON && !isDigit(codes[behind]!);
}

/** The number of `count` digits; `NaN` where one is none. */
function number(codes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    if (!isDigit(codes[i]!)) return NaN;
    value = 10 * value + codes[i]! - ZERO;
  }
  return value;
}

function isDash(code: number | undefined): boolean {
  return code === DASH || code === SLASH;
}

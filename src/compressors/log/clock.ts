/** Steps of the clock in a log: where nothing was written for long, and where the time goes back. @module */
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
const COLON = 58;
const DAY_MS = 86_400_000;
const HALF_A_DAY_MS = DAY_MS / 2;

const DATE_TIME =
  /(?<!\d)(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?/;
const MONTH_TIME =
  /(?<![A-Za-z])(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)/;
const TIME = /(?<![\d:.])(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?![\d:])/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

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
  for (let i = 0; i < lines.count; i++) {
    const time = timeOf(lines, i);
    if (time === undefined) continue;
    if (last !== undefined) steps.push(stepOf(last, time));
    timed.push(i);
    last = time;
  }
  if (timed.length < FEWEST) return [];
  const sizes = Float64Array.from(steps, Math.abs).sort();
  const usual = sizes[Math.floor(USUAL * (sizes.length - 1))] ?? 0;
  const least = Math.max(LEAST_MS, TIMES * usual);
  const found: number[] = [];
  for (const sign of [1, -1]) {
    const long = steps.map((step, at) => ({ size: sign * step, at }))
      .filter(({ size }) => size >= least)
      .sort((a, b) => b.size - a.size || a.at - b.at);
    if (sign < 0 && long.length > MOST) continue;
    for (const { at } of long.slice(0, MOST)) {
      found.push(timed[at] ?? 0, timed[at + 1] ?? 0);
    }
  }
  return found;
}

/** Milliseconds from one time to the next; times without a date go on at midnight. */
function stepOf(from: Time, to: Time): number {
  if (from.isDated !== to.isDated) return 0;
  const step = to.ms - from.ms;
  return !to.isDated && step < -HALF_A_DAY_MS ? step + DAY_MS : step;
}

function timeOf(lines: Lines, line: number): Time | undefined {
  const start = lineStart(lines, line);
  const end = Math.min(lineEnd(lines, line), start + WIDTH);
  if (!hasClock(lines.codes, start, end)) return undefined;
  const head = lines.text.slice(start, end);
  const dated = DATE_TIME.exec(head);
  if (dated !== null) {
    const [, year, month, day, ...rest] = dated;
    const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
    return { ms: ms + clockOf(rest), isDated: true };
  }
  const named = MONTH_TIME.exec(head);
  if (named !== null) {
    const [, month = "", day, ...rest] = named;
    const ms = Date.UTC(2000, MONTHS.indexOf(month) / 3, Number(day));
    return { ms: ms + clockOf(rest), isDated: true };
  }
  const time = TIME.exec(head);
  return time === null
    ? undefined
    : { ms: clockOf(time.slice(1)), isDated: false };
}

/** Whether two colons come two characters apart. */
function hasClock(codes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + 2; at < end - 3; at++) {
    if (codes[at] === COLON && codes[at + 3] === COLON) return true;
  }
  return false;
}

/** Milliseconds of `[hours, minutes, seconds, fraction]`. */
function clockOf(parts: readonly (string | undefined)[]): number {
  const [hours, minutes, seconds, fraction = "0"] = parts;
  return 1000 *
    (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds) +
      Number(`0.${fraction}`));
}

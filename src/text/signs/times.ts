/** Times and dates in cells as numbers, so that the earliest, the latest and gaps are seen. @module */
import { isDigit } from "../words.ts";

/** Characters of the longest time that is read. */
const LONGEST = 40;
/** `2026-11-28`, `2026/11/28`, `28.11.2026`, and a time of the day behind it or alone. */
const TIME =
  /^"?(?:(?:(\d{4})([-/])(\d\d)\2(\d\d)|(\d\d)\.(\d\d)\.(\d{4}))(?:(?:T|  ?)(?=\d)|$|"$))?(?:(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(?:Z|UTC|GMT|([-+])(\d\d):?(\d\d)?)?)?"?$/;
const QUOTE = 34;
const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/**
 * Milliseconds from the year 0 to the time that is all of `text[start, end)`, or since midnight where there is no
 * date; quotes around it are left out. O(1).
 *
 * @returns NaN where it is no time.
 */
export function timeAt(text: string, start: number, end: number): number {
  if (end - start < 8 || end - start > LONGEST) return NaN;
  const first = text.charCodeAt(start) === QUOTE ? start + 1 : start;
  if (!isDigit(text.charCodeAt(first))) {
    return NaN;
  }
  const match = TIME.exec(text.slice(start, end));
  if (match === null) return NaN;
  const part = (group: number) => Number(match[group] ?? 0);
  const hasDate = match[3] !== undefined || match[6] !== undefined;
  // `09:11` alone may be anything.
  if (!hasDate && match[10] === undefined) return NaN;
  const days = hasDate
    ? daysOf(part(1) + part(7), part(3) + part(6), part(4) + part(5))
    : 0;
  const sign = match[12] === "-" ? -1 : 1;
  return DAY * days + HOUR * (part(8) - sign * part(13)) +
    MINUTE * (part(9) - sign * part(14)) + 1000 * part(10) +
    1000 * Number(`0.${match[11] ?? 0}`);
}

/** Days since the first of March of the year 0, in the Gregorian calendar; NaN where there is no such month or day. */
function daysOf(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
  const y = month > 2 ? year : year - 1;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leaps + Math.floor((153 * ((month + 9) % 12) + 2) / 5) +
    day - 1;
}

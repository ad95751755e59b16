/** Points in time as a user types them. @module */

/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const AGO = /^(\d{1,9}) ?(s|m|min|h|d|w)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** What is accepted, for messages. */
export const SINCE_FORMS = "30m, 2h, 7d, today, 2026-01-31 or 2026-01-31T09:30";

/**
 * Reads a point in time: so long ago, `today`, a day, or a moment; in local time where no zone is given.
 *
 * @param now Milliseconds since the Unix epoch.
 * @returns Milliseconds since the Unix epoch; `undefined` when it is none of these.
 */
export function parseSince(text: string, now: number): number | undefined {
  const given = text.trim();
  const ago = AGO.exec(given);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  if (given === "today") return new Date(now).setHours(0, 0, 0, 0);
  const at = DAY.test(given)
    ? midnight(given)
    : MOMENT.test(given)
    ? Date.parse(given.replace(" ", "T"))
    : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A day without a time would be read as UTC; one that no month has, as one of the next. */
function midnight(day: string): number {
  const [year, month, date] = day.split("-").map(Number);
  const start = new Date(year!, month! - 1, date!);
  return start.getDate() === date && start.getMonth() === month! - 1
    ? start.getTime()
    : NaN;
}

const DAY_MS = 86_400_000;
/**
 * Reads a point in time. A day, and `today`, is one in UTC: so are the days of the ledger.
 *
 * @param now Milliseconds since the Unix epoch.
 * @returns Milliseconds since the Unix epoch; `undefined` when it is none.
 */
export function parseSinceDay(text: string, now: number): number | undefined {
  const given = text.trim();
  if (given === "today") return now - now % DAY_MS;
  if (!DAY.test(given)) return parseSince(given, now);
  const at = Date.parse(given);
  // A day that no month has would be read as one of the next.
  const isThere = !Number.isNaN(at) &&
    new Date(at).toISOString().startsWith(given);
  return isThere ? at : undefined;
}

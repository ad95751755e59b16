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

/** Milliseconds of a day. */
const DAY_MS = UNITS["d"]!;

/**
 * Reads a point in time: so long ago, `today`, a day, or a moment; in local time where no zone is given.
 *
 * @param now Milliseconds since the Unix epoch.
 * @param isUtc Whether a day, and `today`, is one in UTC: so are the days of the ledger.
 * @returns Milliseconds since the Unix epoch; `undefined` when it is none of these.
 */
export function parseSince(
  text: string,
  now: number,
  isUtc = false,
): number | undefined {
  const given = text.trim();
  const ago = AGO.exec(given);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  if (given === "today") {
    return isUtc ? now - now % DAY_MS : new Date(now).setHours(0, 0, 0, 0);
  }
  const at = DAY.test(given)
    ? midnight(given, isUtc)
    : MOMENT.test(given)
    ? Date.parse(given.replace(" ", "T"))
    : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A day that no month has would be read as one of the next. */
function midnight(day: string, isUtc: boolean): number {
  const isThere = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return isThere ? Date.parse(isUtc ? day : `${day}T00:00`) : NaN;
}

/** First day of a table of savings. @module */
import { parseSince } from "../since.ts";

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

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

/** A text that compression leaves much out of. @module */

/** A service's log of 800 lines, with characters of two, three and four bytes. */
export const LONG_LOG = Array.from(
  { length: 800 },
  (_, i) =>
    `2025-01-01 12:${pad(i / 60)}:${
      pad(i % 60)
    } INFO ünïcode ✓ 🙂 request ${i} "served" in ${i % 17} ms`,
).concat("2025-01-01 12:20:00 ERROR disk full\t\\").join("\n");

function pad(number: number): string {
  return `${Math.floor(number)}`.padStart(2, "0");
}

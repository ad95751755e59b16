/** Shares in percent, rounded in one way wherever they are shown. @module */

/**
 * A share of a whole in percent with one decimal, half away from zero, from the exact numbers: a share that was rounded
 * before would be rounded twice.
 *
 * @param part An integer, below 4e12 in size.
 * @param whole An integer above 0.
 * @returns E.g. `40.0`, `-3.1`; `0.0` for no share, and where there is no whole.
 */
export function percentDigits(part: number, whole: number): string {
  if (part === 0 || whole <= 0) return "0.0";
  const tenths = Math.floor((2000 * Math.abs(part) + whole) / (2 * whole));
  const sign = part < 0 && tenths > 0 ? "-" : "";
  return `${sign}${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/** A share of a whole in percent with two decimals; 0 where there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round(10_000 * part / whole) / 100;
}

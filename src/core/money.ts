/** Sums of money as a reader wants them. @module */

/** US dollars; more digits for less money, e.g. `$1.25`, `$0.0125`, `-$0.000125`. */
export function moneyText(nanoUsd: number): string {
  const usd = Math.abs(nanoUsd) / 1e9;
  const sign = nanoUsd < 0 ? "-" : "";
  if (usd === 0) return "$0";
  const digits = usd >= 1 ? 2 : usd >= 0.01 ? 4 : 6;
  return `${sign}$${
    usd.toLocaleString("en-US", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  }`;
}

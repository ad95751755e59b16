/** Times, sums of money, counts and states as a reader wants them. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";

/** Characters of an id that tell requests apart. */
const SHORT_ID = 8;

/** The first characters of an id. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}

/** A number with its thousands apart, e.g. `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** So many of something, e.g. `1 line`, `2 lines`. */
export function manyText(count: number, unit: string): string {
  return `${countText(count)} ${unit}${count === 1 ? "" : "s"}`;
}

/** Day and time on the reader's clock, e.g. `2026-01-31 09:30:05`. */
export function timeText(at: number): string {
  const date = new Date(at);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const day = [
    date.getFullYear(),
    two(date.getMonth() + 1),
    two(date.getDate()),
  ];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${day.join("-")} ${time.join(":")}`;
}

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

/** Milliseconds; a tenth is shown below 100, e.g. `1.9 ms`, `812 ms`. */
export function msText(ms: number): string {
  return `${
    ms < 100 ? Math.round(ms * 10) / 10 : countText(Math.round(ms))
  } ms`;
}

/** Share of what was there before, e.g. `-80.2 %`; what was added has a plus. */
export function shareText(saved: number, before: number): string {
  if (before === 0 || saved === 0) return "0 %";
  const share = Math.round(1000 * Math.abs(saved) / before) / 10;
  return `${saved > 0 ? "-" : "+"}${share} %`;
}

/** The status and what is special about it, e.g. `200 cached`. */
export function statusText(
  { status, cached, refusedBy }: Pick<
    LoggedRequest,
    "status" | "cached" | "refusedBy"
  >,
): string {
  if (refusedBy !== undefined) {
    return `${status} refused: ${refusedBy.replace("_", " ")}`;
  }
  if (cached) return `${status} cached`;
  if (status === 499) return `${status} aborted`;
  return status >= 400 ? `${status} failed` : `${status}`;
}

/** What it cost: `~` before an estimate, `?` where nobody knows, `-` where no model was reached. */
export function costText(
  { costBasis, nanoUsd }: Pick<LoggedRequest, "costBasis" | "nanoUsd">,
): string {
  if (costBasis === undefined) return "-";
  if (nanoUsd === undefined) return "?";
  return `${costBasis === "estimated" ? "~" : ""}${moneyText(nanoUsd)}`;
}

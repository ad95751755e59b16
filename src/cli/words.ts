/** Times, sums of money, counts and states as a reader wants them. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { moneyText } from "../core/money.ts";
import { percentDigits } from "../core/percent.ts";
import { ruleLabel } from "../core/rule_label.ts";
import { nameText } from "./originals/words.ts";

export { moneyText };

/** Characters of an id that tell requests apart. */
const SHORT_ID = 8;
/** What stands for the provider of a request that was sent on as it came. */
const PASSED_THROUGH = "passthrough";

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

/** A rule, or a kind of text, for people, e.g. `JSON` for `smart_crusher`; an unknown one by its id. */
export function ruleText(id: string): string {
  return nameText(ruleLabel(id));
}

/** Milliseconds; a tenth is shown below 100, e.g. `1.9 ms`, `812 ms`. */
export function msText(ms: number): string {
  return `${
    ms < 100 ? Math.round(ms * 10) / 10 : countText(Math.round(ms))
  } ms`;
}

/** Saved share of what was there before, e.g. `80.2 %`; what was added has a minus. */
export function shareText(saved: number, before: number): string {
  return `${percentDigits(saved, before)} %`;
}

/** The same in words, e.g. `saved 80.2 %`, `added 3.1 %`. */
export function savedText(saved: number, before: number): string {
  const what = saved < 0 ? "added" : "saved";
  return `${what} ${shareText(Math.abs(saved), before)}`;
}

/** The status and what is special about it, e.g. `200 cached`. What `/stats` counts as failed is called so here. */
export function statusText(
  request: Pick<
    LoggedRequest,
    "status" | "cached" | "refusedBy" | "provider"
  >,
): string {
  const { status, cached, refusedBy } = request;
  if (refusedBy !== undefined) {
    return `${status} refused: ${refusedBy.replace("_", " ")}`;
  }
  if (cached) return `${status} cached`;
  if (status === 499) return `${status} aborted`;
  if (status >= 500) return `${status} failed`;
  if (isPassedThrough(request)) return `${status} passed through`;
  return status >= 400 ? `${status} refused upstream` : `${status}`;
}

/** Whether it carried no conversation and was sent on as it came. */
export function isPassedThrough(
  { provider }: Pick<LoggedRequest, "provider">,
): boolean {
  return provider === PASSED_THROUGH;
}

/** What it cost: `~` before an estimate, `?` where nobody knows, `-` where no model was reached. */
export function costText(
  { costBasis, nanoUsd }: Pick<LoggedRequest, "costBasis" | "nanoUsd">,
): string {
  if (costBasis === undefined) return "-";
  if (nanoUsd === undefined) return "?";
  return `${costBasis === "estimated" ? "~" : ""}${moneyText(nanoUsd)}`;
}

/** How much of the budget is left? @module */
import type { Budget, BudgetPeriod } from "../../core/cost.ts";
import type { LedgerReader } from "../../core/ledger_reader.ts";
import { type Facts, memberOf } from "../running_proxy.ts";
import { type Found, skipped, type Verdict, verdicts } from "./found.ts";
import { moneyText } from "../../core/money.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Nano-dollars in a dollar. */
const NANO = 1e9;
/** Share of a budget from which on it soon ends, in percent. */
const NEAR_PERCENT = 80;
/** Requests of the period that are looked at for the share of estimates. */
const MAX_REQUESTS = 10_000;

/** A budget and what was spent. */
interface Spent {
  /** Nano-dollars per period. */
  readonly limit: number;
  /** `hourly`, `daily` or `monthly`. */
  readonly period: string;
  /** `count`, `ignore` or `block`. */
  readonly basis: string;
  /** Nano-dollars of the period. */
  readonly total: number;
  /** Those of them that are estimated. */
  readonly estimated: number;
  /** Requests with an estimate, or without a price. */
  readonly estimatedRequests: number;
  /** Who says so. */
  readonly source: "proxy" | "ledger";
}

/** Whether requests are still let through; the running proxy wins, since flags may have set its budget. */
export function checkBudget(found: Found): Verdict {
  const spent = fromProxy(memberOf(found.proxy.stats, "cost")) ??
    fromLedger(found);
  if (spent === undefined) {
    return skipped(
      found.settings.config.budget === undefined
        ? "none is set (SVC_BUDGET)"
        : "nothing is spent yet",
    );
  }
  const { limit, period, basis, total, estimated } = spent;
  const counted = basis === "ignore" ? total - estimated : total;
  const used = Math.round(1000 * counted / limit) / 10;
  const share = total === 0 ? 0 : Math.round(1000 * estimated / total) / 10;
  const text = `${moneyText(counted)} of ${
    moneyText(limit)
  } spent (${used} %), ${period} in UTC; estimated: ${share} % of the spend, ${
    BASES[basis] ?? basis
  }`;
  const say = verdicts({
    limit_usd: limit / NANO,
    period,
    spent_usd: counted / NANO,
    estimated_usd: estimated / NANO,
    estimated_percent: share,
    estimated_basis: basis,
    source: spent.source,
  });
  if (basis === "block" && spent.estimatedRequests > 0) {
    return say.failed(
      text,
      "requests are refused until the next period: one was estimated, and SVC_BUDGET_ESTIMATED_BASIS is block",
    );
  }
  if (counted >= limit) {
    return say.failed(
      text,
      "requests are refused until the next period; raise SVC_BUDGET",
    );
  }
  return used >= NEAR_PERCENT
    ? say.warned(
      text,
      "requests are refused once it is spent; raise SVC_BUDGET",
    )
    : say.passed(text);
}

const BASES: Readonly<Record<string, string>> = {
  count: "which counts",
  ignore: "which does not count",
  block: "which ends it",
};

function fromProxy(cost: Facts): Spent | undefined {
  const limit = cost["budget_limit_usd"];
  if (typeof limit !== "number") return undefined;
  const spend = memberOf(cost, "budget_basis");
  const nano = (usd: unknown) => Math.round(NANO * Number(usd ?? 0));
  return {
    limit: nano(limit),
    period: String(cost["budget_period"]),
    basis: String(cost["budget_estimated_basis"]),
    total: nano(spend["total_usd"]),
    estimated: nano(spend["estimated_usd"]),
    estimatedRequests: Number(spend["estimated_records"] ?? 0),
    source: "proxy",
  };
}

function fromLedger({ settings, ledger, now }: Found): Spent | undefined {
  const { budget } = settings.config;
  if (budget === undefined || ledger.state !== "open") return undefined;
  const { limitNanoUsd: limit, period, estimatedBasis: basis } = budget;
  return { limit, period, basis, ...spendOf(ledger.reader, budget, now) };
}

/** Hours are exact; the share of estimates is that of the period's newest requests. */
function spendOf(
  reader: LedgerReader,
  { period }: Budget,
  now: number,
): Pick<Spent, "total" | "estimated" | "estimatedRequests" | "source"> {
  const since = startOf(period, now);
  const total = reader.buckets("hourly")
    .filter(({ start }) => start >= since)
    .reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
  const kept = reader.requests({ limit: MAX_REQUESTS, since });
  const guessed = kept.filter(({ costBasis, nanoUsd }) =>
    costBasis === "estimated" ||
    (costBasis !== undefined && nanoUsd === undefined)
  );
  const estimated = guessed.reduce((sum, row) => sum + (row.nanoUsd ?? 0), 0);
  return {
    total,
    estimated,
    estimatedRequests: guessed.length,
    source: "ledger",
  };
}

function startOf(period: BudgetPeriod, now: number): number {
  if (period === "hourly") return now - now % HOUR_MS;
  if (period === "daily") return now - now % DAY_MS;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

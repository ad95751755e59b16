/** What the ledger says: do savings flow, is the prefix kept, is the clock right, how much of the budget is left? @module */
import type { BudgetPeriod } from "../../core/cost.ts";
import type { LedgerReader } from "../../core/ledger_reader.ts";
import { moneyText } from "../../core/money.ts";
import { netOf } from "../../core/sums.ts";
import { type Facts, memberOf } from "../running_proxy.ts";
import { ageText, countText, manyText, timeText } from "../words.ts";
import {
  failed,
  type Found,
  OTHER_WORKSPACE,
  passed,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A weekend without a request is none to wonder about: three days, in milliseconds. */
const QUIET_MS = 3 * DAY_MS;
/** Fewer requests prove nothing. */
const MIN_REQUESTS = 20;
/** Requests among which a broken one is looked for. */
const RECENT = 2000;
/** Milliseconds by which two looks at one clock may differ. */
const CLOCK_MS = 5000;
/** Milliseconds by which the newest request may lie in the future: clocks are corrected. */
const FUTURE_MS = 5 * 60_000;
/** No clock showed less when this program was made: 2025, in milliseconds since the Unix epoch. */
const EARLIEST = Date.UTC(2025, 0);

/** Makes the verdict of a check that needs the ledger; without one there is nothing to check. */
function withLedger(
  { ledger }: Pick<Found, "ledger">,
  check: (reader: LedgerReader) => Verdict,
): Verdict {
  switch (ledger.state) {
    case "off":
      return skipped("SVC_STATELESS is on: requests are kept in memory");
    case "elsewhere":
      return skipped(OTHER_WORKSPACE);
    case "missing":
      return skipped(`no request yet: there is no ${ledger.path}`);
    case "broken":
      return skipped("the ledger cannot be read: see the check of the ledger");
    case "open":
      return check(ledger.reader);
  }
}

/** Whether requests come, and something is saved. */
export function checkSavings(found: Found): Verdict {
  const verdict = withLedger(found, (reader) => savingsVerdict(reader, found));
  return found.ledger.state !== "missing" ? verdict : warned(
    verdict.summary,
    "start svc proxy and send a client through it; if one runs with another SVC_WORKSPACE_DIR, set the same here",
  );
}

function savingsVerdict(
  reader: LedgerReader,
  { now, settings, proxy }: Found,
): Verdict {
  const [newest] = reader.requests({ limit: 1 });
  const lifetime = reader.lifetime();
  const start = now - now % DAY_MS;
  const today = reader.buckets("daily")
    .find((bucket) => bucket.start === start);
  const saved = netOf(lifetime);
  const savedToday = today ? netOf(today) : 0;
  const age = now - (newest?.at ?? now);
  const text = `last request ${ageText(age)} ago; saved ${
    countText(savedToday)
  } tokens today (UTC), ${countText(saved)} in ${
    manyText(lifetime.requests, "request")
  } of all time`;
  const mode = proxy.config["mode"] ?? settings.config.mode;
  return verdictOf({
    last_request: newest ? new Date(newest.at).toISOString() : null,
    requests_today: today?.requests ?? 0,
    tokens_saved_today: savedToday,
    requests: lifetime.requests,
    tokens_saved: saved,
  }, [
    newest === undefined &&
    warned("the ledger has no requests", "send a client through the proxy"),
    age > QUIET_MS &&
    warned(text, "clients may bypass the proxy: see the checks of agents"),
    (lifetime.requests < MIN_REQUESTS || saved > 0) && passed(text),
    warned(
      text,
      mode === "passthrough"
        ? "the mode is passthrough: nothing is compressed"
        : "svc perf shows why so little was saved",
    ),
  ]);
}

/** Whether svc never changed what it had sent before. */
export function checkPrefix(found: Found): Verdict {
  return withLedger(found, (reader) => {
    const broken = reader.brokenPrefixes();
    const { requests } = reader.lifetime();
    const details = { broken, requests };
    const all = manyText(requests, "request");
    if (broken === 0) {
      return verdictOf(details, [
        passed(`svc never changed a prompt that was already sent, in ${all}`),
      ]);
    }
    const last = reader.requests({ limit: RECENT })
      .find(({ prefix }) => prefix?.verdict === "ours");
    return verdictOf({ ...details, last_request_id: last?.id ?? null }, [
      failed(
        `svc changed prompts that were already sent, in ${
          countText(broken)
        } of ${all}: providers billed them again`,
        last === undefined
          ? "please report it"
          : `please report it, with the prefix line of svc show ${last.id}`,
      ),
    ]);
  });
}

/** Whether the clock agrees with the newest request and with the proxy. */
export function checkClock({ now, ledger, proxy }: Found): Verdict {
  const newest = ledger.state === "open"
    ? ledger.reader.requests({ limit: 1 })[0]?.at
    : undefined;
  const stamp = Date.parse(String(proxy.health["timestamp"]));
  const hint =
    "correct the clock: days, budgets and the lifetime of originals depend on it";
  const isoOf = (at: number | undefined) =>
    at === undefined || Number.isNaN(at) ? null : new Date(at).toISOString();
  return verdictOf({
    now: isoOf(now),
    newest_request: isoOf(newest),
    proxy: isoOf(stamp),
  }, [
    now < EARLIEST && failed(`the clock shows ${timeText(now)}`, hint),
    newest !== undefined && newest - now > FUTURE_MS && warned(
      `the newest request came ${
        ageText(newest - now)
      } from now: the clock was set back`,
      hint,
    ),
    Math.abs(stamp - now) > CLOCK_MS && warned(
      `the proxy's clock differs by ${ageText(Math.abs(stamp - now))}`,
      hint,
    ),
    passed(`${timeText(now)}, in agreement with the ledger and the proxy`),
  ]);
}

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
  const refused = "requests are refused until the next period";
  return verdictOf({
    limit_usd: limit / NANO,
    period,
    spent_usd: counted / NANO,
    estimated_usd: estimated / NANO,
    estimated_percent: share,
    estimated_basis: basis,
    source: spent.source,
  }, [
    basis === "block" && spent.estimatedRequests > 0 && failed(
      text,
      `${refused}: one was estimated, and SVC_BUDGET_ESTIMATED_BASIS is block`,
    ),
    counted >= limit && failed(text, `${refused}; raise SVC_BUDGET`),
    used >= NEAR_PERCENT && warned(
      text,
      "requests are refused once it is spent; raise SVC_BUDGET",
    ),
    passed(text),
  ]);
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

/** Hours are exact; the share of estimates is that of the period's newest requests. */
function fromLedger({ settings, ledger, now }: Found): Spent | undefined {
  const { budget } = settings.config;
  if (budget === undefined || ledger.state !== "open") return undefined;
  const { limitNanoUsd: limit, period, estimatedBasis: basis } = budget;
  const { reader } = ledger;
  const since = startOf(period, now);
  const kept = reader.requests({ limit: MAX_REQUESTS, since });
  const guessed = kept.filter(({ costBasis, nanoUsd }) =>
    costBasis === "estimated" ||
    (costBasis !== undefined && nanoUsd === undefined)
  );
  return {
    ...{ limit, period, basis },
    total: reader.buckets("hourly").filter(({ start }) => start >= since)
      .reduce((sum, { nanoUsd }) => sum + nanoUsd, 0),
    estimated: guessed.reduce((sum, row) => sum + (row.nanoUsd ?? 0), 0),
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

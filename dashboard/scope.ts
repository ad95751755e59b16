/** The same figures of a run, of some days, and of all time, from the answers that hold them. @module */
import type { Lifetime, RangeBody, Stats, SumsReport } from "./api.ts";
import { inSentence } from "./format.ts";

/** Requests of a while, and what was saved in them. */
export interface Scope extends Money {
  /** Finished requests. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Those with a 4xx status; `undefined` where nobody counts them. */
  readonly refused?: number;
  /** Net tokens saved. */
  readonly saved: number;
  /** Tokens that would have been sent. */
  readonly before: number;
}

/** What requests cost; `null` where no request has a known price. */
export interface Money {
  /** Dollars saved, net. */
  readonly net: number | null;
  /** At list price. */
  readonly gross: number | null;
  /** Dollars that requests cost. */
  readonly cost: number | null;
  /** And would have cost. */
  readonly without: number | null;
  /** Requests without a price: in none of the sums. */
  readonly unpriced: number;
}

const NOT_KNOWN = { net: null, gross: null, cost: null, without: null };

/** Where requests have no price and nothing was spent, zero dollars would be a lie. */
export function moneyOf(
  { net, gross, cost, unpriced }: Omit<Money, "without">,
): Money {
  const isKnown = net !== null && cost !== null &&
    (unpriced === 0 || cost !== 0);
  return isKnown
    ? { net, gross, cost, without: cost + net, unpriced }
    : { ...NOT_KNOWN, unpriced };
}

/** Since the proxy started. */
export function runOf({ requests, tokens, summary, cost }: Stats): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    ...moneyOf({
      net: summary.cost.total_saved_usd,
      gross: summary.cost.breakdown.gross_savings_usd,
      cost: summary.cost.with_svc_usd,
      unpriced: cost.unpriced_requests,
    }),
  };
}

/** Since the ledger was made. */
export function lifetimeOf({ requests, tokens, cost }: Lifetime): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    ...moneyOf({
      net: cost.compression_savings_usd,
      gross: cost.gross_savings_usd,
      cost: cost.total_cost_usd,
      unpriced: cost.unpriced_requests,
    }),
  };
}

/** Between two times. */
export function spanOf({ total }: Pick<RangeBody, "total">): Scope {
  return {
    requests: total.requests,
    failed: total.failed,
    refused: total.refused,
    saved: total.tokens_saved,
    before: total.input_tokens + total.tokens_saved,
    ...moneyOfSums(total),
  };
}

/** Money of sums. */
export function moneyOfSums(sums: SumsReport): Money {
  return moneyOf({
    net: sums.compression_savings_usd,
    gross: sums.gross_savings_usd,
    cost: sums.total_cost_usd,
    unpriced: sums.unpriced_requests,
  });
}

/** A scope, and what it is called. */
export interface NamedScope {
  /** The while. */
  readonly title: string;
  /** When it began. */
  readonly aside: string;
  /** Its figures; `undefined` before they come. */
  readonly scope: Scope | undefined;
}

/** Scopes with the same figures become one: on the first day the run, the week and all time are the same. */
export function merged(scopes: readonly NamedScope[]): readonly NamedScope[] {
  const groups: NamedScope[][] = [];
  for (const one of scopes) {
    const group = groups.find(([first]) => isSame(first?.scope, one.scope));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups.map((group) => {
    const [first] = group;
    if (group.length === 1) return first!;
    const titles = group.map(({ title }, i) =>
      i === 0 ? title : inSentence(title)
    );
    const all = `${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`;
    return {
      title: all,
      aside: "the same so far",
      // The one that says most of its requests.
      scope: group.map(({ scope }) => scope)
        .find((scope) => scope?.refused !== undefined) ?? first!.scope,
    };
  });
}

/** Sums of money are of floating point on the way: a nano-dollar is none. */
function isSame(a: Scope | undefined, b: Scope | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const counts = ["requests", "failed", "saved", "before", "unpriced"] as const;
  const money = ["net", "gross", "cost"] as const;
  const nano = (usd: number | null) =>
    usd === null ? null : Math.round(usd * 1e8);
  return counts.every((key) => a[key] === b[key]) &&
    money.every((key) => nano(a[key]) === nano(b[key]));
}

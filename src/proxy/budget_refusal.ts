/** Asking for a request's money, and the answer where there is none. @module */
import type { Clock } from "../core/clock.ts";
import type { BudgetGate, BudgetRefusal, Pricing } from "../core/cost.ts";
import type { ProviderFormat } from "../core/format.ts";
import type { Log } from "../core/log.ts";
import { moneyText } from "../core/money.ts";
import { errorResponse } from "./errors.ts";
import type { Meter } from "./meter.ts";

/** Longest wait that clients are told: some wait for hours without a word when they are asked to. */
const MAX_TOLD_S = 60;
const HOUR_MS = 3_600_000;

/** What guards the money. */
export interface BudgetParts {
  /** Lets requests pass while there is money; `undefined` without a budget. */
  readonly budget: Pick<BudgetGate, "admit"> | undefined;
  /** What a request may cost. */
  readonly pricing: Pricing;
  /** Told of a refusal by the budget. */
  readonly onRefused: (refusal: BudgetRefusal) => void;
}

/**
 * Reserves money for a body of so many bytes. What was frozen for it stays: another request may have been sent with it
 * meanwhile.
 *
 * @returns The answer where there is none.
 */
export async function refusedByBudget(
  { budget, pricing, onRefused }: BudgetParts,
  { format, meter }: {
    readonly format: Pick<ProviderFormat, "errorBody">;
    readonly meter: Pick<Meter, "id" | "refused">;
  },
  { model, bytes }: { readonly model: string; readonly bytes: number },
): Promise<Response | undefined> {
  if (budget === undefined) return undefined;
  const nanoUsd = pricing.reserveFor(model, bytes);
  const refusal = await budget.admit(meter.id, nanoUsd);
  if (refusal === undefined) return undefined;
  meter.refused("budget", model);
  onRefused(refusal);
  return budgetResponse(format, refusal);
}

/**
 * 429 in the family's shape, with the code `budget_exceeded`. The official SDKs try again on a 429 unless
 * `x-should-retry` says no: they do only where it may help within seconds.
 */
function budgetResponse(
  format: Pick<ProviderFormat, "errorBody">,
  refusal: BudgetRefusal,
): Response {
  const body = format.errorBody(429, messageOf(refusal), "budget_exceeded");
  const seconds = Math.max(1, Math.ceil(refusal.retryAfterMs / 1000));
  return errorResponse(body, 429, {
    ...seconds <= MAX_TOLD_S && { "retry-after": `${seconds}` },
    "x-should-retry": `${refusal.reason === "reserved"}`,
  });
}

function messageOf(refusal: BudgetRefusal): string {
  const { reason, period } = refusal;
  const limit = moneyText(refusal.limitNanoUsd);
  const spent = moneyText(refusal.spentNanoUsd);
  switch (reason) {
    case "spent":
      return `Budget exceeded for ${period} period: ${spent} of ${limit} are spent; wait for the next period or raise SVC_BUDGET`;
    case "reserved":
      return `Budget exceeded for ${period} period: ${spent} of ${limit} are spent and requests under way may use the rest; try again when they have ended`;
    case "estimated":
      return `Budget exceeded for ${period} period: it holds spend that the provider did not report, and SVC_BUDGET_ESTIMATED_BASIS is block; wait for the next period or set it to count or ignore`;
  }
}

/** Logs that a budget is spent, which the terminal of the proxy shows, too: not for every request. */
export function logOnceAnHour(
  log: Log,
  clock: Clock,
): (refusal: BudgetRefusal) => void {
  let last = -Infinity;
  return ({ reason, period, limitNanoUsd }) => {
    const now = clock.monotonic();
    if (reason === "reserved" || now - last < HOUR_MS) return;
    last = now;
    log("warn", "budget_exceeded", {
      period,
      limit_usd: limitNanoUsd / 1e9,
      reason,
    });
  };
}

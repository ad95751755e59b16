/** A budget of this process alone. @module */
import type { Clock } from "../core/clock.ts";
import type {
  Budget,
  BudgetGate,
  BudgetRefusal,
  BudgetState,
} from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import { isUnpriced } from "../core/outcome.ts";
import {
  HOUR_MS,
  isBelieved,
  periodStart,
  refusalOf,
  reservationOf,
} from "./budget_rule.ts";

/** Spend of one hour. */
interface HourSpend {
  measured: number;
  estimated: number;
  records: number;
  estimatedRecords: number;
}

/** Hours that are kept: more than the longest month has. */
const MAX_HOURS = 24 * 62;

/** Keeps spend in memory: it is gone when the process ends. */
export class MemoryBudget implements BudgetGate {
  #budget: Budget;
  readonly #clock: Clock;
  readonly #hours = new Map<number, HourSpend>();
  readonly #reserved = new Map<string, { nanoUsd: number; at: number }>();

  /** Nothing is spent. */
  constructor(budget: Budget, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
  }

  /** Another budget for requests to come; what was spent and reserved stays. */
  setBudget(budget: Budget): void {
    this.#budget = budget;
  }

  admit(id: string, nanoUsd: number): Promise<BudgetRefusal | undefined> {
    const now = this.#clock.now();
    const refusal = refusalOf(this.#budget, this.state(), now);
    if (refusal === undefined) {
      this.#reserved.set(id, { nanoUsd: reservationOf(nanoUsd), at: now });
    }
    return Promise.resolve(refusal);
  }

  release(id: string): void {
    this.#reserved.delete(id);
  }

  /** Books a finished request in the hour in which it came, and gives back what was reserved for it. */
  book(entry: RequestRecord): void {
    const { id, at, cost } = entry;
    this.#reserved.delete(id);
    if (cost === undefined) return;
    const hour = this.#hourOf(at);
    hour.records++;
    hour[cost.basis] += cost.nanoUsd ?? 0;
    if (cost.basis === "estimated" || isUnpriced(entry)) {
      hour.estimatedRecords++;
    }
  }

  state(): BudgetState {
    const now = this.#clock.now();
    const start = periodStart(this.#budget.period, now);
    const sum = { measured: 0, estimated: 0, records: 0, estimatedRecords: 0 };
    for (const [hour, spend] of this.#hours) {
      if (hour < start) continue;
      sum.measured += spend.measured;
      sum.estimated += spend.estimated;
      sum.records += spend.records;
      sum.estimatedRecords += spend.estimatedRecords;
    }
    let reservedNanoUsd = 0;
    for (const [id, { nanoUsd, at }] of this.#reserved) {
      if (isBelieved(at, now)) reservedNanoUsd += nanoUsd;
      else this.#reserved.delete(id);
    }
    return {
      budget: this.#budget,
      periodStart: start,
      measuredNanoUsd: sum.measured,
      estimatedNanoUsd: sum.estimated,
      records: sum.records,
      estimatedRecords: sum.estimatedRecords,
      reservedNanoUsd,
    };
  }

  #hourOf(at: number): HourSpend {
    const start = at - at % HOUR_MS;
    const hour = this.#hours.get(start) ??
      { measured: 0, estimated: 0, records: 0, estimatedRecords: 0 };
    this.#hours.set(start, hour);
    if (this.#hours.size > MAX_HOURS) {
      this.#hours.delete(Math.min(...this.#hours.keys()));
    }
    return hour;
  }
}

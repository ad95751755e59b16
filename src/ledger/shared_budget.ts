/** One budget for all processes and proxies of a workspace. @module */
import type { Clock } from "../core/clock.ts";
import type {
  Budget,
  BudgetGate,
  BudgetPeriod,
  BudgetRefusal,
  BudgetState,
} from "../core/cost.ts";
import { periodStart, settledRefusalOf, type Spend } from "./budget_rule.ts";
import type { Outbox } from "./outbox.ts";
import { within } from "./within.ts";

/** Milliseconds that a request waits for the database before it is let through. */
const PATIENCE_MS = 2000;

/** What the gate needs. */
export interface SharedBudgetParts {
  /** As configured at present. */
  readonly budget: () => Budget;
  /** Time. */
  readonly clock: Clock;
  /** The way to the worker, which decides. */
  readonly outbox: Pick<Outbox, "ask" | "keep">;
  /** Spend as the file has it now; the last known one when it cannot be read. */
  readonly spend: (period: BudgetPeriod) => Spend;
  /** Called when a request passes because nothing could be decided. */
  readonly onFailure: (error: unknown) => void;
  /** Called when it may have changed whether something is reserved. */
  readonly onHeld: () => void;
  /** Milliseconds that a request waits; 2,000 when not given. */
  readonly patienceMs?: number | undefined;
}

/** Decides in the database, where all others book and reserve, too. */
export class SharedBudget implements BudgetGate {
  readonly #parts: SharedBudgetParts;
  readonly #held = new Set<string>();
  #known: Spend;

  /** Reads what was spent before. */
  constructor(parts: SharedBudgetParts) {
    this.#parts = parts;
    this.#known = parts.spend(parts.budget().period);
  }

  /** Requests of this process that hold a reservation. */
  get held(): number {
    return this.#held.size;
  }

  async admit(
    id: string,
    nanoUsd: number,
  ): Promise<BudgetRefusal | undefined> {
    const refusal = this.#foreseen();
    if (refusal !== undefined) return refusal;
    this.#held.add(id);
    this.#parts.onHeld();
    try {
      const { outbox, patienceMs = PATIENCE_MS } = this.#parts;
      const budget = this.#parts.budget();
      const asked = outbox.ask({ type: "admit", id, nanoUsd, budget });
      const answer = await within(asked, patienceMs);
      if (typeof answer !== "object") return undefined;
      this.#held.delete(id);
      return answer;
    } catch (error) {
      // A budget that nobody can look up must not stop all work.
      this.#parts.onFailure(error);
      return undefined;
    }
  }

  release(id: string): void {
    if (this.#held.delete(id)) this.#parts.outbox.keep({ type: "release", id });
  }

  /** To be called when its record was handed to the outbox, which gives back what was reserved. */
  recorded(id: string): void {
    this.#held.delete(id);
  }

  /** Takes the spend after a transaction. */
  note(spend: Spend): void {
    this.#known = spend;
  }

  state(): BudgetState {
    const budget = this.#parts.budget();
    this.#known = this.#parts.spend(budget.period);
    return { budget, ...this.#known };
  }

  /** What holds for the rest of the period needs no look at the database: spend only grows. */
  #foreseen(): BudgetRefusal | undefined {
    const { clock } = this.#parts;
    const budget = this.#parts.budget();
    const now = clock.now();
    if (this.#known.periodStart !== periodStart(budget.period, now)) return;
    return settledRefusalOf(budget, this.#known, now);
  }
}

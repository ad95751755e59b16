/** One budget for all processes and proxies of a workspace. @module */
import type { Clock } from "../core/clock.ts";
import type {
  Budget,
  BudgetGate,
  BudgetPeriod,
  BudgetRefusal,
  BudgetState,
} from "../core/cost.ts";
import type { Answering } from "./answering.ts";
import {
  HOUR_MS,
  isBelieved,
  periodStart,
  refusalOf,
  reservationOf,
  settledRefusalOf,
  type Spend,
} from "./budget_rule.ts";
import type { LedgerTask } from "./channel.ts";
import type { Outbox } from "./outbox.ts";
import { DEAD_MS, type KnownSpend } from "./reads.ts";
import type { RequestRow } from "./rows.ts";

/** What the gate needs. */
interface SharedBudgetParts {
  /** As configured at present. */
  readonly budget: () => Budget;
  /** Time. */
  readonly clock: Clock;
  /** Asks the database, which decides. */
  readonly answering: Pick<Answering, "ask" | "answers">;
  /** The way to it for what nobody waits for. */
  readonly outbox: Pick<Outbox, "keep" | "unwritten">;
  /** Spend as the file has it now; `undefined` when it cannot be read. */
  readonly spend: (period: BudgetPeriod) => KnownSpend | undefined;
  /** Called when a request is decided without the database. */
  readonly onFailure: (error: unknown) => void;
  /** Called when it may have changed whether something is reserved. */
  readonly onHeld: () => void;
}

/** A request that came and has no record yet. */
interface Held {
  readonly nanoUsd: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Who let it pass; nobody yet while the database is asked. */
  admittedBy: "nobody" | "database" | "process";
}

/**
 * Decides in the database, where all others insert and reserve, too. While it does not answer, the process decides by
 * what it last knew and by what it did itself since then.
 */
export class SharedBudget implements BudgetGate {
  readonly #parts: SharedBudgetParts;
  readonly #held = new Map<string, Held>();
  #known: KnownSpend;

  /** Reads what was spent before. */
  constructor(parts: SharedBudgetParts) {
    this.#parts = parts;
    this.#known = parts.spend(parts.budget().period) ?? NOTHING_KNOWN;
  }

  /** Requests of this process that hold a reservation. */
  get held(): number {
    return this.#held.size;
  }

  async admit(
    id: string,
    nanoUsd: number,
  ): Promise<BudgetRefusal | undefined> {
    const foreseen = this.#foreseen();
    if (foreseen !== undefined) return foreseen;
    const { answering, clock, budget, onHeld } = this.#parts;
    const at = clock.now();
    const held: Held = { nanoUsd, at, admittedBy: "nobody" };
    this.#held.set(id, held);
    onHeld();
    const isAsked = answering.answers;
    try {
      const task = { type: "admit", id, nanoUsd, budget: budget() } as const;
      const answer = await answering.ask(task);
      held.admittedBy = "database";
      if (typeof answer !== "object") return undefined;
      this.#held.delete(id);
      return answer;
    } catch (error) {
      // A budget that nobody can look up must not stop all work.
      this.#parts.onFailure(error);
      const refusal = this.#decide(held);
      // The database may still find the question, and reserve.
      if (refusal !== undefined && isAsked) this.release(id);
      else if (refusal !== undefined) this.#held.delete(id);
      return refusal;
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
  note(spend: KnownSpend): void {
    this.#known = spend;
  }

  /** To be called when the database answers again: it learns what was reserved without it. */
  recovered(): void {
    for (const [id, held] of this.#held) {
      if (held.admittedBy !== "process") continue;
      held.admittedBy = "database";
      const { nanoUsd, at } = held;
      this.#parts.outbox.keep({ type: "reserve", id, nanoUsd, at });
    }
  }

  state(): BudgetState {
    const { answering, spend } = this.#parts;
    const budget = this.#parts.budget();
    const read = spend(budget.period);
    if (read !== undefined) this.#known = read;
    if (read === undefined || !answering.answers) {
      return { budget, ...this.#ownView() };
    }
    const { reservedByOthersNanoUsd: _, readAt: __, ...state } = read;
    return { budget, ...state };
  }

  #decide(held: Held): BudgetRefusal | undefined {
    const { budget, clock } = this.#parts;
    const refusal = refusalOf(budget(), this.#ownView(), clock.now());
    if (refusal === undefined) held.admittedBy = "process";
    return refusal;
  }

  /** What this process knows without the database. */
  #ownView(): Spend {
    const { budget, clock, outbox } = this.#parts;
    const now = clock.now();
    let reservedNanoUsd = 0;
    for (const { admittedBy, nanoUsd, at } of this.#held.values()) {
      if (admittedBy === "nobody" || !isBelieved(at, now)) continue;
      reservedNanoUsd += reservationOf(nanoUsd);
    }
    return ownView(this.#known, {
      unwritten: outbox.unwritten(),
      reservedNanoUsd,
      periodStart: periodStart(budget().period, now),
      now,
    });
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

/** The database was never read. */
export const NOTHING_KNOWN: KnownSpend = {
  periodStart: -Infinity,
  measuredNanoUsd: 0,
  estimatedNanoUsd: 0,
  records: 0,
  estimatedRecords: 0,
  reservedNanoUsd: 0,
  reservedByOthersNanoUsd: 0,
  readAt: -Infinity,
};

/** What the process itself did. */
interface LocalSpend {
  /** Tasks that are not in the file. */
  readonly unwritten: Iterable<LedgerTask>;
  /** Nano-dollars that its requests under way may cost. */
  readonly reservedNanoUsd: number;
  /** Start of the present period. */
  readonly periodStart: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Sums of a period. */
interface Sums {
  measured: number;
  estimated: number;
  records: number;
  estimatedRecords: number;
}

/**
 * Spend of the present period: what was spent last as far as it lies in it, and the process's own doings. What others
 * held then is believed for as long as a process without a sign of life is.
 */
export function ownView(known: KnownSpend, own: LocalSpend): Spend {
  const { periodStart, now } = own;
  // Of a period that began earlier nobody knows how much lies in this one.
  const counts = known.periodStart >= periodStart;
  const sums: Sums = {
    measured: counts ? known.measuredNanoUsd : 0,
    estimated: counts ? known.estimatedNanoUsd : 0,
    records: counts ? known.records : 0,
    estimatedRecords: counts ? known.estimatedRecords : 0,
  };
  for (const task of own.unwritten) {
    if (task.type === "insert") add(sums, task.row, periodStart);
  }
  const isRecent = Math.abs(now - known.readAt) <= DEAD_MS;
  const others = isRecent ? known.reservedByOthersNanoUsd : 0;
  return {
    periodStart,
    measuredNanoUsd: sums.measured,
    estimatedNanoUsd: sums.estimated,
    records: sums.records,
    estimatedRecords: sums.estimatedRecords,
    reservedNanoUsd: others + own.reservedNanoUsd,
  };
}

/** As `spend` counts a row. */
function add(sums: Sums, row: RequestRow, periodStart: number): void {
  const { at, cost_basis: basis, nano_usd: nanoUsd } = row;
  const hour = Number(at) - Number(at) % HOUR_MS;
  if (basis === null || hour < periodStart) return;
  sums.records++;
  sums[basis === "measured" ? "measured" : "estimated"] += Number(nanoUsd);
  if (basis === "estimated" || nanoUsd === null) sums.estimatedRecords++;
}

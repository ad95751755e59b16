/** What requests cost. Money is in whole nano-dollars (1e-9 USD), so that sums are exact. @module */
import type { Usage } from "./usage.ts";

/** Where the tokens of a cost record come from. */
export type CostBasis = "measured" | "estimated";

/** What one request cost, and what compression changed about it. */
export interface CostRecord {
  /** `measured` when the provider reported usage, else `estimated` from what was sent. */
  readonly basis: CostBasis;
  /** Nano-dollars; `undefined` when the model has no price. */
  readonly nanoUsd: number | undefined;
  /** Nano-dollars that the saved tokens would have cost at the list price of input; `undefined` without a price. */
  readonly savedGrossNanoUsd: number | undefined;
  /**
   * Nano-dollars saved, price-weighted: each token at the price it would have had (cache read, cache write, input),
   * less what the tool's definition, its answers and further rounds cost. May be below zero; `undefined` without a price.
   */
  readonly savedNetNanoUsd: number | undefined;
  /** The part of it that another model saved; below zero where it cost more. Absent where the client's was asked. */
  readonly savedByRouteNanoUsd?: number;
  /**
   * The part of it that breakpoints of ours saved: the prompt at the price of input less what it cost. Below zero where
   * more was written than read; absent where the client sets its own, and for models whose cache needs none.
   */
  readonly savedByCacheNanoUsd?: number;
}

/** Tokens that compression took away or added, by our counter, apart by how the provider would have billed them. */
export interface SavedTokens {
  /** Saved in blocks that are new in this request, and in tools of a conversation that begins. */
  readonly fresh: number;
  /** Saved in blocks of earlier turns, sent again, and in tools of a conversation that goes on. */
  readonly kept: number;
  /** Added for the first time in this request, e.g. the definition at the start of a conversation. */
  readonly addedFresh: number;
  /** Added again, as in earlier turns. */
  readonly addedKept: number;
}

/** What the price of a request depends on. */
export interface CostFacts {
  /** Model as sent upstream. */
  readonly model: string;
  /** HTTP status relayed to the client; 499 when it left first. */
  readonly status: number;
  /**
   * What each round reported, in order: the request itself, then one per answered retrieval. `{}` for a round whose
   * answer reported nothing; none when no answer came. Not a sum: a round's price depends on the size of its own prompt.
   */
  readonly rounds: readonly Usage[];
  /** Tokens as sent, by our counter. */
  readonly tokensAfter: number;
  /** What compression did. */
  readonly saved: SavedTokens;
  /** The client's model, where another one was asked; absent for the client's own. */
  readonly routedFrom?: string;
  /** Present where breakpoints of the provider's cache were set that the client did not set. */
  readonly hasOwnBreakpoints?: true;
  /** Whether the conversation had begun before; false unless given. */
  readonly isBegun?: boolean;
}

/** Puts a price on requests. */
export interface Pricing {
  /** The record of a finished request; `undefined` for one that cost nothing: it never reached a model. */
  costOf(facts: CostFacts): CostRecord | undefined;
  /** Nano-dollars that a request about to be sent may cost; 0 for a model without a price. */
  reserveFor(model: string, promptBytes: number): number;
  /** Tokens that a model takes; `undefined` where neither a list nor its name says so. Never warns. */
  contextLimit(model: string): number | undefined;
}

/** Period of a budget. */
export type BudgetPeriod = "hourly" | "daily" | "monthly";

/** What estimated spend does to a budget: it counts, it is booked without counting, or it stops everything. */
export type EstimatedBasis = "count" | "ignore" | "block";

/** A budget as configured. */
export interface Budget {
  /** Nano-dollars per period. */
  readonly limitNanoUsd: number;
  /** Hours and days are calendar hours and days in UTC. */
  readonly period: BudgetPeriod;
  /** See {@linkcode EstimatedBasis}. */
  readonly estimatedBasis: EstimatedBasis;
}

/** Why a request is not sent. */
export interface BudgetRefusal {
  /** `spent`: the limit is reached. `reserved`: requests under way may use the rest. `estimated`: the period holds estimated spend and the basis is `block`. */
  readonly reason: "spent" | "reserved" | "estimated";
  /** The period. */
  readonly period: BudgetPeriod;
  /** Nano-dollars per period. */
  readonly limitNanoUsd: number;
  /** Nano-dollars spent in this period that count. */
  readonly spentNanoUsd: number;
  /** Milliseconds after which a retry may succeed. */
  readonly retryAfterMs: number;
}

/** Spend of the current period. */
export interface BudgetState {
  /** See {@linkcode Budget}. */
  readonly budget: Budget;
  /** Milliseconds since the Unix epoch at which the period began. */
  readonly periodStart: number;
  /** Nano-dollars by basis. */
  readonly measuredNanoUsd: number;
  /** See `measuredNanoUsd`. */
  readonly estimatedNanoUsd: number;
  /** Cost records of the period. */
  readonly records: number;
  /** Those of them that are estimated, or have no price. */
  readonly estimatedRecords: number;
  /** Nano-dollars reserved by requests under way. */
  readonly reservedNanoUsd: number;
}

/** Lets requests pass while there is money. */
export interface BudgetGate {
  /**
   * Reserves for one request. What is reserved is given back when the request's record reaches the ledger.
   *
   * @param id Of the request, as in its record.
   * @returns `undefined` when it may be sent. @throws Never: a store that fails lets requests pass, and is logged.
   */
  admit(id: string, nanoUsd: number): Promise<BudgetRefusal | undefined>;
  /** Takes a reservation back: the request was not sent. */
  release(id: string): void;
  /** For reports. */
  state(): BudgetState;
}

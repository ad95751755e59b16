/** What exports need to know about a finished request, so that their sums are those of the ledger. @module */
import type { GenAiCall } from "../core/gen_ai.ts";
import type { RequestRecord } from "../core/ledger.ts";

/** Meaning of one request for the sums. */
export interface Outcome {
  /** Whether the provider took it. */
  readonly took: boolean;
  /** Prompt tokens that went upstream: as billed, else as sent. */
  readonly input: number;
  /** Tokens that compression took away, less those that were added; 0 for one that was not taken. */
  readonly saved: number;
  /** Whether it met a rate limit, here or upstream. */
  readonly isRateLimited: boolean;
}

/** Judges one request as the ledger does. */
export type OutcomeOf = (entry: RequestRecord) => Outcome;

/** Names what a request asked for; `undefined` for one that asked no model. */
export type GenAiNames = (
  entry: Pick<RequestRecord, "provider" | "upstream">,
) => GenAiCall | undefined;

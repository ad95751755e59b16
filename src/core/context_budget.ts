/** What a prompt may have, so that there is room for the answer. Reported only: nothing is dropped. @module */
import { RESERVED_OUTPUT } from "./usage.ts";

/** Tokens that belong to one request. */
export interface ContextBudget {
  /** Tokens that the model takes, prompt and answer together. */
  readonly limit: number;
  /** Tokens of them that the prompt may have. */
  readonly budget: number;
}

/** What the caller of one request says about it. */
export interface ContextWishes {
  /** Tokens that the model takes, by the caller; `undefined` where he does not say. */
  readonly limit?: number | undefined;
  /** Tokens to be kept free for the answer; `undefined` where nobody says. */
  readonly outputBuffer?: number | undefined;
}

/**
 * Makes the budget of a request.
 *
 * @param known Tokens that its model takes; `undefined` where that is unknown.
 * @param wishes What wins over that; without a buffer 4,096 tokens are kept free.
 * @returns `undefined` where the limit is unknown.
 */
export function contextBudget(
  known: number | undefined,
  { limit = known, outputBuffer = RESERVED_OUTPUT }: ContextWishes,
): ContextBudget | undefined {
  return limit === undefined
    ? undefined
    : { limit, budget: Math.max(0, limit - outputBuffer) };
}

/** What compression saved in money. @module */
import type { SavedTokens } from "../core/cost.ts";
import type { Usage } from "../core/usage.ts";
import { type Rates, reportsPrompt, times } from "./rates.ts";

/** What the saving depends on. */
export interface SavingFacts {
  /** What compression took away and added, by our counter. */
  readonly saved: SavedTokens;
  /** What the provider reported about the request itself, without further rounds; `{}` for nothing. */
  readonly first: Usage;
  /** Prices that held for it. */
  readonly rates: Rates;
  /** Pico-dollars of the prompts of further rounds. */
  readonly furtherPrompts: bigint;
}

/** Pico-dollars of the tokens saved, each at the price of input: what is usually advertised. Nothing is subtracted. */
export function grossSaving(
  { fresh, kept }: SavedTokens,
  rates: Rates,
): bigint {
  return times(fresh, rates.input) + times(kept, rates.input);
}

/**
 * Pico-dollars saved, each token at the price it would have had:
 *
 * ```text
 * (fresh − addedFresh) × new + (kept − addedKept) × old − prompts of further rounds
 * ```
 *
 * - `new` is the price of a cache write if the request wrote to the cache (for an hour, if that is where most of it went), else of input.
 * - `old` is the price of a cache read if the request read from the cache, else `new`. Where the provider said nothing about
 *   the prompt it is the price of a read too: rather too little than too much.
 *
 * Prices are those that held for the request as it was sent: where it would have gone above a threshold without compression,
 * more was saved than this says. The few tokens in which the model asks for an original count as its answer, not here.
 */
export function netSaving(
  { saved, first, rates, furtherPrompts }: SavingFacts,
): bigint {
  const fresh = freshRate(first, rates);
  const kept = isPositive(first.cacheRead) || !reportsPrompt(first)
    ? rates.cacheRead
    : fresh;
  return times(saved.fresh, fresh) - times(saved.addedFresh, fresh) +
    times(saved.kept, kept) - times(saved.addedKept, kept) - furtherPrompts;
}

function freshRate(
  { cacheWrite = 0, cacheWrite1h = 0 }: Usage,
  rates: Rates,
): number {
  if (!isPositive(cacheWrite) && !isPositive(cacheWrite1h)) return rates.input;
  return cacheWrite1h * 2 > cacheWrite ? rates.cacheWrite1h : rates.cacheWrite;
}

function isPositive(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens > 0;
}

/** What one token costs, in whole pico-dollars (1e-12 USD): a dollar per million tokens is a million of them. @module */
import type { SavedTokens } from "../core/cost.ts";
import type { Usage } from "../core/usage.ts";

/** Prices of one token, in pico-dollars. */
export interface Rates {
  /** Of the prompt, neither read from the provider's cache nor written to it. */
  readonly input: number;
  /** Of the answer, reasoning included. */
  readonly output: number;
  /** Of the prompt, read from the cache. */
  readonly cacheRead: number;
  /** Of the prompt, written to the cache for its usual time. */
  readonly cacheWrite: number;
  /** Of the prompt, written to the cache for an hour. */
  readonly cacheWrite1h: number;
}

/** Prices of a model. */
export interface ModelPrice {
  /** Of a request. */
  readonly base: Rates;
  /** Of a request whose whole prompt has more than `tokens` tokens; answer included. */
  readonly above?: { readonly tokens: number; readonly rates: Rates };
}

/** Whose habits a model's prices follow; `undefined` where they are not known. */
export type Family = "claude" | "gpt" | "gemini" | undefined;

/** Prices as a source has them. */
export type KnownRates =
  & Pick<Rates, "input" | "output">
  & { readonly [K in Exclude<keyof Rates, "input" | "output">]?: Rates[K] };

/** Prices of cached tokens in hundredths of the price of input. */
const CACHE_PERCENT = {
  claude: { read: 10, write: 125, write1h: 200 },
  gpt: { read: 50, write: 100, write1h: 100 },
  gemini: { read: 25, write: 100, write1h: 100 },
  none: { read: 100, write: 100, write1h: 100 },
} as const;

/**
 * Fills in the prices of cached tokens that a source does not have: by the habit of the model's family,
 * or as input where the family is unknown.
 *
 * @returns Whole pico-dollars, rounded half up.
 */
export function fullRates(known: KnownRates, family: Family): Rates {
  const percent = CACHE_PERCENT[family ?? "none"];
  const share = (hundredths: number) =>
    Math.round(known.input * hundredths / 100);
  const cacheWrite = known.cacheWrite ?? share(percent.write);
  return {
    input: known.input,
    output: known.output,
    cacheRead: known.cacheRead ?? share(percent.read),
    cacheWrite,
    cacheWrite1h: known.cacheWrite1h ??
      Math.max(cacheWrite, share(percent.write1h)),
  };
}

/** Tokens of a prompt, cached ones included. */
export function promptTokens(usage: Usage): number {
  return count(usage.input) + count(usage.cacheRead) + written(usage);
}

/** Whether the provider said anything about the prompt. */
export function reportsPrompt(usage: Usage): boolean {
  return usage.input !== undefined || usage.cacheRead !== undefined ||
    usage.cacheWrite !== undefined || usage.cacheWrite1h !== undefined;
}

/** The prices that hold for a prompt of that many tokens. */
export function ratesFor({ base, above }: ModelPrice, tokens: number): Rates {
  return above !== undefined && tokens > above.tokens ? above.rates : base;
}

/** Pico-dollars of a prompt; exact. */
export function promptCost(usage: Usage, rates: Rates): bigint {
  const write1h = count(usage.cacheWrite1h);
  return times(count(usage.input), rates.input) +
    times(count(usage.cacheRead), rates.cacheRead) +
    times(written(usage) - write1h, rates.cacheWrite) +
    times(write1h, rates.cacheWrite1h);
}

/** Pico-dollars of an answer; exact. */
export function outputCost(usage: Usage, rates: Rates): bigint {
  return times(count(usage.output), rates.output);
}

/** Pico-dollars of so many tokens; exact, also for a number that is below zero. Anything but a safe integer counts as 0. */
export function times(tokens: number, rate: number): bigint {
  return BigInt(Number.isSafeInteger(tokens) ? tokens : 0) * BigInt(rate);
}

/** Pico-dollars in one nano-dollar. */
const PICO = 1000n;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Whole nano-dollars, halves away from zero; what is no safe integer becomes the nearest one. */
export function toNano(pico: bigint): number {
  const size = ((pico < 0n ? -pico : pico) + PICO / 2n) / PICO;
  const nano = Number(size > LARGEST ? LARGEST : size);
  return pico < 0n && nano > 0 ? -nano : nano;
}

/** Tokens written to the cache; a report may have the part without the whole. */
function written(usage: Usage): number {
  return Math.max(count(usage.cacheWrite), count(usage.cacheWrite1h));
}

function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0
    ? tokens
    : 0;
}

/** What the saving depends on. */
interface SavingFacts {
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

/** What counts of usage that nobody vouches for: an upstream that a client chose may report anything. @module */
import { RESERVED_OUTPUT, sumOfUsage, type Usage } from "../core/usage.ts";

/** Tokens of one round by our own count. */
export interface OwnCount {
  /** Tokens of the prompt that was sent. */
  readonly sent: number;
  /** Tokens that the answer can have, by its size; 0 for what is no model's answer. */
  readonly received: number;
  /** Tokens that the request permits for an answer; `undefined` where it does not say. */
  readonly maxOutput: number | undefined;
}

/** No limit that a client sets counts beyond this: models generate no more in one answer. */
const MOST_OUTPUT = 128_000;

/**
 * The part of a claim that our own count supports. It makes every cost record an estimated one.
 *
 * @param claim One round's usage as the upstream reported it.
 * @returns No more prompt tokens than `sent`, no more generated ones than `received` or the request permits; an empty claim stays empty.
 */
export function supportedClaim(
  claim: Usage,
  { sent, received, maxOutput = RESERVED_OUTPUT }: OwnCount,
): Usage {
  if (Object.keys(claim).length === 0) return claim;
  const { output: claimed = received, outputEstimate: _, ...prompt } = claim;
  const output = Math.min(claimed, received, maxOutput, MOST_OUTPUT);
  return {
    ...promptTokens(prompt) <= sent ? sumOfUsage([prompt]) : { input: sent },
    output,
    outputEstimate: output,
  };
}

function promptTokens(
  { input = 0, cacheRead = 0, cacheWrite = 0, cacheWrite1h = 0 }: Usage,
): number {
  return input + cacheRead + Math.max(cacheWrite, cacheWrite1h);
}

/** What a provider says a request cost. @module */

/** Tokens as the provider counted them; a missing field was not reported. */
export interface Usage {
  /** Uncached prompt tokens. */
  readonly input?: number;
  /** Generated tokens. */
  readonly output?: number;
  /** Prompt tokens served from the provider's cache. */
  readonly cacheRead?: number;
  /** Prompt tokens written to it, for whatever time. */
  readonly cacheWrite?: number;
  /** Those of them that were written for an hour. */
  readonly cacheWrite1h?: number;
  /** Tokens that were generated, by the size of what came; given only where the provider did not say it to the end. */
  readonly outputEstimate?: number;
}

/** Tokens of an answer that a budget reserves. */
export const RESERVED_OUTPUT = 4096;

/** Watches the bytes of one response go by; never throws, never keeps a chunk. */
export interface UsageTap {
  /** Takes the next chunk, split at any byte. */
  push(chunk: Uint8Array): void;
  /** Called once, after the last chunk or an abort. Empty when nothing was reported. */
  finish(): Usage;
}

const COUNTS = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
] as const satisfies readonly (keyof Usage)[];

/** Adds what was reported; a count that no round has stays missing. */
export function sumOfUsage(rounds: readonly Usage[]): Usage {
  const total: { -readonly [K in keyof Usage]: number } = {};
  for (const round of rounds) {
    for (const key of COUNTS) {
      const count = round[key];
      if (count !== undefined) total[key] = (total[key] ?? 0) + count;
    }
  }
  return total;
}

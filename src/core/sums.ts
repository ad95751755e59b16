/** Sums over requests. @module */
import type { Sums } from "./ledger_reader.ts";

/** Sums that grow. */
export type RunningSums = { -readonly [Key in keyof Sums]: Sums[Key] };

/** Sums of nothing. */
export function noSums(): RunningSums {
  return {
    requests: 0,
    failed: 0,
    input: 0,
    output: 0,
    saved: 0,
    added: 0,
    cacheRead: 0,
    cacheWrite: 0,
    nanoUsd: 0,
    savedGross: 0,
    savedNet: 0,
    unpriced: 0,
  };
}

const KEYS = Object.keys(noSums()) as readonly (keyof Sums)[];

/** Adds sums to others; takes them off where `sign` is -1. */
export function addSums(sums: RunningSums, more: Sums, sign: 1 | -1 = 1): void {
  for (const key of KEYS) sums[key] += sign * more[key];
}

/** Net tokens saved. */
export function netOf({ saved, added }: Pick<Sums, "saved" | "added">): number {
  return saved - added;
}

/** Whether anything is known of what requests cost: of those with a price, or because none cost anything. */
export function isMoneyKnown(
  { nanoUsd, unpriced }: Pick<Sums, "nanoUsd" | "unpriced">,
): boolean {
  return unpriced === 0 || nanoUsd !== 0;
}

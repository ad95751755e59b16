/** What a finished request means for the sums. @module */
import type { RequestRecord } from "./ledger.ts";
import type { Usage } from "./usage.ts";

type Billed = {
  readonly [Key in "input" | "cacheRead" | "cacheWrite"]?:
    | Usage[Key]
    | undefined;
};

/** Prompt tokens as billed, cached ones included; `undefined` when the provider did not say. */
export function billedInput(
  { input, cacheRead, cacheWrite }: Billed,
): number | undefined {
  if (
    input === undefined && cacheRead === undefined && cacheWrite === undefined
  ) {
    return undefined;
  }
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

/** Prompt tokens that went upstream: what the provider billed wins; without a bill, what an answered request sent. */
export function inputOf(entry: RequestRecord): number {
  if (entry.cached) return 0;
  return billedInput(entry.usage) ?? (answered(entry) ? entry.tokensAfter : 0);
}

/** Prompt tokens that it saved; below zero when our tool and its answers added more. */
export function savedBy(entry: RequestRecord): number {
  return succeeded(entry) ? entry.tokensBefore - entry.tokensAfter : 0;
}

/** Prompt tokens that compression took away in it, whatever else was added. */
export function removedBy(entry: RequestRecord): number {
  const { fresh, kept } = entry.savedTokens;
  return succeeded(entry) ? fresh + kept : 0;
}

/** Prompt tokens that were added in it: our tool's definition, originals that were given back. */
export function addedBy(entry: RequestRecord): number {
  return removedBy(entry) - savedBy(entry);
}

/** Whether the provider took it: one that failed, was left before, or was answered from memory saved nothing. */
export function succeeded(
  entry: Pick<RequestRecord, "status" | "cached"> & { readonly usage: Billed },
): boolean {
  if (entry.cached) return false;
  return answered(entry) ||
    (entry.status === 499 && billedInput(entry.usage) !== undefined);
}

/** Whether it failed: at the provider, on the way, or here. A request that a client got wrong did not. */
export function isFailed({ status }: RequestRecord): boolean {
  return status >= 500;
}

/** Whether it met a rate limit, here or upstream; a spent budget is none. */
export function isRateLimited({ refusedBy, status }: RequestRecord): boolean {
  if (refusedBy !== undefined) return refusedBy === "rate_limit";
  return status === 429;
}

function answered({ status }: Pick<RequestRecord, "status">): boolean {
  return status < 400;
}

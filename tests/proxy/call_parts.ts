/** Parts that handlers of calls need, with nothing behind them. */
import type { Pricing } from "../../src/core/cost.ts";
import type { Upstream, UpstreamResolver } from "../../src/core/upstream.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { Attribution } from "../../src/proxy/attribution.ts";
import { emptyRecord } from "../../src/proxy/call_facts.ts";

const NO_PROJECT = "default";

/** Knows no price. */
export const NO_PRICES: Pricing = {
  costOf: () => undefined,
  reserveFor: () => 0,
  contextLimit: () => undefined,
};

/** An upstream of the configuration. */
export function upstreamAt(base: string, label = "x"): Upstream {
  return { base: new URL(base), label, extraHeaders: [] };
}

/** Sends everything to one place. */
export function resolverTo(upstream: Upstream): UpstreamResolver {
  return { resolve: () => Promise.resolve(upstream) };
}

/** Of a request that names nothing. */
export const NO_NAMES: Attribution = {
  project: NO_PROJECT,
  stack: "",
  agent: "",
};

/** A record with what a test is about; all else is empty. */
export function recordWith(facts: Partial<RequestRecord>): RequestRecord {
  const clock = { now: () => 0, monotonic: () => 0 };
  const empty = emptyRecord({ clock, newId: () => "id" }, "messages", NO_NAMES);
  return { ...empty, ...facts };
}

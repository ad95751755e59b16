/** What the metrics say of requests, in the words of the plain sums. */
import assert from "node:assert/strict";
import { nano, type Shortly } from "./day_reports.ts";
import { NAMED, type Run } from "./day_truth.ts";

/** This run, as `/metrics` says; only requests are counted by name there. */
export function runInMetrics(samples: ReadonlyMap<string, number>) {
  const get = (name: string) => samples.get(`svc_${name}`) ?? 0;
  const family = (name: string) =>
    [...samples].filter(([key]) => key.startsWith(`svc_${name}{`));
  const all = (name: string) =>
    family(name).reduce((sum, [, value]) => sum + value, 0);
  const byName = (dimension: string) =>
    Object.fromEntries(
      family(`requests_by_${dimension}`).map(([key, value]) =>
        [/="(.*)"\}$/.exec(key)![1]!, value] as const
      ),
    );
  const cost = (basis: string) => get(`cost_usd_total{basis="${basis}"}`);
  const verdict = (name: string) =>
    get(`prefix_requests_total{verdict="${name}"}`);
  const refused = (by: string) => get(`requests_refused_total{reason="${by}"}`);
  assert.equal(get("prefix_broken_total"), verdict("ours"));
  return {
    sums: {
      requests: get("requests_total"),
      failed: get("requests_failed_total"),
      input: get("tokens_input_total"),
      output: get("tokens_output_total"),
      saved: get("tokens_saved_total"),
      added: get("tokens_added_total"),
      cacheRead: all("cache_read_tokens_total"),
      cacheWrite: all("cache_write_tokens_total"),
      nanoUsd: nano(cost("measured") + cost("estimated")),
      savedGross: nano(get("savings_gross_usd")),
      savedNet: nano(get("savings_net_usd")),
      unpriced: get("unpriced_requests_total"),
    },
    requests: Object.fromEntries(NAMED.map((by) => [by, byName(by)])),
    outcomes: {
      cached: get("requests_cached_total"),
      rate_limited: get("requests_rate_limited_total"),
      refused_by_budget: refused("budget"),
      refused_by_rate_limit: refused("rate_limit"),
      aborted: get("requests_aborted_total"),
    },
    verdicts: {
      first: verdict("first"),
      extended: verdict("extended"),
      client: verdict("client"),
      decided: verdict("decided"),
      ours: verdict("ours"),
    },
    nanoUsd: {
      measured: nano(cost("measured")),
      estimated: nano(cost("estimated")),
    },
    furtherRequests: get("further_requests_total"),
    timed: get("latency_ms_count"),
  };
}

/** A run in the words of {@linkcode runInMetrics}. */
export function asInMetrics({ tables, ...run }: Run) {
  const requests = Object.fromEntries(
    NAMED.map((by) => {
      const counts = Object.entries(tables[by]).map(([name, { requests }]) =>
        [name, requests] as const
      );
      return [by, Object.fromEntries(counts)];
    }),
  );
  return { ...run, requests };
}

/** All time, as `/metrics` says, but for requests without a price. */
export function keptInMetrics(
  samples: ReadonlyMap<string, number>,
): Omit<Shortly, "unpriced"> {
  const get = (what: string) =>
    samples.get(`svc_persistent_savings_${what}_total`) ?? NaN;
  return {
    requests: get("requests"),
    input: get("input_tokens"),
    output: get("output_tokens"),
    saved: get("tokens_saved"),
    added: get("tokens_added"),
    nanoUsd: nano(get("cost_usd")),
    savedGross: nano(get("gross_savings_usd")),
    savedNet: nano(get("compression_savings_usd")),
  };
}

import assert from "node:assert/strict";
import type { Step } from "../../src/core/ledger_reader.ts";
import { rollup } from "../../src/ledger/rollup.ts";
import { readerOf, sumsOf, traffic } from "./traffic.ts";

const nano = (usd: number) => Math.round(usd * 1e9);

Deno.test("rollup has deltas that sum up to cumulative figures and to lifetime, to the unit, in every step", () => {
  const reader = readerOf(traffic(11, 400));
  const lifetime = reader.lifetime();
  for (const step of ["hourly", "daily", "weekly", "monthly"] as Step[]) {
    const rows = rollup(reader.buckets(step), lifetime);
    const sums = { saved: 0, net: 0, input: 0, cost: 0, requests: 0 };
    for (const row of rows) {
      sums.saved += row.tokens_saved;
      sums.net += nano(row.compression_savings_usd_delta);
      sums.input += row.total_input_tokens_delta;
      sums.cost += nano(row.total_input_cost_usd_delta);
      sums.requests += row.requests;
      assert.equal(row.total_tokens_saved, sums.saved);
      assert.equal(nano(row.compression_savings_usd), sums.net);
      assert.equal(row.total_input_tokens, sums.input);
      assert.equal(nano(row.total_input_cost_usd), sums.cost);
    }
    assert.deepEqual(sums, {
      saved: lifetime.saved - lifetime.added,
      net: lifetime.savedNet,
      input: lifetime.input,
      cost: lifetime.nanoUsd,
      requests: 400,
    });
  }
});

Deno.test("rollup counts what is older than its first bucket in the cumulative figures", () => {
  const records = traffic(12, 300);
  const lifetime = sumsOf(records);
  const [, ...kept] = readerOf(records).buckets("daily");
  const rows = rollup(kept, lifetime);
  assert.equal(rows.length, kept.length);
  assert.equal(rows.at(-1)?.total_input_tokens, lifetime.input);
  assert.ok(rows[0]!.total_input_tokens > rows[0]!.total_input_tokens_delta);
});

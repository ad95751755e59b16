/** Limits, statistics and metrics. */
import assert from "node:assert/strict";
import { messagesClient } from "../conformance/conversation.ts";
import { parseMetrics } from "../ledger/strict_metrics.ts";
import { printed } from "./bodies.ts";
import {
  bodyFor,
  GENERATIONS,
  type Place,
  post,
  replies,
  statsOf,
  withApp,
} from "./world.ts";

const fine = replies();
const [route] = GENERATIONS;

/** What the report of a fresh process holds. */
const FIELDS: Readonly<Record<string, string>> = {
  "requests.total": "number",
  "requests.cached": "number",
  "requests.rate_limited": "number",
  "requests.failed": "number",
  "tokens.input": "number",
  "tokens.output": "number",
  "tokens.saved": "number",
  "tokens.savings_percent": "number",
  "latency.average_ms": "number",
  "latency.min_ms": "number",
  "latency.max_ms": "number",
  "latency.total_requests": "number",
  "overhead.average_ms": "number",
  "overhead.min_ms": "number",
  "overhead.max_ms": "number",
  "prefix_cache.totals.cache_read_tokens": "number",
  "prefix_cache.totals.cache_write_tokens": "number",
  "prefix_cache.totals.hit_rate": "number",
  "cost.total_cost_usd": "number",
  "cost.total_savings_usd": "number",
  "cache.entries": "number",
  "cache.total_hits": "number",
  "persistent_savings.lifetime.tokens_saved": "number",
  "persistent_savings.lifetime.compression_savings_usd": "number",
  "summary.mcp": "object",
};

/** What it holds besides when there is a budget. */
const BUDGET_FIELDS: Readonly<Record<string, string>> = {
  "cost.budget_period": "string",
  "cost.budget_estimated_basis": "string",
  "cost.budget_basis.total_usd": "number",
  "cost.budget_basis.measured_usd": "number",
  "cost.budget_basis.estimated_usd": "number",
  "cost.budget_basis.estimated_pct": "number",
  "cost.budget_basis.records": "number",
  "cost.budget_basis.estimated_records": "number",
};

async function hasFields(
  place: Place,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const report: unknown = await statsOf(place);
  for (const [path, type] of Object.entries(fields)) {
    const value = path.split(".").reduce<unknown>(
      (from, key) => Object(from)[key],
      report,
    );
    assert.equal(typeof value, type, path);
    if (type === "number") assert.equal(value, 0, path);
  }
}

Deno.test("43 the report of a fresh process has its fields, and numbers are numbers", () =>
  withApp(fine, (place) => hasFields(place, FIELDS)));

Deno.test("43 the report has the fields of a budget where there is one", () =>
  withApp(
    fine,
    (place) => hasFields(place, { ...FIELDS, ...BUDGET_FIELDS }),
    { env: { SVC_BUDGET: "5" } },
  ));

async function metricsOf({ url }: Place): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`);
  assert.match(response.headers.get("content-type")!, /^text\/plain; version=/);
  return parseMetrics(await response.text());
}

Deno.test("44 metrics can be parsed strictly, whatever the names of models", () =>
  withApp(fine, async (place) => {
    await metricsOf(place);
    const models = [
      'a"b',
      "a\\b",
      "a\nb",
      'x"} 1\nsvc_evil 2',
      "a\u0000\t\r\u001b[31m\u007f\u0085\u009b\u202eb",
      "é😀",
      "{}",
      "=",
    ];
    for (const model of models) {
      const members = { ...messagesClient.members, model };
      const body = bodyFor({ ...route!, members }, printed("x"), 1);
      await (await post(place, "/v1/messages", body)).bytes();
    }
    const samples = await metricsOf(place);
    // What cannot be printed has no place in a label.
    const names = models.map((name) =>
      name.replace(/\p{C}/gu, "\ufffd").replace(/["\\]/g, "\\$&")
    );
    for (const name of names) {
      const sample = `svc_requests_by_model{model="${name}"}`;
      assert.equal(samples.get(sample), 1, sample);
    }
    assert.equal(samples.get("svc_requests_total"), models.length);
  }));

Deno.test("44 a client cannot fill the metrics with names", () =>
  withApp(fine, async (place) => {
    for (let i = 0; i < 40; i++) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, k) => {
          const members = { ...messagesClient.members, model: `m-${i}-${k}` };
          const body = bodyFor({ ...route!, members }, printed("x"), 1);
          await (await post(place, "/v1/messages", body)).bytes();
        }),
      );
    }
    const samples = await metricsOf(place);
    assert(samples.size < 1000, `${samples.size} samples`);
    const sum = [...samples]
      .filter(([name]) => name.startsWith("svc_requests_by_model{"))
      .reduce((total, [, value]) => total + value, 0);
    assert.equal(sum, 400);
  }));

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
import type { Answer } from "../e2e/upstream.ts";

const fine = replies();
const [route] = GENERATIONS;
const BODY = bodyFor(route!, printed("x"), 1);

/** An upstream that answers when it is told to. */
function held() {
  const opened = Promise.withResolvers<void>();
  let waiting = 0;
  let told: { n: number; resolve: () => void } | undefined;
  const answer: Answer = async (request, n, signal) => {
    waiting++;
    if (told && waiting >= told.n) told.resolve();
    await opened.promise;
    return await fine(request, n, signal);
  };
  return {
    answer,
    open: opened.resolve,
    /** Resolves when `n` requests have come. */
    arrival: (n: number) =>
      new Promise<void>((resolve) => {
        told = { n, resolve };
        if (waiting >= n) resolve();
      }),
  };
}

Deno.test("42 requests above the limit get 503 and when to come back, those below it none", async () => {
  const upstream = held();
  await withApp(upstream.answer, async (place) => {
    const first = [1, 2].map(() => post(place, "/v1/messages", BODY));
    await upstream.arrival(2);
    for (const path of ["/v1/messages", "/v1/responses", "/v1/embeddings"]) {
      const refused = await post(place, path, BODY);
      assert.equal(refused.status, 503, path);
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      await refused.bytes();
    }
    const alive = await fetch(`${place.url}/livez`);
    assert.equal(alive.status, 200);
    await alive.bytes();
    upstream.open();
    for (const response of await Promise.all(first)) {
      assert.equal(response.status, 200);
      await response.bytes();
    }
    const later = await post(place, "/v1/messages", BODY);
    assert.equal(later.status, 200);
    await later.bytes();
    assert.equal(place.upstream.received.length, 3);
  }, { env: { SVC_LIMIT_CONCURRENCY: "2" } });
});

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

Deno.test("43 relayed 5xx count as failed, 4xx do not", () => {
  let status = 200;
  const answer = () => Response.json({}, { status });
  return withApp(answer, async (place) => {
    for (status of [200, 400, 404, 500, 503, 599]) {
      await (await post(place, "/v1/messages", BODY)).bytes();
    }
    status = 502;
    await (await fetch(`${place.url}/v1/models`)).bytes();
    const { requests } = await statsOf(place);
    assert.deepEqual([requests.total, requests.failed], [7, 4]);
  });
});

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

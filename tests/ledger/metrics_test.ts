import assert from "node:assert/strict";
import parsePrometheus from "parse-prometheus-text-format";
import { figures } from "../../src/ledger/figures.ts";
import { metricsText } from "../../src/ledger/metrics.ts";
import { withhold } from "../../src/ledger/withhold.ts";
import { RECORD } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { parseMetrics } from "./strict_metrics.ts";
import { traffic } from "./traffic.ts";

const HOSTILE = [
  'a"b',
  "a\\b",
  "a\nb",
  'x"} 1\nsvc_evil 2',
  "é😀",
  "{}",
  "\ud800",
];

Deno.test("metricsText is read by a strict parser and by a package, whatever names clients choose", async () => {
  const records = [
    ...traffic(81, 100),
    ...HOSTILE.map((name) => ({
      ...RECORD,
      model: name,
      project: name,
      stack: name,
      agent: name,
    })),
  ];
  const text = await metricsText(figures(partsOf(records)), '1.0"');
  const sent = new TextDecoder().decode(new TextEncoder().encode(text));
  const samples = parseMetrics(sent);
  assert.ok(samples.size > 100);
  const families: readonly { readonly name: string }[] = parsePrometheus(sent);
  assert.equal(new Set(families.map(({ name }) => name)).size, families.length);
  assert.ok(families.some(({ name }) => name === "svc_overhead_seconds"));
});

Deno.test("metricsText writes no control character into a label, and escapes quotes and back-slashes", async () => {
  const model = 'a\u0000b\tc\nd\r\u001b[31m\u2028\u202e\ud800é😀"\\';
  const text = await metricsText(
    figures(partsOf([{ ...RECORD, model }])),
    "1.0",
  );
  const shown = "a\ufffdb\ufffdc\ufffdd\ufffd\ufffd[31m\ufffd\ufffd\ufffdé😀";
  assert.ok(
    text.includes(`svc_requests_by_model{model="${shown}\\"\\\\"} 1\n`),
    text,
  );
});

Deno.test("what may go down is a gauge: net savings, also those of all time", async () => {
  const cost = {
    basis: "measured",
    nanoUsd: 1e9,
    savedGrossNanoUsd: 0,
    savedNetNanoUsd: -2e9,
  } as const;
  const text = await metricsText(
    figures(partsOf([{ ...RECORD, cost }])),
    "1.0",
  );
  assert.deepEqual(text.match(/^svc_\w+ -.*$/gm), [
    "svc_persistent_savings_compression_savings_usd_total -2",
    "svc_savings_net_usd -2",
  ]);
  parseMetrics(text);
});

Deno.test("metricsText of a fresh process has the metrics of the contract with zeros", async () => {
  const samples = parseMetrics(await metricsText(figures(partsOf([])), "1.0"));
  for (
    const name of [
      "requests_total",
      "requests_failed_total",
      "tokens_saved_total",
      "persistent_savings_tokens_saved_total",
      "latency_ms_sum",
      "latency_ms_count",
      "overhead_ms_sum",
      "overhead_ms_count",
      "ttfb_ms_max",
      "prefix_broken_total",
      'overhead_seconds_bucket{le="+Inf"}',
      'requests_refused_total{reason="budget"}',
      'prefix_requests_total{verdict="ours"}',
    ]
  ) assert.equal(samples.get(`svc_${name}`), 0, name);
  assert.equal(samples.get('svc_build_info{version="1.0"}'), 1);
});

Deno.test("metricsText agrees with the report and with its own tables, to the unit", async () => {
  const body = figures(partsOf(traffic(82, 300)));
  const samples = parseMetrics(await metricsText(body, "1.0"));
  const get = (name: string) => samples.get(`svc_${name}`);
  const sum = (family: string) =>
    [...samples].filter(([key]) => key.startsWith(`svc_${family}{`))
      .reduce((total, [, value]) => total + value, 0);
  assert.equal(get("requests_total"), 300);
  for (const by of ["provider", "model", "stack", "project", "agent"]) {
    assert.equal(sum(`requests_by_${by}`), 300, by);
  }
  assert.equal(get("tokens_input_total"), body.tokens.input);
  assert.equal(
    get("tokens_saved_total")! - get("tokens_added_total")!,
    body.tokens.saved,
  );
  assert.equal(
    sum("strategy_tokens_saved_total") +
      body.tokens_saved_by_strategy["(added)"]!,
    body.tokens.saved,
  );
  const nano = (usd: number) => Math.round(1e9 * usd);
  assert.equal(nano(sum("cost_usd_total")), nano(body.cost.total_cost_usd));
  assert.equal(get("savings_net_usd"), body.cost.total_savings_usd);
  assert.equal(
    get("persistent_savings_compression_savings_usd_total"),
    body.persistent_savings.lifetime.compression_savings_usd,
  );
  assert.equal(
    sum("cache_read_tokens_total"),
    body.prefix_cache.totals.cache_read_tokens,
  );
  assert.equal(
    sum("cache_write_ttl_tokens_total"),
    sum("cache_write_tokens_total"),
  );
  assert.equal(
    sum("blocks_left_alone_total"),
    body.left_alone_by_reason["too_small"],
  );
  assert.equal(
    sum("prefix_requests_total"),
    body.prefix_stability.compared + body.prefix_stability.first,
  );
  assert.equal(get("originals_given_back_total"), body.retrievals.total);
  assert.equal(get("response_cache_hits_total"), 2);
  assert.equal(get("budget_spent_usd"), 4);
  assert.equal(sum("stage_failures_total"), 2);
});

Deno.test("metricsText has sums and no names for callers that are not trusted", async () => {
  const body = figures(partsOf(traffic(83, 100)));
  const text = await metricsText(withhold(body), "1.0");
  assert.doesNotMatch(text, /(provider|model|stack|project|agent|tool)="/);
  const samples = parseMetrics(text);
  assert.equal(samples.get("svc_requests_total"), 100);
  assert.equal(
    samples.get("svc_cache_read_tokens_total"),
    body.prefix_cache.totals.cache_read_tokens,
  );
});

Deno.test("the histogram of overhead counts every request whose answer began upstream", async () => {
  const overheads = [0.3, 0.5, 7, 9000];
  const samples = parseMetrics(
    await metricsText(
      figures(partsOf([
        ...overheads.map((overheadMs) => ({
          ...RECORD,
          overheadMs,
          ttfbMs: 9,
        })),
        { ...RECORD, status: 502 },
        { ...RECORD, status: 429, refusedBy: "budget" },
      ])),
      "1.0",
    ),
  );
  const upTo = (bound: string) =>
    samples.get(`svc_overhead_seconds_bucket{le="${bound}"}`);
  assert.deepEqual(
    ["0.0005", "0.005", "0.01", "5", "+Inf"].map(upTo),
    [2, 2, 3, 3, 4],
  );
  assert.equal(samples.get("svc_overhead_seconds_sum"), 9.0078);
});

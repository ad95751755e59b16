import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  exposition,
  metrics,
  type MetricsReport,
} from "../../../src/proxy/handlers/metrics.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const HOSTILE = 'a"b\\c\nd';
const DURATION = { sum_ms: 30.5, min_ms: 10, max_ms: 20.5, total_requests: 2 };
const REPORT: MetricsReport = {
  requests: {
    total: 4,
    cached: 1,
    rate_limited: 2,
    failed: 3,
    by_provider: { messages: 4 },
    by_model: { [HOSTILE]: 1 },
  },
  tokens: { input: 100, output: 50, saved: 20, added: 5 },
  latency: DURATION,
  overhead: { ...DURATION, sum_ms: 3 },
  prefix_cache: {
    by_provider: {
      messages: {
        requests: 4,
        hit_requests: 3,
        cache_read_tokens: 900,
        cache_write_tokens: 40,
        uncached_input_tokens: 7,
      },
    },
  },
  persistent_savings: { lifetime: { tokens_saved: 700, tokens_added: 40 } },
  retrievals: {
    by_strategy: { log: { elided: 6, asked_for: 2, tokens_given_back: 80 } },
  },
};

/** Parses as strictly as the format is defined: every sample belongs to the family declared just before it. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const families = new Set<string>();
  let help = "";
  let name = "";
  let type = "";
  assert.ok(text.endsWith("\n"));
  for (const line of text.slice(0, -1).split("\n")) {
    const meta = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
    if (meta) {
      const [, word, family = "", rest = ""] = meta;
      if (word === "HELP") {
        help = family;
        continue;
      }
      assert.equal(family, help, "TYPE follows HELP of the same family");
      assert.match(rest, /^(counter|gauge|summary)$/);
      assert.ok(!families.has(family), `${family} is declared once`);
      families.add(family);
      name = family;
      type = rest;
      continue;
    }
    const sample =
      /^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})? (\d+(?:\.\d+)?)$/
        .exec(line);
    assert.ok(sample, `a sample: ${line}`);
    const suffixes = type === "summary" ? ["_sum", "_count"] : [""];
    assert.ok(suffixes.some((suffix) => sample[1] === name + suffix), line);
    const key = `${sample[1]}${sample[2] ?? ""}`;
    assert.ok(!samples.has(key), `${key} occurs once`);
    samples.set(key, Number(sample[3]));
  }
  return samples;
}

Deno.test("exposition has the metrics of the contract with their values", () => {
  const samples = parse(exposition(REPORT));
  const expected = {
    "svc_requests_total": 4,
    "svc_requests_cached_total": 1,
    "svc_requests_rate_limited_total": 2,
    "svc_requests_failed_total": 3,
    "svc_tokens_input_total": 100,
    "svc_tokens_output_total": 50,
    "svc_tokens_saved_total": 25,
    "svc_tokens_added_total": 5,
    "svc_latency_ms_sum": 30.5,
    "svc_latency_ms_count": 2,
    "svc_latency_ms_min": 10,
    "svc_latency_ms_max": 20.5,
    "svc_overhead_ms_sum": 3,
    "svc_overhead_ms_count": 2,
    'svc_requests_by_provider{provider="messages"}': 4,
    'svc_provider_cache_requests_total{provider="messages"}': 4,
    'svc_provider_cache_hit_requests_total{provider="messages"}': 3,
    'svc_cache_read_tokens_total{provider="messages"}': 900,
    'svc_cache_write_tokens_total{provider="messages"}': 40,
    'svc_uncached_input_tokens_total{provider="messages"}': 7,
  };
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(samples.get(name), value, name);
  }
});

Deno.test("exposition shows lifetime savings as a sum that never goes back", () => {
  const samples = parse(exposition(REPORT));
  assert.equal(samples.get("svc_persistent_savings_tokens_saved_total"), 740);
});

Deno.test("exposition escapes quotes, back-slashes and line feeds in labels", () => {
  const samples = parse(exposition(REPORT));
  assert.equal(
    samples.get('svc_requests_by_model{model="a\\"b\\\\c\\nd"}'),
    1,
  );
});

async function get(address: string, host: string): Promise<Response> {
  const trust = {
    gateways: [],
    clients: parseNetworks("SVC_X", "10.1.0.0/16"),
  };
  const app = new Hono<ProxyEnv>().get(
    "/metrics",
    metrics(() => REPORT, trust),
  );
  return await app.request("/metrics", { headers: { host } }, {
    peer: { address },
  });
}

Deno.test("metrics answers in the text format, version 0.0.4", async () => {
  const response = await get("127.0.0.1", "localhost:8787");
  assert.equal(
    response.headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8",
  );
  assert.equal(await response.text(), exposition(REPORT));
});

Deno.test("metrics names no provider and no model to callers that are not trusted, and still counts", async () => {
  const trusted = await get("10.1.2.3", "10.1.0.1:8787");
  assert.equal(await trusted.text(), exposition(REPORT));
  for (
    const [address, host] of [
      ["192.0.2.1", "localhost"],
      ["127.0.0.1", "evil.example"],
      ["10.1.2.3", "evil.example"],
    ] as const
  ) {
    const text = await (await get(address, host)).text();
    assert.doesNotMatch(text, /(provider|model)="/);
    assert.equal(parse(text).get("svc_requests_total"), 4);
  }
});

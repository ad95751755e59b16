import assert from "node:assert/strict";
import type { Dimension } from "../../src/core/ledger_reader.ts";
import { lifetimeBody } from "../../src/ledger/lifetime_body.ts";
import { readerOf, traffic } from "./traffic.ts";

const STATE = { backend: "sqlite", healthy: true, waiting: 3 } as const;

Deno.test("lifetimeBody has the sums of the ledger, and tables that sum up to them", () => {
  const reader = readerOf(traffic(41, 250));
  const sums = reader.lifetime();
  const body = lifetimeBody(reader, STATE);
  assert.deepEqual(body.requests, { total: 250, failed: sums.failed });
  assert.equal(body.tokens.saved, sums.saved - sums.added);
  assert.equal(body.tokens.input, sums.input);
  assert.equal(Math.round(1e9 * body.cost.total_cost_usd), sums.nanoUsd);
  assert.equal(
    Math.round(1e9 * body.cost.without_svc_usd),
    sums.nanoUsd + sums.savedNet,
  );
  assert.equal(body.prefix_cache.cache_read_tokens, sums.cacheRead);
  for (
    const table of [
      body.projects,
      body.by_provider,
      body.by_model,
      body.by_stack,
      body.by_agent,
    ]
  ) {
    const rows = Object.values(table ?? {});
    assert.equal(rows.reduce((n, row) => n + row.requests, 0), 250);
    assert.equal(
      rows.reduce((n, row) => n + row.tokens_saved, 0),
      body.tokens.saved,
    );
  }
  assert.deepEqual(body.prefix_stability, { ours: 0 });
  assert.deepEqual(body.persistence, {
    healthy: true,
    enabled: true,
    pending_records: 3,
  });
});

Deno.test("lifetimeBody says of tools and kinds only what is known of them, rather than zero", () => {
  const reader = readerOf(traffic(41, 250));
  const sums = { ...reader.lifetime(), requests: 7, saved: 90, added: 20 };
  const { by_tool, by_kind, by_model } = lifetimeBody(
    Object.assign(reader, {
      breakdown: (by: Dimension) => [{ name: by, ...sums }],
    }),
    STATE,
  );
  const row = { requests: 7, tokens_saved: 70, tokens_added: 20 };
  assert.deepEqual([by_tool, by_kind], [{ tool: row }, { kind: row }]);
  assert.ok("total_cost_usd" in by_model!["model"]!);
});

Deno.test("lifetimeBody says when nothing is kept", () => {
  const state = { ...STATE, backend: "memory", healthy: false } as const;
  const { persistence } = lifetimeBody(readerOf([]), state);
  assert.deepEqual(
    [persistence.enabled, persistence.healthy],
    [false, false],
  );
});

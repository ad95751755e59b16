import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import {
  cacheFamilies,
  compressionFamilies,
  prefixFamilies,
  storeFamilies,
} from "../../src/ledger/metrics_compression.ts";
import { RECORD } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";

const body = figures(partsOf([{
  ...RECORD,
  usage: { input: 5, cacheRead: 70, cacheWrite: 30, cacheWrite1h: 10 },
  leftAlone: ["too_small", "too_small", "no_kind"],
  olderDecided: "pays",
  prefix: {
    verdict: "ours",
    previousBytes: 90,
    equalBytes: 40,
    firstDifference: "/x",
  },
}]));
const tableOf = (
  families: ReturnType<typeof cacheFamilies>,
  wanted: string,
) => families.find(({ name }) => name === wanted)?.samples;

Deno.test("cacheFamilies tell writes by how long they live, by provider or in all", () => {
  const name = "cache_write_ttl_tokens_total";
  assert.deepEqual(tableOf(cacheFamilies(body), name), [
    [{ provider: "messages", ttl: "5m" }, 20],
    [{ provider: "messages", ttl: "1h" }, 10],
  ]);
  const { totals } = body.prefix_cache;
  const sums = cacheFamilies({ ...body, prefix_cache: { totals } });
  assert.deepEqual(tableOf(sums, name), [[{ ttl: "5m" }, 20], [{
    ttl: "1h",
  }, 10]]);
});

Deno.test("compressionFamilies count what was left alone by reason", () => {
  const families = compressionFamilies(body);
  assert.deepEqual(tableOf(families, "blocks_left_alone_total"), [
    [{ reason: "too_small" }, 2],
    [{ reason: "no_kind" }, 1],
  ]);
  assert.deepEqual(tableOf(families, "older_decided_total"), [
    [{ reason: "pays" }, 1],
  ]);
  // What was added is no compressor's.
  const { "(added)": added, ...saved } = body.tokens_saved_by_strategy;
  assert.equal(body.tokens.added + (added ?? 0), 0);
  assert.deepEqual(
    tableOf(families, "strategy_tokens_saved_total"),
    Object.entries(saved).map(([strategy, n]) => [{ strategy }, n]),
  );
  assert.equal(
    Object.values(saved).reduce((sum, n) => sum + n, 0),
    body.tokens.removed,
  );
});

Deno.test("prefixFamilies show a broken prefix", () => {
  const families = prefixFamilies(body);
  assert.deepEqual(tableOf(families, "prefix_broken_total"), [[{}, 1]]);
  assert.deepEqual(tableOf(families, "prefix_equal_bytes_total"), [[{}, 40]]);
});

Deno.test("storeFamilies are empty without a store and a cache", () => {
  assert.equal(storeFamilies(body).length, 5);
  assert.deepEqual(
    storeFamilies({ ...body, cache: null, compression: null }),
    [],
  );
});

import assert from "node:assert/strict";
import { patternOf } from "../../src/cost/model_names.ts";
import { parseUserModels } from "../../src/cost/open_pricing.ts";
import {
  FALLBACK_LIMIT,
  makeCatalog,
  TABLE_SOURCE,
} from "../../src/cost/prices.ts";
import { makePricing } from "../../src/cost/pricing.ts";

const DOC = await Deno.readTextFile(
  new URL("../../docs/costs.md", import.meta.url),
);
const blocks = [...DOC.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) =>
  json!
);

Deno.test("docs/costs.md names the source of the built-in table", () => {
  assert.ok(DOC.replaceAll(/\s+/g, " ").includes(TABLE_SOURCE));
});

Deno.test("docs/costs.md shows a models.json that can be read", () => {
  const { priceOf, limitOf } = makeCatalog([
    parseUserModels(blocks[0]!, "docs/costs.md"),
  ]);
  assert.equal(limitOf("my-model").tokens, 32_768);
  assert.equal(priceOf("my-model")?.price.base.cacheRead, 50_000);
  assert.equal(
    priceOf("claude-opus-4-5-20251101")?.price.base.cacheWrite1h,
    9_000_000,
  );
});

Deno.test("docs/costs.md shows the patterns as they are", () => {
  const rows = [...DOC.matchAll(/^\| (`.*\*`) +\| ([\d,]+) +\| `(.*)` +\|$/gm)];
  assert.equal(rows.length, 8);
  for (const [, names, limit, like] of rows) {
    for (const [, name] of names!.matchAll(/`(.*?)`/g)) {
      const found = patternOf(name!.replaceAll("*", "-"));
      assert.equal(found?.like, like);
      assert.equal(found?.limit, Number(limit!.replaceAll(",", "")));
    }
  }
  assert.match(DOC, /\| anything else +\| 128,000 +\| no price/);
  assert.equal(FALLBACK_LIMIT, 128_000);
});

Deno.test("docs/costs.md adds its example up", () => {
  const record = makePricing({ layers: [], log: () => {} }).costOf({
    model: "claude-opus-4-5",
    status: 200,
    rounds: [
      { input: 10, cacheRead: 5000, cacheWrite: 2000, output: 50 },
      { input: 500, cacheRead: 7000, output: 100 },
    ],
    tokensAfter: 0,
    saved: { fresh: 1000, kept: 8000, addedFresh: 0, addedKept: 80 },
  });
  const usd = (nano: number | undefined) => `${nano! / 1e9}`;
  assert.match(DOC, new RegExp(`\\*\\*${usd(record?.savedNetNanoUsd)}\\*\\*`));
  assert.match(
    DOC,
    new RegExp(`\\| gross .* ${usd(record?.savedGrossNanoUsd)} +\\|`),
  );
});

import assert from "node:assert/strict";
import { parseUserModels } from "../../src/cost/open_pricing.ts";
import {
  builtInModels,
  FALLBACK_LIMIT,
  makeCatalog,
  readRow,
  readTable,
  TABLE_SOURCE,
} from "../../src/cost/prices.ts";

Deno.test("builtInModels holds the current models of the three families", () => {
  const { prices, limits } = builtInModels();
  assert.deepEqual(prices.get("claude-opus-4-5")?.base, {
    input: 5_000_000,
    output: 25_000_000,
    cacheRead: 500_000,
    cacheWrite: 6_250_000,
    cacheWrite1h: 10_000_000,
  });
  assert.deepEqual(prices.get("gpt-5")?.base, {
    input: 1_250_000,
    output: 10_000_000,
    cacheRead: 125_000,
    cacheWrite: 1_250_000,
    cacheWrite1h: 1_250_000,
  });
  assert.equal(prices.get("gemini-2.5-pro")?.above?.tokens, 200_000);
  assert.equal(prices.get("gemini-2.5-pro")?.above?.rates.input, 2_500_000);
  assert.equal(limits.get("claude-opus-4-5"), 200_000);
  assert.equal(limits.get("gemini-2.5-pro"), 1_048_576);
});

Deno.test("builtInModels has sane prices in every row", () => {
  for (const [model, { base, above }] of builtInModels().prices) {
    for (const rates of above === undefined ? [base] : [base, above.rates]) {
      assert.ok(Object.values(rates).every(Number.isSafeInteger), model);
      assert.ok(rates.input > 0 && rates.output >= rates.input, model);
      assert.ok(rates.cacheRead <= rates.input, model);
      assert.ok(rates.cacheWrite >= rates.input, model);
      assert.ok(rates.cacheWrite1h >= rates.cacheWrite, model);
    }
    if (above === undefined) continue;
    assert.ok(above.tokens >= 100_000, model);
    assert.ok(above.rates.input > base.input, model);
    assert.ok(above.rates.output > base.output, model);
  }
});

Deno.test("builtInModels says for each row where it comes from, and of which day", () => {
  assert.match(
    TABLE_SOURCE,
    /^litellm \d+\.\d+\.\d+ \(PyPI, 20\d\d-\d\d-\d\d\)$/,
  );
  const { sourceOf } = builtInModels();
  assert.ok(sourceOf("gpt-5").startsWith(`${TABLE_SOURCE}, `));
  assert.notEqual(sourceOf("gpt-5"), sourceOf("gemini-2.5-pro"));
});

Deno.test("readRow reads decimal prices exactly", () => {
  const { list, limit, price } = readRow(
    "gpt-x",
    "some_list - 0.000001 999999.999999 0.1 - - above 272000 0.3 1 - 0.7 -",
  );
  assert.equal(list, "some_list");
  assert.equal(limit, undefined);
  assert.deepEqual(price, {
    base: {
      input: 1,
      output: 999_999_999_999,
      cacheRead: 100_000,
      cacheWrite: 1,
      cacheWrite1h: 1,
    },
    above: {
      tokens: 272_000,
      rates: {
        input: 300_000,
        output: 1_000_000,
        cacheRead: 150_000,
        cacheWrite: 700_000,
        cacheWrite1h: 700_000,
      },
    },
  });
});

Deno.test("readRow names the row that it cannot read", () => {
  const bad: readonly string[] = [
    "",
    "list 1000 1 2 3 4",
    "list 1000 1 2 3 4 5 6",
    "list 0 1 2 - - -",
    "list 1000 - 2 - - -",
    "list 1000 1 - - - -",
    "list 1000 1e3 2 - - -",
    "list 1000 -1 2 - - -",
    "list 1000 1 2 - - - above - 1 2 - - -",
    "list 1000 1 2 - - - above 5 1 2 - - - 9",
    "list 1000 1 2 - - - over 5 1 2 - - -",
    "list 1000 1 2 0.1234567 - -",
  ];
  for (const row of bad) {
    assert.throws(() => readRow("m", row), {
      name: "RangeError",
      message:
        `Cannot read the price of m: "${row}" must be a row of price_table.json`,
    });
  }
});

Deno.test("readTable keeps the price of a model without a limit", () => {
  const { limits, prices, sourceOf } = readTable({
    source: { package: "p", registry: "R", version: "1.2", date: "2026-01-31" },
    models: { "a": "list - 1 2 - - -" },
  });
  assert.equal(limits.size, 0);
  assert.equal(prices.get("a")?.base.input, 1_000_000);
  assert.equal(sourceOf("a"), "p 1.2 (R, 2026-01-31), list");
});

const layer = (where: string, models: object) =>
  parseUserModels(JSON.stringify({ p: models }), where);

Deno.test("catalog finds a listed model under all of its names, and says from where", () => {
  const { priceOf, limitOf } = makeCatalog([]);
  for (
    const model of [
      "claude-opus-4-5",
      "claude-opus-4-5-20251101",
      "claude-opus-4-5@20251101",
      "us.anthropic.claude-opus-4-5-20251101-v1:0",
    ]
  ) {
    const found = priceOf(model);
    assert.equal(found?.price.base.output, 25_000_000, model);
    assert.equal(found?.inferred, false);
    assert.ok(found?.source.startsWith(TABLE_SOURCE));
    assert.deepEqual(limitOf(model), { tokens: 200_000, inferred: false });
  }
});

Deno.test("catalog prefers the row of the exact name to the plain one", () => {
  const { priceOf } = makeCatalog([]);
  assert.equal(priceOf("gpt-4o-2024-05-13")?.price.base.input, 5_000_000);
  assert.equal(priceOf("gpt-4o-2024-08-06")?.price.base.input, 2_500_000);
  assert.equal(
    priceOf("claude-sonnet-4-5@20250929")?.price.above?.rates.input,
    6_000_000,
  );
  assert.equal(priceOf("claude-sonnet-4-5-20250929")?.price.above, undefined);
});

Deno.test("catalog infers price and limit from a pattern, and says so", () => {
  const { priceOf, limitOf } = makeCatalog([]);
  const found = priceOf("claude-opus-77");
  assert.equal(found?.inferred, true);
  assert.equal(found?.price.base.input, 5_000_000);
  assert.match(found!.source, /claude-opus-5, for \*opus\*$/);
  assert.deepEqual(limitOf("claude-opus-77"), {
    tokens: 200_000,
    inferred: true,
  });
});

Deno.test("catalog has no price and the fallback limit for a stranger", () => {
  const { priceOf, limitOf } = makeCatalog([]);
  for (const model of ["", "llama3:8b", "gpt-99", "x".repeat(5000)]) {
    assert.equal(priceOf(model), undefined);
    assert.deepEqual(limitOf(model), {
      tokens: FALLBACK_LIMIT,
      inferred: true,
    });
  }
});

Deno.test("catalog lets later layers win, for price and limit apart", () => {
  const { priceOf, limitOf } = makeCatalog([
    layer("models.json", {
      context_limits: { "gpt-4o": 1000, "mine": 7 },
      pricing: { "gpt-4o": { input: 1, output: 1 } },
    }),
    layer("SVC_MODEL_LIMITS", { context_limits: { "gpt-4o": 2000 } }),
  ]);
  assert.deepEqual(limitOf("gpt-4o"), { tokens: 2000, inferred: false });
  assert.deepEqual(limitOf("local/Mine"), { tokens: 7, inferred: false });
  const { price, source } = priceOf("gpt-4o-2024-05-13")!;
  assert.equal(price.base.input, 1_000_000);
  assert.equal(source, "models.json");
  assert.equal(priceOf("gpt-4o-mini")?.price.base.input, 150_000);
});

Deno.test("catalog raises the limit where the name asks for a million tokens", () => {
  const { limitOf } = makeCatalog([]);
  assert.equal(limitOf("claude-sonnet-4-5[1m]").tokens, 1_000_000);
  assert.equal(limitOf("gemini-2.5-pro[1m]").tokens, 1_048_576);
});

Deno.test("contextLimit is that of a list, of a pattern or of the name, and unknown otherwise", () => {
  const { contextLimit } = makeCatalog([
    layer("models.json", { context_limits: { mine: 7 } }),
  ]);
  assert.equal(contextLimit("mine"), 7);
  assert.equal(contextLimit("gpt-4o-2024-08-06"), 128_000);
  assert.equal(contextLimit("some-opus-99"), 200_000);
  assert.equal(contextLimit("who-knows[1m]"), 1_000_000);
  for (const model of ["", "who-knows", "x".repeat(5000)]) {
    assert.equal(contextLimit(model), undefined);
  }
});

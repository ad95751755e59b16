import assert from "node:assert/strict";
import { FALLBACK_LIMIT, makeCatalog } from "../../src/cost/catalog.ts";
import { TABLE_SOURCE } from "../../src/cost/prices.ts";
import { parseUserModels } from "../../src/cost/user_models.ts";

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

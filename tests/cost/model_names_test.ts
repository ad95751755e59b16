import assert from "node:assert/strict";
import fc from "fast-check";
import {
  candidateNames,
  familyOf,
  namedContext,
  patternOf,
} from "../../src/cost/model_names.ts";
import { builtInModels } from "../../src/cost/prices.ts";

Deno.test("candidateNames leads from every spelling of a model to its plain name", () => {
  const spellings: Record<string, string> = {
    "claude-sonnet-4-5-20250929": "claude-sonnet-4-5",
    "claude-sonnet-4-5@20250929": "claude-sonnet-4-5",
    "claude-opus-5@default": "claude-opus-5",
    "claude-opus-4-5-20251101[1m]": "claude-opus-4-5",
    " Claude-Haiku-4-5 ": "claude-haiku-4-5",
    "anthropic/claude-sonnet-4.5": "claude-sonnet-4-5",
    "openrouter/anthropic/claude-3.7-sonnet": "claude-3-7-sonnet",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
    "global.anthropic.claude-opus-4-6-v1": "claude-opus-4-6",
    "us-gov.anthropic.claude-opus-4-8": "claude-opus-4-8",
    "vertex_ai/claude-haiku-4-5@20251001": "claude-haiku-4-5",
    "publishers/anthropic/models/claude-opus-4-7": "claude-opus-4-7",
    "claude-3-7-sonnet-latest": "claude-3-7-sonnet",
    "claude-opus-4-0": "claude-opus-4",
    "openai/gpt-5-2025-08-07": "gpt-5",
    "gpt-4.1-mini-2025-04-14": "gpt-4.1-mini",
    "models/gemini-2.5-pro": "gemini-2.5-pro",
    "google/gemini-2.5-flash-001": "gemini-2.5-flash",
  };
  for (const [spelling, plain] of Object.entries(spellings)) {
    assert.equal(candidateNames(spelling).at(-1), plain, spelling);
    assert.ok(builtInModels().prices.has(plain), plain);
  }
});

Deno.test("candidateNames begins with the exact name", () => {
  assert.deepEqual(candidateNames("openai/gpt-4o-2024-05-13"), [
    "openai/gpt-4o-2024-05-13",
    "gpt-4o-2024-05-13",
    "gpt-4o",
  ]);
  assert.deepEqual(candidateNames("shop/maker/model"), [
    "shop/maker/model",
    "maker/model",
    "model",
  ]);
});

Deno.test("candidateNames never leads to another model", () => {
  const others: readonly string[] = [
    "gpt-4o-mini",
    "gpt-5-codex-mini",
    "gpt-5.4-minimal",
    "claude-opus-4-55",
    "o3-pro",
    "deepseek-v3",
    "llama3:8b",
    "ft:gpt-4o-2024-08-06:acme::id",
    "gemini-2.5-pro-preview-tts",
  ];
  for (const model of others) {
    assert.deepEqual(candidateNames(model), [model]);
  }
});

Deno.test("candidateNames has nothing for an empty or a huge name", () => {
  assert.deepEqual(candidateNames("  "), []);
  assert.deepEqual(candidateNames("x".repeat(201)), []);
});

Deno.test("candidateNames gives names without repeats and without empty ones, for any text", () => {
  fc.assert(fc.property(fc.string(), (model) => {
    const names = candidateNames(model);
    assert.equal(new Set(names).size, names.length);
    assert.ok(!names.includes(""));
  }));
});

Deno.test("namedContext is a million tokens where the name ends with [1m]", () => {
  assert.equal(namedContext("claude-sonnet-4-5[1m]"), 1_000_000);
  assert.equal(namedContext("claude-sonnet-4-5[1M] "), 1_000_000);
  assert.equal(namedContext("claude-sonnet-4-5"), undefined);
});

Deno.test("patternOf takes the tier and the limit that a name shows", () => {
  const shown: Record<string, readonly [string, number]> = {
    "claude-opus-9": ["claude-opus-5", 200_000],
    "my-sonnet": ["claude-sonnet-4-6", 200_000],
    "opus": ["claude-opus-5", 200_000],
    "vendor/claude-9-haiku@20300101": ["claude-haiku-4-5", 200_000],
    "gpt-4o-audio-preview": ["gpt-4o", 128_000],
    "gpt-4o-mini-search-preview": ["gpt-4o-mini", 128_000],
    "o1-preview": ["o1", 200_000],
    "o1-mini": ["o3-mini", 200_000],
    "o3-large": ["o3", 200_000],
    "o3-mini-high": ["o3-mini", 200_000],
  };
  for (const [model, [like, limit]] of Object.entries(shown)) {
    const found = patternOf(model);
    assert.deepEqual([found?.like, found?.limit], [like, limit], model);
  }
});

Deno.test("patternOf is not fooled by words that only look alike", () => {
  const strangers = ["octopus-v4", "gpt-4", "gpt-4omni", "o12", "o3x", "co3"];
  for (const model of [...strangers, "ft:gpt-4o:acme", "gpt-5", ""]) {
    assert.equal(patternOf(model), undefined, model);
  }
});

Deno.test("patternOf names models that the table has", () => {
  for (const model of ["opus", "sonnet", "haiku", "gpt-4o", "o1", "o3"]) {
    assert.ok(builtInModels().prices.has(patternOf(model)!.like));
  }
});

Deno.test("familyOf tells the families apart, and others from them", () => {
  const families = {
    claude: ["claude-opus-5", "us.anthropic.claude-3-haiku-v1:0", "sonnet"],
    gpt: ["gpt-4o", "openai/o3", "o4-mini", "codex-mini-latest"],
    gemini: ["models/gemini-3-flash-preview"],
  };
  for (const [family, models] of Object.entries(families)) {
    for (const model of models) assert.equal(familyOf(model), family, model);
  }
  for (const model of ["gpt-oss-120b", "grok-4", "octopus", "", "o11y"]) {
    assert.equal(familyOf(model), undefined, model);
  }
});

Deno.test("familyOf knows every model of the table", () => {
  for (const model of builtInModels().prices.keys()) {
    assert.notEqual(familyOf(model), undefined, model);
  }
});

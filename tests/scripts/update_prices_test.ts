import assert from "node:assert/strict";
import { priceRows } from "../../scripts/update_prices.ts";

const entry = (provider: string, of: object = {}) => ({
  litellm_provider: provider,
  mode: "chat",
  max_input_tokens: 200_000,
  input_cost_per_token: 3e-6,
  output_cost_per_token: 1.5e-5,
  ...of,
});

Deno.test("priceRows writes exact prices in USD per million tokens, with a threshold", () => {
  const rows = priceRows({
    "gpt-5.4": entry("openai", {
      input_cost_per_token: 2.5e-7,
      cache_read_input_token_cost: 2.5e-8,
      input_cost_per_token_above_272k_tokens: 5e-7,
      input_cost_per_token_above_272k_tokens_batches: 1e-7,
      output_cost_per_token_above_272k_tokens: 2.25e-5,
    }),
  });
  assert.deepEqual(rows, {
    "gpt-5.4": "openai 200000 0.25 15 0.025 - - above 272000 0.5 22.5 - - -",
  });
});

Deno.test("priceRows leaves out dated names with the prices of the plain one, and only those", () => {
  const rows = priceRows({
    "gpt-4o-2024-05-13": entry("openai", { input_cost_per_token: 5e-6 }),
    "gpt-4o-2024-08-06": entry("openai"),
    "gpt-4o": entry("openai", { max_input_tokens: undefined }),
    "vertex_ai/claude-haiku-4-5@20251001": entry("vertex_ai-anthropic_models"),
  });
  assert.deepEqual(rows, {
    "claude-haiku-4-5": "vertex_ai-anthropic_models 200000 3 15 - - -",
    "gpt-4o": "openai - 3 15 - - -",
    "gpt-4o-2024-05-13": "openai 200000 5 15 - - -",
  });
});

Deno.test("priceRows prefers the maker's own list, then the newest date", () => {
  const rows = priceRows({
    "anthropic.claude-opus-4-20250514-v1:0": entry("bedrock_converse"),
    "anthropic.claude-3-7-sonnet-20240620-v1:0": entry("bedrock"),
    "anthropic.claude-3-7-sonnet-20250219-v1:0": entry("bedrock", {
      input_cost_per_token: 2e-6,
    }),
    "claude-opus-4": entry("anthropic", { input_cost_per_token: 1e-6 }),
  });
  assert.deepEqual(rows, {
    "claude-3-7-sonnet": "bedrock 200000 2 15 - - -",
    "claude-opus-4": "anthropic 200000 1 15 - - -",
  });
});

Deno.test("priceRows leaves out other makers, other modes and models without a price", () => {
  assert.deepEqual(
    priceRows({
      "ft:gpt-4o": entry("openai"),
      "gpt-4o-audio-preview": entry("openai"),
      "gpt-4o-transcribe": entry("openai", { mode: "audio_transcription" }),
      "gpt-free": entry("openai", { input_cost_per_token: 0 }),
      "gpt-none": entry("openai", { output_cost_per_token: undefined }),
      "grok-4": entry("xai"),
      "gemini/gemini-2.5-pro-preview-tts": entry("gemini"),
    }),
    {},
  );
});

Deno.test("priceRows refuses a price that is not exact", () => {
  assert.throws(
    () =>
      priceRows({ "o9": entry("openai", { input_cost_per_token: 1.1e-13 }) }),
    {
      name: "RangeError",
      message:
        "Cannot use input_cost_per_token=1.1e-13: must be whole pico-dollars per token",
    },
  );
});

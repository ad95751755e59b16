import assert from "node:assert/strict";
import { encodingOfModel } from "../../src/tokens/encodings.ts";

const CL100K = [
  "gpt-4",
  "gpt-4-0613",
  "gpt-4-32k",
  "gpt-4-turbo",
  "gpt-4-turbo-2024-04-09",
  "gpt-4-1106-preview",
  "GPT-4",
  "openai/gpt-4",
  "openrouter/openai/gpt-4-turbo",
  "gpt-3.5-turbo",
  "gpt-3.5-turbo-0125",
  "gpt-35-turbo",
  "ft:gpt-3.5-turbo:org:name:id",
  "text-embedding-3-small",
  "text-embedding-ada-002",
];
const O200K = [
  "",
  "gpt-4o",
  "gpt-4o-mini",
  "gpt-4.1",
  "gpt-4.1-nano",
  "gpt-4.5-preview",
  "openai/gpt-4o",
  "ft:gpt-4o-mini:org::id",
  "chatgpt-4o-latest",
  "gpt-5",
  "gpt-5-codex",
  "o1",
  "o3-mini",
  "o4-mini",
  "claude-sonnet-4-5",
  "anthropic/claude-opus-4",
  "my-gpt-4-like-model",
  "constructor",
];

Deno.test("encodingOfModel gives cl100k_base to the models that use it", () => {
  for (const model of CL100K) {
    assert.equal(encodingOfModel(model), "cl100k_base", model);
  }
});

Deno.test("encodingOfModel gives o200k_base to all others", () => {
  for (const model of O200K) {
    assert.equal(encodingOfModel(model), "o200k_base", model);
  }
});

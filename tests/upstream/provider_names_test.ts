import assert from "node:assert/strict";
import {
  clientSlug,
  genAiName,
  providerSlug,
} from "../../src/upstream/provider_names.ts";

Deno.test("genAiName uses the conventions' names of known hosts, else of the format", () => {
  for (
    const [provider, upstream, expected] of [
      ["messages", "Anthropic", "chat anthropic"],
      ["messages", "llm.corp.example", "chat anthropic"],
      ["chat_completions", "Groq", "chat groq"],
      ["responses", "local", "chat openai"],
      ["vertex", "Google Vertex", "chat gcp.vertex_ai"],
      ["completions", "OpenAI", "text_completion openai"],
    ] as const
  ) {
    const name = genAiName({ provider, upstream });
    assert.equal(`${name?.operation} ${name?.provider}`, expected);
  }
  assert.equal(
    genAiName({ provider: "passthrough", upstream: "OpenAI" }),
    undefined,
  );
});

Deno.test("providerSlug knows well-known providers only", () => {
  assert.equal(providerSlug("Azure OpenAI"), "azure_openai");
  assert.equal(providerSlug("llm.corp.example"), undefined);
  assert.equal(providerSlug("local"), undefined);
});

Deno.test("clientSlug knows well-known clients only", () => {
  assert.equal(clientSlug("claude-cli"), "claude_code");
  assert.equal(clientSlug("codex_cli_rs"), "codex");
  assert.equal(clientSlug("OpenAI"), "openai_sdk");
  assert.equal(clientSlug("acme-bot"), undefined);
  assert.equal(clientSlug(""), undefined);
});

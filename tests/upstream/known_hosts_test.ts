import assert from "node:assert/strict";
import fc from "fast-check";
import {
  clientSlug,
  DEFAULT_ORIGINS,
  genAiName,
  labelOf,
  mayOmitVersion,
  providerSlug,
} from "../../src/upstream/known_hosts.ts";

const label = (url: string) => labelOf(new URL(url));

Deno.test("labelOf names known providers by host and by domain", () => {
  const table: Readonly<Record<string, string>> = {
    "https://api.anthropic.com": "Anthropic",
    "https://api.anthropic.com.": "Anthropic",
    "https://API.OpenAI.com/v1": "OpenAI",
    "https://my-resource.openai.azure.com": "Azure OpenAI",
    "https://my-resource.services.ai.azure.com/anthropic": "Azure Foundry",
    "https://aiplatform.googleapis.com": "Google Vertex",
    "https://us-east5-aiplatform.googleapis.com": "Google Vertex",
    "https://aiplatform.eu.rep.googleapis.com": "Google Vertex",
    "https://generativelanguage.googleapis.com": "Google Gemini",
    "https://openrouter.ai/api": "OpenRouter",
    "https://api.groq.com/openai": "Groq",
    "https://api.deepseek.com": "DeepSeek",
    "https://api.mistral.ai": "Mistral",
    "https://api.together.xyz": "Together",
    "https://api.fireworks.ai/inference": "Fireworks",
    "https://api.x.ai": "xAI",
  };
  for (const [url, expected] of Object.entries(table)) {
    assert.equal(label(url), expected, url);
  }
});

Deno.test("labelOf calls loopback local, and Ollama at its port", () => {
  assert.equal(label("http://localhost:8080"), "local");
  assert.equal(label("http://127.0.0.2"), "local");
  assert.equal(label("http://[::1]:1234"), "local");
  assert.equal(label("http://[::ffff:127.0.0.1]:1234"), "local");
  assert.equal(label("http://localhost:11434"), "Ollama");
  assert.equal(label("http://gpu.example:11434"), "gpu.example");
});

Deno.test("labelOf gives the host name of everything that only looks known", () => {
  const hosts = [
    "api.anthropic.com.evil.example",
    "anthropic.com.evil.example",
    "notopenai.com",
    "evilx.ai",
    "localhost.evil.example",
    "a.b-aiplatform.googleapis.com",
    "127.0.0.1.evil.example",
  ];
  for (const host of hosts) assert.equal(label(`https://${host}/v1`), host);
  assert.equal(label("https://api.anthropic.com@evil.example"), "evil.example");
  assert.equal(label("https://evil.example/api.openai.com"), "evil.example");
});

Deno.test("labelOf is short and plain whatever the host", () => {
  assert.equal(label("http://a\"b'{c}.example"), "a?b??c?.example");
  fc.assert(fc.property(fc.webUrl({ size: "large" }), (url) => {
    assert.match(label(url), /^[\w .:?[\]-]{1,100}$/);
  }));
  assert.equal(label(`https://${"a.".repeat(5000)}example`).length, 100);
});

Deno.test("DEFAULT_ORIGINS are origins as URLs write them, encrypted", () => {
  for (const origin of DEFAULT_ORIGINS) {
    assert.equal(new URL(origin).origin, origin);
    assert.match(origin, /^https:/);
  }
});

Deno.test("mayOmitVersion is true behind a path and for known providers beside the default ones", () => {
  const may = (url: string) => mayOmitVersion(new URL(url));
  for (
    const url of [
      "https://openrouter.ai/api/v1",
      "http://127.0.0.1:8000/v1/",
      "https://api.githubcopilot.com",
      "https://api.perplexity.ai/",
      "https://API.DeepSeek.com.",
    ]
  ) assert.equal(may(url), true, url);
  for (
    const url of [
      ...DEFAULT_ORIGINS,
      "http://127.0.0.1:11434",
      "http://localhost:1234/",
      "https://gateway.example",
    ]
  ) assert.equal(may(url), false, url);
});

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

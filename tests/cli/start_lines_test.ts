import assert from "node:assert/strict";
import { startLines } from "../../src/cli/start_lines.ts";
import { makeStyle } from "../../src/cli/style.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const plain = makeStyle(false, {});

function linesFor(
  flags: Record<string, string>,
  notices: readonly string[] = [],
): string {
  const config = resolveConfig({ flags, env: { HOME: "/home/a" } });
  return startLines(config, { port: 4321, notices }, plain);
}

Deno.test("startLines says where it listens, where it sends, what it keeps and how to use it", () => {
  const lines = linesFor({});
  for (
    const part of [
      "listens on http://127.0.0.1:4321",
      "cache mode",
      "https://api.anthropic.com",
      "https://api.openai.com",
      "/home/a/.svc/ccr_store.db",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:4321 claude",
      "OPENAI_BASE_URL=http://127.0.0.1:4321/v1",
      'base_url="http://127.0.0.1:4321/v1"',
      "http://127.0.0.1:4321/stats",
    ]
  ) assert.ok(lines.includes(part), part);
  assert.ok(!lines.includes("Warning"));
  assert.ok(lines.endsWith("\n"));
});

Deno.test("startLines warns when other machines can reach the port, and names an address that can be called", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.2"]) {
    assert.match(linesFor({ host }), new RegExp(`^Warning: ${host} is not`));
  }
  assert.ok(linesFor({ host: "0.0.0.0" }).includes("on http://127.0.0.1:4321"));
  for (const host of ["localhost", "127.1.2.3", "::1"]) {
    assert.ok(!linesFor({ host }).includes("Warning"), host);
  }
});

Deno.test("startLines writes an IPv6 host in brackets", () => {
  assert.ok(linesFor({ host: "::1" }).includes("on http://[::1]:4321"));
});

Deno.test("startLines names the limits that were asked for", () => {
  assert.match(linesFor({ "no-optimize": "true" }), /passthrough: nothing is/);
  assert.match(linesFor({ lossless: "true" }), /cache mode, lossless/);
  assert.match(linesFor({ "no-ccr": "true" }), /cache mode, no retrieval/);
  assert.match(linesFor({ stateless: "true" }), /files +none are written/);
});

Deno.test("startLines repeats the warnings of the configuration and the notices of the app", () => {
  const lines = linesFor({ "chat-api-url": "http://a/v1" }, ["Memory only"]);
  assert.match(lines, /^Warning: Upstream http:\/\/a\/v1 /m);
  assert.match(lines, /^Note: Memory only$/m);
});

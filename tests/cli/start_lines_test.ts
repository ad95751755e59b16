import assert from "node:assert/strict";
import { startLines } from "../../src/cli/start_lines.ts";
import { makeStyle } from "../../src/cli/style.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const plain = makeStyle(false, {});

function linesFor(
  flags: Record<string, string>,
  proxy: Partial<Parameters<typeof startLines>[1]> = {},
  env: Record<string, string> = { HOME: "/home/a" },
): string {
  const config = resolveConfig({ flags, env });
  const storeBackend = config.ccr.backend;
  return startLines(
    config,
    { port: 4321, storeBackend, ...proxy },
    plain,
  );
}

/** What the lines say about files. */
function files(...args: Parameters<typeof linesFor>): string {
  return /^ +files +(.*)$/m.exec(linesFor(...args))![1]!;
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
});

Deno.test("startLines repeats the warnings of the configuration", () => {
  const lines = linesFor({ "chat-api-url": "http://a/v1" });
  assert.match(lines, /^Warning: Upstream http:\/\/a\/v1 /m);
});

Deno.test("startLines says where originals are, also when their file could not be used", () => {
  assert.equal(
    files({}),
    "/home/a/.svc/ccr_store.db (originals, for 1800 s after their last use, and what was sent for them)",
  );
  const memory = "none; originals in memory only, until the proxy stops";
  assert.equal(files({ stateless: "true" }), memory);
  const env = { HOME: "/home/a", SVC_CCR_BACKEND: "memory" };
  assert.equal(files({}, {}, env), memory);
  const unusable = { storeBackend: "memory" } as const;
  assert.equal(files({}, unusable), `${memory}; reason above`);
});

Deno.test("startLines shows an absolute path where the workspace is a relative one", () => {
  const text = files({}, {}, { SVC_WORKSPACE_DIR: "w" });
  assert.ok(text.startsWith(`${Deno.cwd()}/w/ccr_store.db `), text);
});

Deno.test("startLines promises no originals where none are kept", () => {
  for (const flag of ["lossless", "no-ccr"]) {
    assert.match(files({ [flag]: "true" }), /ccr_store\.db .*no new originals/);
    assert.equal(
      files({ [flag]: "true", stateless: "true" }),
      "none; no originals are kept",
    );
  }
  assert.match(files({ "no-optimize": "true" }), /nothing new is kept/);
});

Deno.test("startLines says that token mode works like cache", () => {
  assert.match(
    linesFor({ mode: "token" }),
    /^Note: token mode is not in this version; works like cache$/m,
  );
  assert.doesNotMatch(linesFor({}), /token mode/);
});

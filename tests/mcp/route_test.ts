import assert from "node:assert/strict";
import { openApp } from "../../src/app.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const LOG = Array.from(
  { length: 300 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");

/** An app on a workspace of its own. */
async function open() {
  const workspace = await Deno.makeTempDir();
  const time = { ms: 0 };
  const clock = { now: () => 1_000_000, monotonic: () => time.ms };
  const app = await openApp(
    resolveConfig({ env: { SVC_WORKSPACE_DIR: workspace } }),
    {
      clock,
      send: () => assert.fail("nothing is sent"),
      log: (_, event) => void logged.push(event),
    },
  );
  const logged: string[] = [];
  const ask = (path: string, init: RequestInit = {}, host = "127.0.0.1:8787") =>
    app.fetch(
      new Request(`http://127.0.0.1:8787${path}`, {
        ...init,
        headers: { host, ...init.headers },
      }),
      { peer: { address: "127.0.0.1" } },
    );
  return {
    ask,
    time,
    logged,
    /** Calls a tool; returns its structured result. */
    async call(name: string, args: object) {
      const response = await ask(
        "/mcp",
        post("tools/call", { name, arguments: args }),
      );
      assert.equal(response.status, 200);
      const text = await response.text();
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      return JSON.parse(data).result.structuredContent;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await Deno.remove(workspace, { recursive: true });
    },
  };
}

function post(method: string, params: object): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

Deno.test("the endpoint compresses, and gives the exact original back over every door", async () => {
  await using app = await open();
  const { hash, compressed, tokens_saved } = await app.call(
    "headroom_compress",
    { content: LOG },
  );
  assert.ok(tokens_saved > 0);
  assert.match(compressed, new RegExp(`hash=${hash}\\]$`));
  const found = await app.call("headroom_retrieve", { hash });
  assert.equal(found.original_content, LOG);
  const part = await app.call("headroom_retrieve", { hash, lines: "2" });
  assert.equal(part.original_content.trimEnd(), LOG.split("\n")[1]);
  const http = await (await app.ask(`/v1/retrieve/${hash}`)).json();
  assert.equal(http.original_content, LOG);
  assert.equal(http.retrieval_count, 3);
  assert.deepEqual(app.logged, []);
});

Deno.test("a text with half a character comes back as it is, and is not kept", async () => {
  await using app = await open();
  const content = `${LOG}\n\ud800`;
  const result = await app.call("headroom_compress", { content });
  assert.equal(result.compressed, content);
  assert.equal(result.hash, undefined);
  assert.match(result.note, /could not be kept, so nothing was left out/);
  const { stored_originals } = await app.call("headroom_stats", {});
  assert.equal(stored_originals, 0);
});

Deno.test("what the tools do is in the stats report, a few seconds later at most", async () => {
  await using app = await open();
  const summary = async () =>
    (await (await app.ask("/stats")).json()).summary.mcp;
  assert.equal((await summary()).compressions, 0);
  const { hash, tokens_saved } = await app.call("headroom_compress", {
    content: LOG,
  });
  await app.call("headroom_retrieve", { hash });
  app.time.ms += 6000;
  const { tokens_retrieved, ...counts } = await summary();
  assert.deepEqual(counts, {
    compressions: 1,
    retrievals: 1,
    tokens_saved,
    tokens_removed: tokens_saved,
  });
  assert.ok(tokens_retrieved > tokens_saved);
});

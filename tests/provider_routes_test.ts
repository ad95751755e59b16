import assert from "node:assert/strict";
import { openApp } from "../src/app.ts";
import { resolveConfig } from "../src/settings/resolve.ts";

const LOG = Array.from(
  { length: 1500 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");

async function open(env: Record<string, string> = {}) {
  const clock = { now: () => 0, monotonic: () => 0 };
  const app = await openApp(
    resolveConfig({ env: { SVC_STATELESS: "true", ...env } }),
    {
      clock,
      send: () => assert.fail("nothing is sent"),
      log: (_, event) => assert.fail(event),
    },
  );
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { host: "127.0.0.1", ...init.headers };
    const request = new Request(`http://127.0.0.1${path}`, {
      ...init,
      headers,
    });
    return await app.fetch(request, { peer: { address: "127.0.0.1" } });
  };
  return { ask, [Symbol.asyncDispose]: () => app.close() };
}

const CALL = {
  id: "c",
  type: "function",
  function: { name: "Bash", arguments: "{}" },
};
const REQUEST = {
  method: "POST",
  body: JSON.stringify({
    model: "gpt-4o",
    messages: [
      { role: "user", content: "why?" },
      { role: "assistant", content: null, tool_calls: [CALL] },
      { role: "tool", tool_call_id: "c", content: LOG },
    ],
  }),
};

Deno.test("POST /v1/compress compresses without an upstream, and its originals can be asked for", async () => {
  await using app = await open();
  const response = await app.ask("/v1/compress", REQUEST);
  assert.equal(response.status, 200);
  const { messages, tokens_before, tokens_after, ccr_hashes } = await response
    .json();
  assert.ok(tokens_after < tokens_before / 2);
  assert.equal(ccr_hashes.length, 1);
  assert.match(messages[2].content, new RegExp(`hash=${ccr_hashes[0]}\\]$`));
  const found = await app.ask(`/v1/retrieve/${ccr_hashes[0]}`);
  assert.equal((await found.json()).original_content, LOG);
  // A part of so long a text is cut out in the worker.
  const line = await app.ask(`/v1/retrieve/${ccr_hashes[0]}?lines=3`);
  const { original_content, part } = await line.json();
  assert.equal(original_content.trimEnd(), LOG.split("\n")[2]);
  assert.equal(part, "line 3 of 1500");
});

Deno.test("POST /v1/compress leaves nothing out where originals are not kept", async () => {
  await using app = await open({ SVC_NO_CCR: "1" });
  const response = await app.ask("/v1/compress", REQUEST);
  assert.deepEqual((await response.json()).ccr_hashes, []);
});

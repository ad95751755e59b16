import assert from "node:assert/strict";
import { denoIo } from "../../src/cli/deno_io.ts";
import { type FakeIo, fakeIo, svc } from "../cli/fake_io.ts";
import type { Rig } from "./proxy.ts";
import { withWorld } from "./world.ts";
import { LOG } from "./agent.ts";

/** The second request of a conversation: it brings a long log and a file. */
const BODY = {
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  tools: [{ name: "Bash", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: "Why does the worker fail?" },
    {
      role: "assistant",
      content: ["Bash", "Read"].map((name) => ({
        type: "tool_use",
        id: `call_${name}`,
        name,
        input: {},
      })),
    },
    {
      role: "user",
      content: [["Bash", LOG], ["Read", "x\n"]].map(([name, content]) => ({
        type: "tool_result",
        tool_use_id: `call_${name}`,
        content,
      })),
    },
  ],
};

/** Sends a conversation of two requests through a proxy that writes to a workspace of its own. */
function withInspected(
  test: (rig: Rig, newIo: () => FakeIo) => Promise<void>,
): Promise<void> {
  const model = () => ({ text: "done" });
  return withWorld({ model }, async ({ dir, provider, proxies: [proxy] }) => {
    const rig = { ...proxy!, provider };
    // The retrieval tool is declared where a conversation begins.
    for (const count of [1, BODY.messages.length]) {
      const messages = BODY.messages.slice(0, count);
      await send(rig, { ...BODY, messages });
    }
    // Answered when the request is in the ledger.
    await (await fetch(`${rig.url}/stats`)).text();
    const { openLedger, openOriginals, now } = denoIo();
    const env = { SVC_WORKSPACE_DIR: dir };
    await test(rig, () => fakeIo({ env, openLedger, openOriginals, now }));
  });
}

async function send({ url }: Rig, body: object): Promise<void> {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body: JSON.stringify(body),
  });
  await response.text();
  assert.equal(response.status, 200);
}

Deno.test("svc log and svc show tell what was changed in a request that the proxy sent", async () => {
  await withInspected(async ({ provider }, newIo) => {
    const io = newIo();
    assert.equal(await svc("log --limit 1 --json", io), 0);
    const { request_id, status, tokens_before, tokens_after } = JSON.parse(
      io.out(),
    );
    assert.equal(status, 200);
    assert(tokens_after < tokens_before);
    const shown = newIo();
    await svc(`show ${request_id.slice(0, 12)} --json`, shown);
    const { blocks } = JSON.parse(shown.out());
    const [log, file] = blocks;
    assert.deepEqual(
      [log.tool_name, log.outcome, log.original_status],
      ["Bash", "elided", "kept"],
    );
    assert.equal(log.original, LOG);
    const sent = new TextDecoder().decode(provider.received[1]!.body);
    assert(
      sent.includes(JSON.stringify(log.form)),
      "the form is what was sent",
    );
    assert.deepEqual([file.tool_name, file.outcome], ["Read", "alone"]);
    assert.notEqual(file.reason, null);
  });
});

Deno.test("a tool result that came before is shown again with its form, and counted once", async () => {
  await withInspected(async (rig) => {
    const { url } = rig;
    await send(rig, BODY);
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.new_tool_results.blocks, 2);
    const feed = await (await fetch(`${url}/transformations/feed`)).json();
    const path = `${url}/transformations/${feed.transformations[0].request_id}`;
    const { blocks: [log, file] } = await (await fetch(path)).json();
    assert.deepEqual([log.is_known, log.outcome], [true, "elided"]);
    assert.equal(log.original, LOG);
    assert.deepEqual([file.is_known, file.reason], [true, "left_before"]);
  });
});

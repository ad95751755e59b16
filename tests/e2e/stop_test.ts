/** What becomes of requests that the end of the proxy cuts off. */
import assert from "node:assert/strict";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { startProxy } from "./proxy.ts";
import { startUpstream } from "./upstream.ts";

Deno.test("a stream that the stop cuts off is in the ledger, with what it used so far", async () => {
  const home = await Deno.makeTempDir();
  const usage = { input_tokens: 100_000, output_tokens: 1 };
  const start = { type: "message_start", message: { usage } };
  await using provider = startUpstream(() =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) =>
          controller.enqueue(
            new TextEncoder().encode(`data: ${JSON.stringify(start)}\n\n`),
          ),
      }),
      { headers: { "content-type": "text/event-stream" } },
    )
  );
  const env = {
    SVC_STATELESS: "false",
    SVC_WORKSPACE_DIR: home,
    SVC_BUDGET: "10",
    MSG_TARGET_API_URL: provider.url,
  };
  try {
    const first = await startProxy(env);
    const body = bodyOf(messagesClient, { question: "q", steps: [] }, 0);
    const text = new TextDecoder().decode(body)
      .replace(/"model":"[^"]*"/, '"model":"claude-sonnet-4-5"');
    const response = await fetch(`${first.url}/v1/messages`, {
      method: "POST",
      body: text,
    });
    const reader = response.body!.getReader();
    await reader.read();
    await first.stop();
    await reader.cancel().catch(() => {});
    const second = await startProxy(env);
    try {
      const report = await (await fetch(`${second.url}/stats`)).json();
      assert.equal(report.persistent_savings.lifetime.requests, 1);
      const { budget_basis: spent } = report.cost;
      assert.equal(spent.estimated_records, 1);
      // 100,000 tokens at three dollars per million.
      assert.ok(spent.total_usd >= 0.3, JSON.stringify(spent));
    } finally {
      await second.stop();
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

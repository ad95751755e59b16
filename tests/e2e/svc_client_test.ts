/** Our own client against a running proxy. */
import assert from "node:assert/strict";
import { SvcClient } from "../../src/sdk/client/client.ts";
import { collectStream } from "../../src/sdk/sse.ts";
import { type Place, replies, withApp } from "../acceptance/world.ts";
import { LOG } from "./agent.ts";

const USER = { role: "user", content: "Why does it take so long?" };

/** The same conversation in each way of writing. */
const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  openai: [
    USER,
    {
      role: "assistant",
      content: null,
      tool_calls: [{
        id: "c1",
        type: "function",
        function: { name: "run", arguments: "{}" },
      }],
    },
    { role: "tool", tool_call_id: "c1", content: LOG },
  ],
  anthropic: [
    USER,
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "…", signature: "s" },
        { type: "tool_use", id: "c1", name: "run", input: { big: 1n } },
      ],
    },
    {
      role: "user",
      content: [{
        type: "tool_result",
        tool_use_id: "c1",
        is_error: false,
        content: [{ type: "text", text: LOG, cache_control: undefined }],
      }],
    },
  ],
  responses: [
    USER,
    { type: "function_call", call_id: "c1", name: "run", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: LOG },
  ],
  vercel: [
    USER,
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "c1", toolName: "run", input: {} },
      ],
    },
    {
      role: "tool",
      content: [{
        type: "tool-result",
        toolCallId: "c1",
        toolName: "run",
        output: { type: "text", value: LOG },
        at: new Date(0),
      }],
    },
  ],
  google: [
    { role: "user", parts: [{ text: "Why?" }] },
    { role: "model", parts: [{ functionCall: { name: "run", args: {} } }] },
    {
      role: "user",
      parts: [{ functionResponse: { name: "run", response: { log: LOG } } }],
    },
  ],
};

function withClient(
  test: (client: SvcClient, place: Place) => Promise<void>,
): Promise<void> {
  return withApp(replies(), (place) =>
    test(
      new SvcClient({
        baseUrl: place.url,
        fallback: false,
        stack: "mine",
        providerApiKey: "provider-key",
      }),
      place,
    ));
}

Deno.test("SvcClient compresses every way of writing, keeps the rest of each message, and says before what it will do", () =>
  withClient(async (client, { upstream }) => {
    for (const [name, messages] of Object.entries(CONVERSATIONS)) {
      const simulated = await client.simulate(messages);
      const result = await client.compress(messages);
      assert(result.compressed && result.compressionRatio < 0.5, name);
      assert.deepEqual(simulated.messagesOptimized, result.messages);
      assert.equal(simulated.tokensAfter, result.tokensAfter);
      assert(simulated.wasteSignals["dynamic_date"]! > 1000);
      assert(simulated.estimatedSavings! > 0);
      assert.equal(result.messages[0], messages[0]);
      assert.equal(result.messages[1], messages[1]);
      const [hash] = result.ccrHashes;
      const original = await client.retrieve(hash!);
      assert.equal(original.originalContent, LOG);
    }
    const first = await client.compress(CONVERSATIONS["anthropic"]!);
    assert.deepEqual(
      JSON.parse(
        JSON.stringify(first.messages[2]).replace(
          /"text":"(?:[^"\\]|\\.)*"/,
          '"text":""',
        ),
      ),
      JSON.parse(
        JSON.stringify(CONVERSATIONS["anthropic"]![2]).replace(
          /"text":"(?:[^"\\]|\\.)*"/,
          '"text":""',
        ),
      ),
    );
    assert.equal(upstream.received.length, 0);
  }));

Deno.test("SvcClient asks models through the proxy, and reads every report", () =>
  withClient(async (client, { upstream: { received } }) => {
    const chat = await client.chat.completions.create<{ id: string }>({
      model: "gpt_5",
      messages: [USER],
      headroom_mode: "passthrough",
    });
    assert(chat.id);
    const answer = await client.responses.create({ model: "m", input: "hi" });
    assert(answer["id"]);
    const stream = await client.messages.stream<{ type: string }>({
      model: "m",
      messages: [USER],
    });
    const events = await collectStream(stream);
    assert.equal(events.at(-1)?.type, "message_stop");
    assert.deepEqual(JSON.parse(received[0]!.text), {
      model: "gpt_5",
      messages: [USER],
    });
    assert(
      received.every(({ headers }) =>
        [...headers.keys()].every((name) => !name.startsWith("x-svc-"))
      ),
    );

    const { valid, warnings } = await client.validateSetup();
    assert.deepEqual([valid, warnings], [true, []]);
    assert.equal((await client.health()).config?.rateLimit, false);
    const { requests } = await client.proxyStats();
    assert.deepEqual(requests.byStack, { mine: 3 });
    assert.deepEqual(requests.byModel, { gpt_5: 1, m: 2 });
    assert.equal((await client.getSummary()).totalRequests, 3);
    assert.equal((await client.getMetrics({ model: "gpt_5" })).length, 1);
    const { tokens } = await client.statsLifetime();
    assert.equal(typeof tokens, "object");
    const csv = await client.statsHistory({ format: "csv", series: "daily" });
    assert.match(csv, /^timestamp,/);
    assert.equal((await client.statsHistory())["schema_version"], 3);
    assert.match(await client.prometheusMetrics(), /^svc_requests_total 3$/m);
    assert.equal((await client.getCCRStats()).store.entryCount, 0);
    assert.deepEqual(await client.clearCache(), { status: "cleared" });
    assert.deepEqual(await client.resetStats(), { status: "reset" });
    assert.equal((await client.getStats()).totalRequests, 0);
  }));

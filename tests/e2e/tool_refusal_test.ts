/** A provider that does not take our tool: what is sent once more, and what is remembered. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  messagesClient,
} from "../conformance/conversation.ts";
import { LOG } from "./agent.ts";
import { post, type Rig, withProxy } from "./proxy.ts";
import { type Script, startProvider } from "./scripted_provider.ts";

const decoder = new TextDecoder();
const refusal = (status: number) => ({
  error: { status, body: `{"error":{"message":"no, ${status}"}}` },
});
const hasTool = (body: Uint8Array) =>
  decoder.decode(body).includes('"name":"headroom_retrieve"');
/** Takes no request that declares the tool. */
const picky = (status: number): Script => ({ body }) =>
  hasTool(body) ? refusal(status) : { text: "fine" };

/** A request of the conversation `question` after `n` of its steps. */
function request(
  client: ClientFormat,
  question: string,
  { n = 0, model }: { n?: number; model?: string } = {},
): Uint8Array {
  const steps = [{
    calls: [{ id: question, tool: "Bash", args: { c: "x" }, result: LOG }],
  }];
  const body = bodyOf(client, { question, steps }, n);
  if (model === undefined) return body;
  const json = { ...JSON.parse(decoder.decode(body)), model };
  return new TextEncoder().encode(JSON.stringify(json));
}

/** Sends a request, and says which of those that the provider got for it have the tool. */
async function send(
  rig: Pick<Rig, "url" | "provider">,
  client: ClientFormat,
  outgoing: Parameters<typeof post>[2],
) {
  const posted = await post(rig, client.path, outgoing);
  return { ...posted, tools: posted.sent.map((one) => hasTool(one.body)) };
}

for (const client of CLIENTS) {
  const { id } = client;

  Deno.test(`a first request that gets 400 or 422 with our tool is sent once more as it came: ${id}`, () =>
    withProxy(
      (one, n) => picky(Number(one.json!["model"]))(one, n),
      async (rig) => {
        for (const model of ["400", "422"]) {
          const body = request(client, `first ${model}`, { model });
          const { sent, tools, status } = await send(rig, client, { body });
          assert.equal(status, 200);
          assert.deepEqual(tools, [true, false]);
          assert.deepEqual(sent[1]!.body, body);
          // Nothing is elided for who cannot ask, in this conversation and in the next one.
          for (
            const later of [
              request(client, `first ${model}`, { n: 1, model }),
              request(client, `second ${model}`, { model }),
              request(client, `second ${model}`, { n: 1, model }),
            ]
          ) {
            const { sent, status } = await send(rig, client, { body: later });
            assert.equal(status, 200);
            assert.equal(sent.length, 1);
            const bytes = decoder.decode(sent[0]!.body);
            assert.doesNotMatch(bytes, /headroom_retrieve|Retrieve more/);
          }
        }
      },
    ));
}

Deno.test("an encoded first request that is refused goes out once more in its own encoding", () =>
  withProxy(picky(400), async (rig) => {
    const plain = request(messagesClient, "gzip");
    const body = new Uint8Array(gzipSync(plain));
    const headers = { "content-encoding": "gzip" };
    const { sent, status } = await send(rig, messagesClient, { body, headers });
    assert.equal(status, 200);
    assert.equal(sent.length, 2);
    assert.equal(sent[0]!.headers.get("content-encoding"), null);
    assert.equal(sent[1]!.headers.get("content-encoding"), "gzip");
    assert.deepEqual(sent[1]!.body, body);
  }));

Deno.test("a refusal of one host says nothing of another", async () => {
  await using other = startProvider(picky(400));
  await withProxy(picky(400), async (rig) => {
    const model = "same";
    for (const client of CLIENTS.slice(0, 2)) {
      const { provider } = client === messagesClient
        ? rig
        : { provider: other };
      const body = request(client, client.id, { model });
      const { tools } = await send({ ...rig, provider }, client, { body });
      assert.deepEqual(tools, [true, false], client.id);
    }
  }, { CHAT_TARGET_API_URL: other.url });
});

Deno.test("a first request that was overloaded once is still sent as it came when it is then refused with our tool", () =>
  withProxy(
    (one, n) => n === 0 ? refusal(529) : picky(400)(one, n),
    async (rig) => {
      const body = request(messagesClient, "overloaded");
      assert.equal((await send(rig, messagesClient, { body })).status, 529);
      const { status, sent } = await send(rig, messagesClient, { body });
      assert.equal(status, 200);
      assert.deepEqual(sent.at(-1)!.body, body);
    },
    { SVC_RETRY_MAX_ATTEMPTS: "1" },
  ));

/** Blocks of older turns: token mode, and bodies that are too long. */
import assert from "node:assert/strict";
import {
  bodyOf,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { type Rig, withProxy } from "./proxy.ts";
import type { Script } from "./scripted_provider.ts";

const decoder = new TextDecoder();

/** Three steps; the first two printed a log each. */
const TALK: Conversation = {
  question: "why did it fail?",
  steps: ["a", "b", "c", "d"].map((id, i) => ({
    calls: [{
      id: `call_${id}`,
      tool: "Bash",
      args: { command: `run ${id}` },
      result: i < 2 ? JSON.stringify(rows(id)) : "ok",
    }],
  })),
};

/** Rows that a table without loss makes smaller. */
function rows(id: string) {
  return Array.from({ length: 300 }, (_, i) => ({
    name: `${id} service ${i}`,
    state: "running",
    restarts: 0,
  }));
}

const PATHS: Readonly<Record<string, string>> = {
  messages: "/v1/messages",
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses",
};

async function send({ url, provider }: Rig, id: string, body: Uint8Array) {
  const response = await fetch(url + PATHS[id]!, {
    method: "POST",
    body: body as BodyInit,
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    sent: decoder.decode(provider.received.at(-1)!.body),
  };
}

for (const client of CLIENTS) {
  const TOO_LONG = client.id === "messages"
    ? '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}'
    : '{"error":{"code":"context_length_exceeded","message":"too long"}}';
  /** A model that takes nothing longer than this many bytes. */
  const limited = (bytes: number): Script => ({ body }) =>
    body.length > bytes
      ? { error: { status: 400, body: TOO_LONG } }
      : { text: "fine" };
  const body = bodyOf(client, TALK, 3);

  Deno.test(`a ${client.id} body that is too long is sent once more with its older results compressed, and stays so`, () =>
    withProxy(limited(body.length - 5000), async (rig) => {
      const first = await send(rig, client.id, body);
      assert.equal(first.status, 200, first.text);
      assert.equal(rig.provider.received.length, 2);
      assert.ok(first.sent.length < body.length - 5000);
      assert.deepEqual(
        rig.logged.filter((event) => event === "older_blocks_decided"),
        ["older_blocks_decided"],
      );
      const next = await send(rig, client.id, bodyOf(client, TALK, 4));
      assert.equal(next.status, 200);
      assert.equal(rig.provider.received.length, 3, "at once now");
      const head = first.sent.slice(0, first.sent.lastIndexOf("call_c"));
      assert.ok(next.sent.startsWith(head));
    }));

  Deno.test(`token mode compresses older ${client.id} results of a conversation that it meets in the middle, once`, () =>
    withProxy(() => ({ text: "fine" }), async (rig) => {
      const first = await send(rig, client.id, body);
      assert.ok(first.sent.length < body.length - 5000);
      const next = await send(rig, client.id, bodyOf(client, TALK, 4));
      const head = first.sent.slice(0, first.sent.lastIndexOf("call_c"));
      assert.ok(next.sent.startsWith(head));
      assert.equal(
        rig.logged.filter((event) => event === "older_blocks_decided").length,
        1,
      );
    }, { SVC_MODE: "token" }));
}

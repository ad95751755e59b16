import assert from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { LineTransport } from "../../src/mcp/line_transport.ts";

const utf8 = new TextEncoder();

/** A transport over chunks that a test writes; what it writes comes back decoded. */
function world(
  write?: (bytes: Uint8Array) => Promise<void>,
) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    {},
    { highWaterMark: 1000 },
    { highWaterMark: 1000 },
  );
  const written: string[] = [];
  const errors: string[] = [];
  const messages: JSONRPCMessage[] = [];
  const transport = new LineTransport({
    input: readable,
    write: write ?? ((bytes) => {
      written.push(new TextDecoder().decode(bytes));
      return Promise.resolve();
    }),
  });
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = ({ message }) => void errors.push(message);
  const input = writable.getWriter();
  return {
    transport,
    written,
    errors,
    messages,
    say: (text: string) => input.write(utf8.encode(text)),
    sayBytes: (bytes: Uint8Array) => input.write(bytes),
    leave: () => input.close(),
  };
}

const ping = (id: number, text = "") => ({
  jsonrpc: "2.0" as const,
  id,
  method: "ping",
  ...text && { params: { text } },
});
const pong = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

Deno.test("LineTransport reads the same messages however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      fc.boolean(),
      async (texts, cuts, endsWithLineFeed) => {
        const sent = texts.map((text, i) => ping(i, text));
        const lines = sent.map((one) => JSON.stringify(one)).join("\n");
        const bytes = utf8.encode(lines + (endsWithLineFeed ? "\n" : ""));
        const { transport, messages, errors, sayBytes, leave } = world();
        await transport.start();
        let at = 0;
        for (const cut of cuts) {
          await sayBytes(bytes.subarray(at, at + cut));
          at += cut;
        }
        await sayBytes(bytes.subarray(at));
        await leave();
        for (const { id } of sent) await transport.send(pong(id));
        await transport.closed;
        assert.deepEqual(messages, sent);
        assert.deepEqual(errors, []);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("LineTransport answers what is still open when the input ends, then closes", async () => {
  const { transport, written, say, leave } = world();
  let isClosed = false;
  transport.onclose = () => isClosed = true;
  const asked = Promise.withResolvers<void>();
  transport.onmessage = (message) => {
    if ("id" in message && message.id === 2) asked.resolve();
  };
  await transport.start();
  await say(JSON.stringify(ping(1)) + "\n" + JSON.stringify(ping(2)));
  await leave();
  await asked.promise;
  await transport.send(pong(2));
  assert.equal(isClosed, false);
  await transport.send(pong(1));
  await transport.closed;
  assert.equal(isClosed, true);
  assert.deepEqual(written.map((line) => JSON.parse(line).id), [2, 1]);
  assert.ok(written.every((line) => /^[^\n]+\n$/.test(line)));
});

Deno.test("LineTransport does not wait for an answer to a request that was cancelled", async () => {
  const { transport, say, leave } = world();
  await transport.start();
  const cancel = {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  };
  await say(`${JSON.stringify(ping(1))}\n${JSON.stringify(cancel)}\n`);
  await leave();
  await transport.closed;
});

Deno.test("LineTransport passes over lines that are no message, and never repeats them", async () => {
  const { transport, messages, errors, say, leave } = world();
  await transport.start();
  await say(`secret\n\n{"jsonrpc":"1.0"}\n${JSON.stringify(ping(1))}\n`);
  await leave();
  await transport.send(pong(1));
  await transport.closed;
  assert.deepEqual(messages, [ping(1)]);
  assert.equal(errors.length, 2);
  assert.ok(errors.every((error) => !error.includes("secret")));
});

Deno.test("LineTransport closes when a message is too long", async () => {
  const { transport, errors, sayBytes } = world();
  await transport.start();
  const chunk = new Uint8Array(2 ** 25).fill(32);
  for (let i = 0; i < 3; i++) await sayBytes(chunk);
  await transport.closed;
  assert.match(errors.join(), /more than 67108864 bytes/);
});

Deno.test("LineTransport closes when the client is gone", async () => {
  const { transport } = world(() => Promise.reject(new Error("broken pipe")));
  await transport.start();
  await assert.rejects(transport.send(pong(1)), /broken pipe/);
  await transport.closed;
  await assert.rejects(transport.send(pong(2)), /closed/);
});

Deno.test("LineTransport writes one message after the other", async () => {
  const steps: string[] = [];
  const gates = [0, 1].map(() => Promise.withResolvers<void>());
  const { transport, leave } = world(async (bytes) => {
    const { id } = JSON.parse(new TextDecoder().decode(bytes));
    steps.push(`begin ${id}`);
    await gates[id]!.promise;
    steps.push(`end ${id}`);
  });
  await transport.start();
  const sent = [transport.send(pong(0)), transport.send(pong(1))];
  gates[1]!.resolve();
  gates[0]!.resolve();
  await Promise.all(sent);
  assert.deepEqual(steps, ["begin 0", "end 0", "begin 1", "end 1"]);
  await leave();
  await transport.closed;
});

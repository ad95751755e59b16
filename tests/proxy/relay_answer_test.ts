import { keeperTap } from "../../src/proxy/relay_answer.ts";
import assert from "node:assert/strict";
import type { RefusedCall } from "../../src/core/refused_call.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";

const utf8 = new TextEncoder();
const call = {
  body: utf8.encode("came"),
  bytes: utf8.encode("sent"),
} as unknown as CompressedBody;
const request = new Request("http://proxy/v1/messages?beta=true", {
  method: "POST",
});
const facts = { id: "r1", request, host: "up.test", call };

Deno.test("without anybody who keeps texts there is no tap", () => {
  assert.equal(keeperTap({}, { ...facts, status: 400 }), undefined);
  const refused = () => assert.fail("dumped");
  assert.equal(keeperTap({ refused }, { ...facts, status: 200 }), undefined);
});

Deno.test("messages are given what came, what was sent, and the response up to its bound", () => {
  const noted: unknown[] = [];
  const tap = keeperTap({
    messages: {
      note: (...args) => void noted.push(args),
      noteResponse: (id, bytes) => void noted.push([id, bytes.length]),
    },
  }, { ...facts, status: 200 });
  const chunk = new Uint8Array(700 * 1024);
  tap?.push(chunk);
  tap?.push(chunk);
  tap?.push(chunk);
  tap?.end();
  assert.deepEqual(noted, [
    ["r1", { received: call.body, sent: call.bytes }],
    ["r1", 1024 * 1024],
  ]);
});

Deno.test("a refused request is dumped with the answer; later changes of a chunk do not reach it", () => {
  const dumped: RefusedCall[] = [];
  const tap = keeperTap({ refused: (one) => void dumped.push(one) }, {
    ...facts,
    status: 400,
  });
  const chunk = utf8.encode("no such tool");
  tap?.push(chunk);
  chunk.fill(0);
  tap?.end();
  assert.equal(dumped.length, 1);
  const [{ error, ...rest }] = dumped as [RefusedCall];
  assert.equal(new TextDecoder().decode(error), "no such tool");
  assert.deepEqual({ ...rest, headers: undefined }, {
    id: "r1",
    method: "POST",
    path: "http://proxy/v1/messages?beta=true",
    status: 400,
    host: "up.test",
    headers: undefined,
    body: call.bytes,
  });
});

import assert from "node:assert/strict";
import { splitRequest } from "../../src/sdk/overrides.ts";

Deno.test("splitRequest takes every member for svc out of the body, in both spellings", () => {
  const values = { OutputBufferTokens: 1, KeepTurns: 2, ToolProfiles: {} };
  const camel = Object.entries({ ...values, CachePrefixTokens: 3 })
    .map(([name, value]) => [`headroom${name}`, value]);
  const snake = camel.map(([name, value]) => [
    `${name}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const messages = [{ role: "user", content: "hi" }];
  const { body, mode, outputBufferTokens } = splitRequest({
    model: "m",
    ...Object.fromEntries([...camel, ...snake]),
    messages,
    headroom_mode: "audit",
  });
  assert.deepEqual(Object.keys(body), ["model", "messages"]);
  assert.equal(Reflect.get(body, "messages"), messages);
  assert.equal(mode, "audit");
  assert.equal(outputBufferTokens, 1);
});

Deno.test("splitRequest takes a whole number of tokens for the answer, the one in camel case first", () => {
  const buffer = (request: object) => splitRequest(request).outputBufferTokens;
  const snake = { headroom_output_buffer_tokens: 7 };
  assert.equal(buffer(snake), 7);
  assert.equal(buffer({ ...snake, headroomOutputBufferTokens: 0 }), 0);
  for (const bad of ["7", -1, 1.5, NaN, null, {}]) {
    assert.equal(buffer({ headroomOutputBufferTokens: bad }), undefined);
  }
});

Deno.test("splitRequest prefers the mode in camel case, and ignores one that is no text", () => {
  const both = { headroom_mode: "audit", headroomMode: "simulate" } as const;
  assert.equal(splitRequest(both).mode, "simulate");
  assert.deepEqual(splitRequest({ headroomMode: 1, a: 2 }), { body: { a: 2 } });
});

Deno.test("splitRequest gives a request without such members back itself, and modifies none", () => {
  const plain = { model: "m" };
  assert.equal(splitRequest(plain).body, plain);
  const asked = Object.freeze({ model: "m", headroomKeepTurns: 2 });
  assert.deepEqual(splitRequest(asked), { body: { model: "m" } });
});

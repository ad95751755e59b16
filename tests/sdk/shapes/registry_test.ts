import {
  arrayAt,
  fieldOf,
  isObject,
  partTypes,
} from "../../../src/sdk/shapes/look.ts";
import assert from "node:assert/strict";
import { detectFormat, shapeOf } from "../../../src/sdk/shapes/registry.ts";
import { CLIENTS } from "../../conformance/conversation.ts";
import { talk } from "../conversations.ts";

const NAMES = ["anthropic", "openai", "responses"];

for (const [i, client] of CLIENTS.entries()) {
  Deno.test(`detectFormat knows ${client.id} messages from the first that tells, and stays with it`, () => {
    const elements = client.elements(talk("a", "b"), 2);
    for (const n of [1, 2]) {
      const some = client.elements(talk("a", "b"), n);
      assert.equal(detectFormat(some), NAMES[i]);
    }
    const other = CLIENTS[(i + 1) % 3]!.elements(talk("c"), 1);
    assert.equal(detectFormat([...elements, ...other]), NAMES[i]);
  });
}

Deno.test("detectFormat knows messages of the ai package and contents with parts", () => {
  const result = {
    role: "tool",
    content: [{
      type: "tool-result",
      toolCallId: "c",
      toolName: "t",
      output: { type: "text", value: "x" },
    }],
  };
  assert.equal(detectFormat([result]), "vercel");
  const turn = { role: "model", parts: [{ functionCall: { name: "t" } }] };
  assert.equal(detectFormat([turn]), "google");
});

Deno.test("detectFormat takes what no message tells for chat messages", () => {
  assert.equal(detectFormat([]), "openai");
  assert.equal(detectFormat([{ role: "user", content: "x" }]), "openai");
});

Deno.test("shapeOf goes by the name that is given", () => {
  for (
    const id of [
      "anthropic",
      "openai",
      "responses",
      "vercel",
      "google",
    ] as const
  ) {
    assert.equal(shapeOf([{ role: "tool", content: "x" }], id).id, id);
  }
});

for (const client of CLIENTS) {
  Deno.test(`shapeOf lets ${client.id} messages stand for themselves`, () => {
    const elements = client.elements(talk("a", "b"), 2);
    const { format, messages, slots } = shapeOf(elements).shadow(elements);
    assert.equal(format, client.id);
    assert.equal(messages, elements);
    assert.equal(slots, undefined);
  });
}

Deno.test("detectFormat says nothing of messages that stand like this everywhere", () => {
  // What tells stands behind each of them.
  const result = { type: "tool_result", tool_use_id: "c", content: "x" };
  const telling = { role: "user", content: [result] };
  for (
    const message of [
      { role: "user", content: "Hello" },
      { role: "assistant", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: "x", tool_calls: [] },
      { role: "assistant", content: "x", function_call: null },
      { type: "message", role: "user", content: "x" },
      null,
      "text",
    ]
  ) assert.equal(detectFormat([message, telling]), "anthropic");
});

Deno.test("detectFormat knows calls of the older kind, and images in content blocks", () => {
  const called = { name: "f", arguments: "{}" };
  const image = { type: "image", source: { type: "base64", data: "" } };
  const format = (message: object) =>
    detectFormat([message, { role: "user", parts: [] }]);
  assert.equal(format({ role: "assistant", function_call: called }), "openai");
  assert.equal(format({ role: "function", name: "f", content: "x" }), "openai");
  assert.equal(format({ role: "user", content: [image] }), "anthropic");
});

Deno.test("fieldOf, arrayAt and partTypes find nothing in values that are no objects", () => {
  for (const value of [null, undefined, "text", 3, true]) {
    assert.equal(isObject(value), false);
    assert.equal(fieldOf(value, "length"), undefined);
    assert.deepEqual(arrayAt(value, "content"), []);
    assert.deepEqual(partTypes(value), []);
  }
});

Deno.test("partTypes lists the types of a content's parts, in order", () => {
  const content = [{ type: "text" }, "x", { type: "image" }];
  assert.deepEqual(partTypes({ content }), ["text", undefined, "image"]);
  assert.deepEqual(partTypes({ content: "text" }), []);
  assert.equal(fieldOf({ a: 1 }, "a"), 1);
});

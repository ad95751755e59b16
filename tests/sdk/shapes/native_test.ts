import assert from "node:assert/strict";
import {
  anthropicShape,
  openaiShape,
  responsesShape,
} from "../../../src/sdk/shapes/native.ts";
import { CLIENTS } from "../../conformance/conversation.ts";
import { talk } from "../conversations.ts";

const SHAPES = [anthropicShape, openaiShape, responsesShape];

for (const [i, client] of CLIENTS.entries()) {
  Deno.test(`native shapes tell ${client.id} messages from the others, and stand for themselves`, () => {
    const elements = client.elements(talk("a", "b"), 2);
    const telling = SHAPES.filter((shape) => elements.some(shape.tells));
    assert.deepEqual(telling, [SHAPES[i]]);
    const { format, messages, slots } = SHAPES[i]!.shadow(elements);
    assert.equal(format, client.id);
    assert.equal(messages, elements);
    assert.equal(slots, undefined);
  });
}

Deno.test("native shapes say nothing of messages that stand like this everywhere", () => {
  const messages = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: [{ type: "text", text: "Hi" }] },
    { role: "assistant", content: "x", tool_calls: [] },
    { role: "assistant", content: "x", function_call: null },
    { type: "message", role: "user", content: "x" },
    null,
    "text",
    { role: "tool", content: [{ type: "tool-result", output: "x" }] },
  ];
  for (const message of messages) {
    assert.deepEqual(SHAPES.filter((shape) => shape.tells(message)), []);
  }
});

Deno.test("native shapes know calls of the older kind, and images in content blocks", () => {
  const called = { name: "f", arguments: "{}" };
  assert(openaiShape.tells({ role: "assistant", function_call: called }));
  assert(openaiShape.tells({ role: "function", name: "f", content: "x" }));
  const image = { type: "image", source: { type: "base64", data: "" } };
  assert(anthropicShape.tells({ role: "user", content: [image] }));
});

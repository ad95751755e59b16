import assert from "node:assert/strict";
import { JsonCursor } from "../../src/bytes/json_scan.ts";
import { scanMessages } from "../../src/proxy/messages_shape.ts";
import { CLIENTS, type Conversation } from "../conformance/conversation.ts";

const utf8 = new TextEncoder();

function scanned(messages: unknown) {
  const body = utf8.encode(JSON.stringify(messages));
  return scanMessages(new JsonCursor(body), body, (index) => {
    throw new RangeError(`element ${index}`);
  });
}
const shapeOf = (messages: unknown) => scanned(messages).shape;

const talk: Conversation = {
  question: "why?",
  steps: [{
    says: "I look.",
    calls: [{ id: "c", tool: "Bash", args: {}, result: "r" }],
  }],
};

Deno.test("scanMessages tells the three formats apart by their tool calls and results", () => {
  for (const client of CLIENTS) {
    assert.equal(shapeOf(client.elements(talk, 1)), client.id);
  }
});

Deno.test("scanMessages takes a single call or result as proof", () => {
  const cases = [
    [{ role: "tool", content: "x" }, "chat_completions"],
    [{ role: "function", name: "f", content: "x" }, "chat_completions"],
    [{ role: "assistant", tool_calls: [] }, "chat_completions"],
    [{ role: "assistant", function_call: {} }, "chat_completions"],
    [{ role: "user", content: [{ type: "tool_result" }] }, "messages"],
    [{ role: "assistant", content: [{ type: "tool_use" }] }, "messages"],
    [{ type: "function_call_output", call_id: "c", output: "" }, "responses"],
    [{ type: "reasoning", summary: [] }, "responses"],
  ] as const;
  for (const [element, shape] of cases) {
    const hello = { role: "user", content: "hello" };
    assert.equal(shapeOf([hello, element, hello]), shape);
  }
});

Deno.test("scanMessages takes messages without any call for chat completions", () => {
  const plain = [
    { role: "user", content: [1, { type: "text", text: "tool_result" }] },
    { role: "assistant", content: null, function_call: null },
  ];
  assert.equal(shapeOf(plain), "chat_completions");
  assert.equal(shapeOf([]), "chat_completions");
});

Deno.test("scanMessages names the first element that is no message", () => {
  const hello = { role: "user", content: "hello" };
  for (const odd of [1, "x", null, [], {}, { content: "x" }, { role: 1 }]) {
    assert.throws(() => shapeOf([hello, odd, 2]), /^RangeError: element 1$/);
  }
});

Deno.test("scanMessages goes by the first element that tells, so that later ones change nothing", () => {
  const block = { role: "user", content: [{ type: "tool_result" }] };
  const tool = { role: "tool", content: "x" };
  assert.equal(shapeOf([block, tool]), "messages");
  assert.equal(shapeOf([tool, block]), "chat_completions");
});

Deno.test("scanMessages passes exactly the array, and refuses anything else", () => {
  const body = utf8.encode(' [{"role":"user"} ] ,');
  const { span } = scanMessages(
    new JsonCursor(body),
    body,
    () => assert.fail(),
  );
  assert.deepEqual(span, { start: 1, end: 19 });
  assert.throws(() => scanned({}), SyntaxError);
});

import assert from "node:assert/strict";
import type { ToolCall } from "../../src/core/retrieval.ts";
import { readToolCall } from "../../src/providers/tool_call.ts";

const HASH = "0123456789abcdef01234567";
const NAME = "headroom_retrieve";

function read(call: unknown, provider?: string): ToolCall {
  const found = readToolCall(call, provider);
  assert.ok(typeof found !== "string", `refused: ${found}`);
  return found;
}

Deno.test("readToolCall reads the calls of each family and answers in its shape", () => {
  const input = { hash: HASH, lines: "4-9" };
  const messages = read({ id: "a", name: NAME, input });
  assert.deepEqual(messages.wanted, input);
  assert.deepEqual(messages.result("x"), {
    type: "tool_result",
    tool_use_id: "a",
    content: "x",
  });
  const chat = read({
    id: "b",
    function: { name: NAME, arguments: JSON.stringify(input) },
  });
  assert.deepEqual(chat.wanted, input);
  assert.deepEqual(chat.result("x"), {
    role: "tool",
    tool_call_id: "b",
    content: "x",
  });
  for (const member of ["functionCall", "function_call"]) {
    const third = read({ [member]: { name: NAME, args: input } }, "google");
    assert.deepEqual(third.wanted, input);
    assert.deepEqual(third.result("x"), { tool_call_id: "", content: "x" });
  }
  const item = read({
    type: "function_call",
    call_id: "d",
    name: NAME,
    arguments: JSON.stringify(input),
  }, "openai");
  assert.deepEqual(item.wanted, input);
  assert.deepEqual(item.result("x"), {
    type: "function_call_output",
    call_id: "d",
    output: "x",
  });
  const flat = read({
    call_id: "c",
    name: NAME,
    arguments: JSON.stringify(input),
  });
  assert.deepEqual(flat.wanted, input);
  assert.deepEqual(flat.result("x"), { tool_call_id: "c", content: "x" });
});

Deno.test("the named provider decides the shape of the result", () => {
  const call = { id: "a", name: NAME, input: { hash: HASH } };
  assert.deepEqual(read(call, "openai").result("x"), {
    role: "tool",
    tool_call_id: "a",
    content: "x",
  });
});

Deno.test("an alias of an MCP client counts as the tool", () => {
  const call = { id: "a", name: `mcp__svc__${NAME}`, input: { hash: HASH } };
  assert.equal(read(call).wanted.hash, HASH);
});

Deno.test("readToolCall says why something is no retrieval", () => {
  assert.match(
    String(readToolCall({ id: "a", name: "Bash", input: {} }, undefined)),
    /the call is of "Bash", not of headroom_retrieve/,
  );
  for (const call of [undefined, null, 5, "x", [], {}, { function: null }]) {
    assert.match(String(readToolCall(call, undefined)), /tool_call required/);
  }
});

Deno.test("arguments that are no object read as missing", () => {
  for (const given of ["{", "[1]", 7, null]) {
    const call = { id: "a", function: { name: NAME, arguments: given } };
    assert.deepEqual(read(call).wanted, { hash: "" });
  }
});

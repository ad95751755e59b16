import assert from "node:assert/strict";
import {
  answeredBy,
  identityOf,
  isOurs,
  isSameItem,
  textOfParts,
  turnItems,
} from "../../../src/providers/responses/retrieval_item.ts";

const same = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  isSameItem(identityOf(a), identityOf(b));

Deno.test("turnItems tells whose turn it is to answer a call", () => {
  const items = turnItems([
    '{"type":"function_call","name":"headroom_retrieve","call_id":"r"}',
    '{"type":"function_call","name":"x","call_id":"a"}',
    '{"type":"local_shell_call","call_id":"b"}',
    '{"type":"mcp_approval_request","id":"m"}',
    '{"type":"web_search_call","id":"w"}',
    '{"type":"shell_call","call_id":"s"}',
    '{"type":"shell_call_output","call_id":"s"}',
  ], false);
  assert.deepEqual(items.map(({ calls }) => calls), [
    "proxy",
    "client",
    "client",
    "client",
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("isOurs needs the type and the name, and takes searches of clients only where they are ours", () => {
  const name = "headroom_retrieve";
  assert.ok(isOurs({ type: "function_call", name }, false));
  assert.ok(!isOurs({ type: "custom_tool_call", name }, true));
  const search = { type: "tool_search_call", execution: "client" };
  assert.ok(isOurs(search, true));
  assert.ok(!isOurs(search, false));
  assert.ok(!isOurs({ ...search, execution: "server" }, true));
});

Deno.test("turnItems and answeredBy meet for calls and for approvals", () => {
  const items = turnItems(['{"id":"fc","call_id":"c"}', '{"id":"m"}'], false);
  assert.deepEqual(items.map(({ id }) => id), ["c", "m"]);
  assert.equal(answeredBy({ type: "function_call_output", call_id: "c" }), "c");
  assert.equal(
    answeredBy({ type: "mcp_approval_response", approval_request_id: "m" }),
    "m",
  );
  assert.equal(answeredBy({ type: "function_call", call_id: "c" }), "");
});

Deno.test("isSameItem sees through what clients drop or rewrite", () => {
  const said = { type: "message", id: "m", content: [{ text: "a" }] };
  assert.ok(same(said, { role: "assistant", content: "a" }));
  assert.ok(!same(said, { role: "assistant", content: "b" }));
  assert.ok(!same(said, { ...said, id: "n" }));
  assert.ok(same(said, { type: "item_reference", id: "m" }));
  assert.ok(!same(said, { type: "item_reference", id: "n" }));
  const thought = { type: "reasoning", id: "r", encrypted_content: "e" };
  assert.ok(same(thought, { type: "reasoning", encrypted_content: "e" }));
  assert.ok(!same(thought, { type: "reasoning", encrypted_content: "f" }));
  const call = { type: "function_call", id: "f", call_id: "c" };
  assert.ok(same(call, { type: "function_call", call_id: "c" }));
  assert.ok(!same(call, { type: "function_call", id: "f", call_id: "d" }));
  assert.ok(!same(call, { type: "custom_tool_call", call_id: "c" }));
  const search = { type: "web_search_call", id: "w" };
  assert.ok(same(search, { type: "web_search_call" }));
  assert.ok(!same(search, { type: "web_search_call", id: "v" }));
});

Deno.test("textOfParts joins the texts of parts, and takes a string as it is", () => {
  assert.equal(textOfParts("a"), "a");
  assert.equal(textOfParts([{ text: "a" }, { image: 1 }, { text: "b" }]), "ab");
  assert.equal(textOfParts(null), "");
});

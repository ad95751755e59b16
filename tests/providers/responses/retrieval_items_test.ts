import assert from "node:assert/strict";
import { responsesFormat } from "../../../src/providers/responses/format.ts";
import { identityOf } from "../../../src/providers/responses/retrieval_item.ts";
import { SentItems } from "../../../src/providers/responses/retrieval_items.ts";
import { textAnchor } from "../../../src/bytes/turn_anchor.ts";

function sent(input: unknown): SentItems {
  const body = new TextEncoder().encode(JSON.stringify({ input }));
  return new SentItems(body, responsesFormat.scan(body));
}

const USER = { role: "user", content: "q" };
const TURN = [
  { type: "reasoning", id: "rs", encrypted_content: "e", summary: [] },
  { type: "message", id: "m", role: "assistant", content: [{ text: "b" }] },
  { type: "function_call", id: "fc", call_id: "c1", name: "x", arguments: "" },
];
const OUT = { type: "function_call_output", call_id: "c1", output: "out" };

Deno.test("SentItems finds an item by each name that a record of it can have", () => {
  const items = sent([USER, ...TURN, OUT]);
  const [thought, said] = TURN.map(identityOf);
  const anchors: [string, number][] = [
    [`signature:${thought!.signature}`, 1],
    ["id:rs", 1],
    [textAnchor(said!.text, items.context(1)), 2],
    ["id:m", 2],
    ["call:c1", 3],
  ];
  for (const [anchor, place] of anchors) {
    assert.deepEqual(items.index([anchor]).places(anchor), [place], anchor);
  }
  assert.deepEqual(
    sent([{ type: "item_reference", id: "m" }]).index(["id:m"])
      .places("id:m"),
    [0],
  );
});

Deno.test("SentItems does not take the client's words for a turn", () => {
  const items = sent([USER, { ...TURN[1], role: "user", id: "u" }]);
  const anchor = textAnchor(identityOf(TURN[1]!).text, items.context(1));
  assert.deepEqual(items.index([anchor]).places(anchor), []);
});

Deno.test("SentItems knows which items answer a call, also those without text", () => {
  const items = sent([
    OUT,
    { ...OUT, output: [] },
    { type: "mcp_approval_response", approval_request_id: "mcpr" },
    { ...OUT, call_id: undefined },
  ]);
  items.index([]);
  assert.deepEqual(items.results("c1"), [0, 1]);
  assert.deepEqual(items.results("mcpr"), [2]);
  assert.deepEqual(items.results("c2"), []);
  assert.equal(items.hasResult("call:c1\nid:fc"), true);
  assert.equal(items.hasResult("id:mcpr"), true);
  assert.equal(items.hasResult("call:c2"), false);
});

Deno.test("SentItems looks past what the model said and what others say", () => {
  const context = sent([USER, OUT]).context();
  const others = [
    ...TURN.slice(0, 2),
    { role: "developer", content: "s" },
    { type: "compaction", encrypted_content: "e" },
  ];
  assert.equal(sent([USER, OUT, ...others]).context(), context);
  assert.notEqual(sent([USER, OUT, USER]).context(), context);
  assert.equal(sent("q").context(), sent([USER]).context());
});

Deno.test("SentItems reads identities when they are asked for", () => {
  const items = sent([USER, ...TURN]);
  assert.deepEqual(items.identity(2), identityOf(TURN[1]!));
  assert.equal(items.identity(4), undefined);
});

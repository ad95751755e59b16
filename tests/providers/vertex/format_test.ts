import assert from "node:assert/strict";
import { decodeLiteral } from "../../../src/bytes/json_string.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { vertexFormat } from "../../../src/providers/vertex/format.ts";

const utf8 = new TextEncoder();
const body = (members: object) =>
  utf8.encode(JSON.stringify({
    anthropic_version: "vertex-2023-10-16",
    max_tokens: 9,
    messages: [
      { role: "user", content: "why?" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: "one" }],
      },
    ],
    ...members,
  }));

Deno.test("vertexFormat reports model and stream flag of the path, and the rest as its base does", () => {
  const facts = { model: "claude@1", streaming: true };
  const format = vertexFormat(messagesFormat, facts);
  const scan = format.scan(body({}));
  assert.equal(scan.model, "claude@1");
  assert.equal(scan.streaming, true);
  assert.equal(decodeLiteral(body({}), scan.blocks[0]!.span), "one");
  assert.deepEqual(
    { ...scan, model: "", streaming: false },
    messagesFormat.scan(body({})),
  );
  assert.equal(format.id, messagesFormat.id);
  assert.equal(format.errorBody(413, "m"), messagesFormat.errorBody(413, "m"));
});

Deno.test("vertexFormat lets the path's model win, and a body still ask for a stream", () => {
  const format = vertexFormat(messagesFormat, { model: "p", streaming: false });
  const scan = format.scan(body({ model: "b", stream: true }));
  assert.equal(scan.model, "p");
  assert.equal(scan.streaming, true);
  assert.equal(format.scan(body({})).streaming, false);
});

Deno.test("vertexFormat refuses what its base refuses", () => {
  const format = vertexFormat(messagesFormat, { model: "p", streaming: false });
  assert.throws(() => format.scan(utf8.encode("{}")), SyntaxError);
});

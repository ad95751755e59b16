import assert from "node:assert/strict";
import type { StreamEdit } from "../../../src/core/format.ts";
import { responsesFormat } from "../../../src/providers/responses/format.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const SENT = {
  tools: '[ {"name":\n"é"} ]',
  toolChoice: '{"type":\r\n"auto"}',
};
const OURS = '[{"name":"headroom_retrieve"},{"defer_loading":true}]';
const edit = (isStream: boolean) =>
  responsesFormat.withSentTools!(SENT, isStream);

/** What the client gets of `text`, which comes in pieces of `size` bytes. */
function through(edit: StreamEdit, text: string, size: number): string {
  const bytes = utf8.encode(text);
  let out = "";
  const more = new TextDecoder();
  for (let at = 0; at < bytes.length; at += size) {
    const shown = edit.push(bytes.subarray(at, at + size));
    out += more.decode(shown, { stream: true });
  }
  return out + more.decode(edit.end());
}

Deno.test("withSentTools writes the client's tools and choice into a document, and changes no other byte", () => {
  const document = (tools: string, choice: string) =>
    ` { "output":[{"type":"mcp_list_tools","tools":[ 1.0 ]}],\n"tools" : ${tools},"tool_choice": ${choice} , "model":"m" }`;
  for (const size of [1, 7, 1e9]) {
    assert.equal(
      through(edit(false), document(OURS, '"none"'), size),
      document(SENT.tools, SENT.toolChoice),
    );
  }
  // What is not repeated is not added.
  assert.equal(
    through(edit(false), document("[ ]", '"auto"'), 9),
    document("[ ]", '"auto"'),
  );
  // Only a round of ours forbids tools: what else stands there is what was asked for.
  assert.equal(
    through(edit(false), document("null", '"required"'), 9),
    document("null", '"required"'),
  );
});

Deno.test("withSentTools leaves a document that it cannot read, or that breaks off, as it came", () => {
  for (const text of ["", "[", "[1]", '{"tools":[],"tools":[]}', '{"a":1}']) {
    assert.equal(through(edit(false), text, 3), text);
  }
  const broken = edit(false);
  assert.equal(broken.push(utf8.encode('{"tools":[')).length, 0);
  assert.equal(decoder.decode(broken.rest()), '{"tools":[');
});

Deno.test("withSentTools relays a document above the limit while it comes", () => {
  const chunk = new Uint8Array(1 << 20).fill(0x20);
  const long = edit(false);
  let length = 0;
  for (let i = 0; i < 66; i++) length += long.push(chunk).length;
  assert.equal(length, 66 << 20);
  assert.equal(decoder.decode(long.push(utf8.encode("{}"))), "{}");
  assert.equal(long.end().length, 0);
});

Deno.test("withSentTools writes the client's tools into events that hold a response, on one line", () => {
  const event = (type: string, members: string) =>
    `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`;
  const response = (tools: string, choice: string) =>
    `"response":{"id":"r","tools":${tools},"tool_choice":${choice}}`;
  const stream = (tools: string, choice: string) =>
    [
      event("response.created", response(tools, choice)),
      ": ping\n\n",
      event("response.output_text.delta", '"delta":"the \\"tools\\": [] "'),
      event("response.output_item.done", '"item":{"tools":[1.0]}'),
      'data: "tools" no JSON\n\n',
      event("response.completed", response(tools, choice)),
    ].join("");
  const shown = stream('[ {"name": "é"} ]', '{"type": "auto"}');
  for (const size of [1, 50, 1e9]) {
    assert.equal(through(edit(true), stream(OURS, '"none"'), size), shown);
  }
});

Deno.test("withSentTools relays events as they are complete, and the rest of a stream that breaks off", () => {
  const stream = edit(true);
  const push = (text: string) => decoder.decode(stream.push(utf8.encode(text)));
  assert.equal(push('data: {"a":1}\n\n'), 'data: {"a":1}\n\n');
  assert.equal(push('data: {"response":{"tools":[1'), "");
  assert.equal(
    push("]}}\n\ndata: "),
    'data: {"response":{"tools":[ {"name": "é"} ]}}\n\n',
  );
  assert.equal(decoder.decode(stream.rest()), "data: ");
});

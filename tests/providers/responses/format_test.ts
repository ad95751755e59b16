import assert from "node:assert/strict";
import { tapOf } from "../usage_in.ts";
import fc from "fast-check";
import { decodeLiteral } from "../../../src/bytes/json_string.ts";
import { splice } from "../../../src/bytes/splice.ts";
import { responsesFormat } from "../../../src/providers/responses/format.ts";
import { responsesClient } from "../../conformance/conversation.ts";
import { testProviderFormat } from "../../conformance/provider_format.ts";

testProviderFormat(responsesFormat, responsesClient);

function scan(members: object) {
  const body = new TextEncoder().encode(
    JSON.stringify({ model: "m", input: [], ...members }),
  );
  return { body, scan: responsesFormat.scan(body) };
}

Deno.test("responses format takes every output after the last model item for live, calls between them included", () => {
  const item = (type: string, rest: object) => ({ type, ...rest });
  const { body, scan: found } = scan({
    input: [
      item("message", { role: "user", content: "q" }),
      item("function_call_output", { call_id: "old", output: "old" }),
      item("reasoning", { summary: [] }),
      item("function_call", { call_id: "a", name: "Bash", arguments: "{}" }),
      item("function_call_output", { call_id: "a", output: "one" }),
      item("custom_tool_call", {
        call_id: "b",
        name: "apply_patch",
        input: "*** x",
      }),
      item("custom_tool_call_output", { call_id: "b", output: "two" }),
      item("local_shell_call", { call_id: "c", action: { command: ["ls"] } }),
      item("local_shell_call_output", { call_id: "c", output: "three" }),
      item("computer_call_output", { call_id: "d", output: { type: "image" } }),
    ],
  });
  const live = found.blocks.filter((block) =>
    block.messageIndex > found.lastModelMessage
  );
  assert.deepEqual(
    live.map(({ span, toolName }) => [decodeLiteral(body, span), toolName]),
    [["one", "Bash"], ["two", "apply_patch"], ["three", "local_shell"]],
  );
  assert.equal(found.blocks.length, 4);
});

Deno.test("responses format ends the live zone at assistant messages and compactions", () => {
  const output = { type: "function_call_output", call_id: "a", output: "x" };
  for (
    const item of [
      { type: "message", role: "assistant", content: [] },
      { role: "assistant", content: "plain" },
      { type: "compaction", encrypted_content: "x" },
      { type: "reasoning", summary: [] },
    ]
  ) {
    assert.equal(scan({ input: [output, item] }).scan.lastModelMessage, 1);
  }
});

Deno.test("responses format sees that a conversation has begun by a call alone, which ends no live zone", () => {
  const user = { role: "user", content: "q" };
  assert.equal(scan({ input: [user] }).scan.begun, false);
  for (
    const type of [
      "function_call",
      "custom_tool_call",
      "local_shell_call",
      "apply_patch_call",
    ]
  ) {
    const output = { type: `${type}_output`, call_id: "a", output: "x" };
    const input = [user, { type, call_id: "a", name: "Bash" }, output];
    const { begun, lastModelMessage } = scan({ input }).scan;
    assert.equal(begun, true, type);
    assert.equal(lastModelMessage, -1, type);
  }
});

Deno.test("responses format appends behind a conversation that is one string", () => {
  const { body, scan: found } = scan({ input: "why?" });
  assert.deepEqual(
    found.firstUserText.map((span) => decodeLiteral(body, span)),
    ["why?"],
  );
  const elements = new TextEncoder().encode('{"x":1},{"x":2}');
  const edits = responsesFormat.append(body, found, elements);
  const sent = JSON.parse(new TextDecoder().decode(splice(body, edits)));
  assert.deepEqual(sent.input, [
    { role: "user", content: "why?" },
    { x: 1 },
    { x: 2 },
  ]);
});

Deno.test("responses format names the reason why a body cannot take our tool", () => {
  assert.equal(
    scan({ conversation: "conv_1" }).scan.noTool,
    "server_conversation",
  );
  assert.equal(scan({ background: true }).scan.noTool, "background");
  const plain = scan({ conversation: null, background: false }).scan;
  assert.equal(plain.noTool, undefined);
});

Deno.test("responses format finds the response that is continued", () => {
  const { body, scan: found } = scan({ previous_response_id: "resp_1" });
  assert.equal(decodeLiteral(body, found.continues!), "resp_1");
  assert.equal(found.begun, true);
  assert.equal(scan({ previous_response_id: null }).scan.continues, undefined);
});

const SSE = "text/event-stream";

const tap = tapOf(responsesFormat);

const USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 10 },
};
const EXPECTED = { input: 20, output: 30, cacheRead: 100 };

function stream(end: string): string {
  const created = { type: "response.created", response: { usage: null } };
  const closing = { type: end, response: { output: [], usage: USAGE } };
  return [created, { type: "response.output_text.delta", delta: "é" }, closing]
    .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
}

Deno.test("responsesFormat.usageTap reads a JSON body: input is the prompt without its cached part", () => {
  const body = JSON.stringify({ output: [], usage: USAGE });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

for (const end of ["completed", "incomplete", "failed"]) {
  Deno.test(`responsesFormat.usageTap reads a stream that ends with response.${end}, in chunks of any size`, () => {
    const text = stream(`response.${end}`);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (sizes) => assert.deepEqual(tap(SSE, text, sizes), EXPECTED),
      ),
      { numRuns: 30 },
    );
  });
}

Deno.test("responsesFormat.usageTap reports nothing when the stream was cut before its end", () => {
  const text = stream("response.completed");
  assert.deepEqual(tap(SSE, text.slice(0, -200)), {});
});

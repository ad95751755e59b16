import assert from "node:assert/strict";
import type { BodyScan } from "../../../src/core/format.ts";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import { completionsFormat } from "../../../src/providers/completions/format.ts";
import { testErrorBodies } from "../../conformance/provider_format.ts";

const format = completionsFormat(chatCompletionsFormat);
testErrorBodies(format);

const utf8 = new TextEncoder();
const scanned = (json: string) => format.scan(utf8.encode(json));
const texts = (json: string, spans: BodyScan["counted"]) =>
  spans.map(({ start, end }) =>
    new TextDecoder().decode(utf8.encode(json).subarray(start, end))
  );

Deno.test("completions format finds model and flags, wherever they stand", () => {
  const scan = scanned(
    '{"stream_options":{"include_usage":true},"prompt":"é","stream":true,"n":3,"model":"gpt-3.5-turbo-instruct"}',
  );
  assert.equal(scan.model, "gpt-3.5-turbo-instruct");
  assert.equal(scan.streaming, true);
  assert.equal(scan.includeUsage, true);
  const bare = scanned("{}");
  assert.deepEqual(
    [bare.model, bare.streaming, bare.includeUsage, bare.counted],
    ["", false, false, []],
  );
});

Deno.test("completions format has nothing to edit, whatever the body says of tools and turns", () => {
  const scan = scanned(
    '{"prompt":"a","tools":[{"name":"Bash"}],"tool_choice":"auto",' +
      '"messages":[{"role":"tool","tool_call_id":"t","content":"x"}],"previous_response_id":"r"}',
  );
  assert.deepEqual(scan.blocks, []);
  assert.deepEqual(scan.messages, []);
  assert.equal(scan.tools, undefined);
  assert.equal(scan.toolChoice, undefined);
  assert.equal(scan.continues, undefined);
  assert.equal(scan.begun, false);
  assert.equal(scan.keepsState, false);
  const body = utf8.encode('{"prompt":"a"}');
  assert.deepEqual(format.append(body, scan, utf8.encode("1")), []);
  const { retrieval } = format;
  assert.deepEqual(retrieval.spliceBack(body, scan, []), []);
  assert.deepEqual(retrieval.turnNames(body, scan), []);
  assert.equal(retrieval.turnContext(body, scan), "");
  assert.throws(
    () =>
      retrieval.exchange({
        streaming: false,
        conversationLength: 1,
        includeUsage: false,
      }),
    /have no tools/,
  );
});

Deno.test("completions format counts the prompt in each of its shapes, and the suffix", () => {
  for (
    const [prompt, counted] of [
      ['"why \\"not\\"?"', ['"why \\"not\\"?"']],
      ['["one" , "two"]', ['"one"', '"two"']],
      ["[1, 22,333]", ["[1, 22,333]"]],
      ["[[1,2],[3]]", ["[[1,2],[3]]"]],
    ] as const
  ) {
    for (
      const json of [
        `{"prompt":${prompt},"suffix":"end"}`,
        `{"suffix":"end","prompt":${prompt}}`,
      ]
    ) {
      const scan = scanned(json);
      const found = texts(json, scan.counted);
      assert.deepEqual(found.toSorted(), [...counted, '"end"'].toSorted());
      assert.deepEqual(texts(json, [scan.conversation]), [prompt]);
      let last = 0;
      for (const { start, end } of scan.counted) {
        assert(start >= last && end > start);
        last = end;
      }
    }
  }
});

Deno.test("completions format tells prompts apart, so that two of them share no conversation", () => {
  const first = (json: string) => texts(json, scanned(json).firstUserText);
  assert.deepEqual(first('{"prompt":"a"}'), ['"a"']);
  assert.deepEqual(first('{"prompt":["a","b"]}'), ['"a"', '"b"']);
  assert.deepEqual(first('{"prompt":[1,2]}'), []);
});

Deno.test("completions format refuses what is no object", () => {
  for (const json of ["", "[]", "1", '{"prompt":"a"', '{"prompt":"a"} x']) {
    assert.throws(() => scanned(json), SyntaxError, json);
  }
});

Deno.test("completions format reads usage as chat completions report it, streamed or not", () => {
  const usage = '"usage":{"prompt_tokens":7,"completion_tokens":3}';
  for (
    const [type, text] of [
      ["application/json", `{"object":"text_completion",${usage}}`],
      [
        "text/event-stream",
        `data: {"choices":[{"text":"x"}]}\n\ndata: {"choices":[],${usage}}\n\ndata: [DONE]\n\n`,
      ],
    ] as const
  ) {
    const tap = format.usageTap(type);
    tap.push(utf8.encode(text));
    assert.deepEqual(tap.finish(), { input: 7, output: 3 });
  }
});

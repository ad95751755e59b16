import assert from "node:assert/strict";
import { splice } from "../../src/bytes/splice.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { completionsFormat } from "../../src/providers/completions/format.ts";

const utf8 = new TextEncoder();
const FORMATS = [
  chatCompletionsFormat,
  completionsFormat(chatCompletionsFormat),
];

/** The body with what asks for usage; `undefined` where it stays as it is. */
function asked(json: string, format = chatCompletionsFormat) {
  const body = utf8.encode(json);
  const { usageRequest } = format.scan(body);
  if (usageRequest === undefined) return undefined;
  return new TextDecoder().decode(splice(body, [usageRequest]));
}

Deno.test("scanStreamOptions finds include_usage where it is true, and passes over everything else", () => {
  for (
    const [value, expected] of [
      ['{"include_usage":true}', true],
      ['{"x":{"y":1},"include_usage" : true}', true],
      ['{"include_usage":false}', false],
      ['{"include_usage":null}', false],
      ['{"include_usage":"true"}', false],
      ["{}", false],
      ["null", false],
      ["[true]", false],
      ["1", false],
    ] as const
  ) {
    const body = `{"stream_options": ${value},"messages":[],"prompt":"x"}`;
    for (const format of FORMATS) {
      const { includeUsage } = format.scan(utf8.encode(body));
      assert.equal(includeUsage, expected, value);
    }
  }
});

Deno.test("usageRequestOf adds stream_options behind everything else where there are none", () => {
  for (const format of FORMATS) {
    assert.equal(
      asked('{"messages":[],"prompt":"p","stream":true}', format),
      '{"messages":[],"prompt":"p","stream":true,"stream_options":{"include_usage":true}}',
    );
  }
  // The bytes before and behind stay, white space too.
  assert.equal(
    asked(' {"stream" : true , "messages": [] \n} '),
    ' {"stream" : true , "messages": [] \n,"stream_options":{"include_usage":true}} ',
  );
});

Deno.test("usageRequestOf asks within the stream_options of the client, and changes no other byte", () => {
  const around = (value: string) =>
    `{"stream":true,"stream_options":${value},"messages":[]}`;
  for (
    const [value, expected] of [
      ["{}", '{"include_usage":true}'],
      ["{ }", '{ "include_usage":true}'],
      ["null", '{"include_usage":true}'],
      [
        '{"include_obfuscation": false }',
        '{"include_obfuscation": false ,"include_usage":true}',
      ],
      ['{"include_usage": false}', '{"include_usage": true}'],
      ['{"include_usage" :null}', '{"include_usage" :true}'],
      [
        '{"include_usage":false,"include_obfuscation":true}',
        '{"include_usage":true,"include_obfuscation":true}',
      ],
    ] as const
  ) assert.equal(asked(around(value)), around(expected), value);
});

Deno.test("usageRequestOf leaves a body alone that asks already, is no stream, or would be answered otherwise", () => {
  const around = (value: string) =>
    `{"stream":true,"stream_options":${value},"messages":[]}`;
  for (
    const json of [
      around('{"include_usage":true}'),
      around('{"include_usage":"false"}'),
      around('{"include_usage":0}'),
      // With usage this one puts it into every chunk.
      around('{"continuous_usage_stats":true}'),
      around('{"include_usage":false,"continuous_usage_stats":true}'),
      around("[]"),
      around('"x"'),
      '{"messages":[]}',
      '{"messages":[],"stream":false}',
      '{"messages":[],"stream":null}',
      '{"messages":[],"stream":"true"}',
      '{"messages":[],"stream_options":null}',
    ]
  ) assert.equal(asked(json), undefined, json);
});

Deno.test("a body that repeats stream_options or stream is not scanned at all", () => {
  for (const key of ["stream_options", "stream"]) {
    const json = `{"stream":true,"messages":[],"${key}":true,"${key}":null}`;
    assert.throws(
      () => chatCompletionsFormat.scan(utf8.encode(json)),
      /repeated/,
    );
  }
});

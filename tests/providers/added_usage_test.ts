import assert from "node:assert/strict";
import fc from "fast-check";
import { WithoutUsage, withoutUsage } from "../../src/providers/added_usage.ts";
import { EventSplitter } from "../../src/sse/splicer.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a client gets of `stream`, which comes in chunks that end at `cuts`. */
function relayed(stream: string, cuts: readonly number[] = []): string {
  const edit = new WithoutUsage();
  const bytes = utf8.encode(stream);
  const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
  const out: Uint8Array[] = [];
  let from = 0;
  for (const end of ends) {
    out.push(edit.push(bytes.slice(from, end)));
    from = Math.max(from, end);
  }
  out.push(edit.end());
  return decoder.decode(new Uint8Array(out.flatMap((part) => [...part])));
}

const USAGE =
  '"usage":{"prompt_tokens":3,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}';
const chunk = (content: string, asked: boolean) =>
  `data: {"id":"c","choices":[{"index":0,"delta":{"content":${
    JSON.stringify(content)
  }},"finish_reason":null}]${asked ? ',"usage":null' : ""},"obfuscation":"x"}`;

/** What one provider writes, for a request that asks for usage and for one that does not. */
function stream(asked: boolean, newline = "\n"): string {
  const blocks = [
    ": OPENROUTER PROCESSING",
    // The first chunk of a content filter has no choices either.
    `data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]${
      asked ? ',"usage":null' : ""
    }}`,
    chunk("Grüße 😀", asked),
    `event: message\nid: 7\n${chunk('"usage":null, "usage":{}', asked)}`,
    ": keep-alive",
    chunk("", asked),
    ...asked ? [`data: {"id":"c","choices":[],${USAGE}}`] : [],
    "data: [DONE]",
  ];
  return blocks.map((block) => `${block}\n\n`).join("")
    .replaceAll("\n", newline);
}

for (const [name, newline] of [["LF", "\n"], ["CRLF", "\r\n"], ["CR", "\r"]]) {
  Deno.test(`WithoutUsage gives what the provider writes for a request that does not ask, in whatever chunks it comes: ${name}`, () => {
    const asked = stream(true, newline);
    const plain = stream(false, newline);
    assert.equal(relayed(asked), plain);
    const { length } = utf8.encode(asked);
    for (let at = 0; at <= length; at++) {
      assert.equal(relayed(asked, [at]), plain, `cut at ${at}`);
    }
    const every = Array.from({ length }, (_, i) => i);
    assert.equal(relayed(asked, every), plain, "byte by byte");
    fc.assert(fc.property(
      fc.array(fc.nat(length), { maxLength: 20 }),
      (cuts) => assert.equal(relayed(asked, cuts), plain),
    ));
  });
}

Deno.test("WithoutUsage gives an event to the client with the chunk that completes it, and holds nothing else", () => {
  const edit = new WithoutUsage();
  const events = stream(true).split(/(?<=\n\n)/);
  for (const [i, event] of events.entries()) {
    const expected = utf8.encode(relayed(event));
    const middle = i % 2 === 0 ? 1 : event.length - 1;
    const [first, last] = [event.slice(0, middle), event.slice(middle)];
    assert.deepEqual(edit.push(utf8.encode(first)), new Uint8Array(0));
    assert.deepEqual(edit.push(utf8.encode(last)), expected, event);
  }
  assert.deepEqual(edit.end(), new Uint8Array(0));
});

Deno.test("WithoutUsage takes usage out of a stream that lacks its last blank line, or begins with a byte order mark", () => {
  assert.equal(
    relayed(`\ufeff${chunk("a", true)}\n\ndata: {"choices":[],${USAGE}}`),
    `\ufeff${chunk("a", false)}\n\n`,
  );
});

Deno.test("WithoutUsage gives what is held of an event that broke off as it came", () => {
  const edit = new WithoutUsage();
  const bytes = utf8.encode(`data: {"choices":[],${USAGE}}\n`);
  assert.deepEqual(edit.push(bytes), new Uint8Array(0));
  assert.deepEqual(edit.rest(), bytes);
});

/** The only event of `text`. */
function eventOf(text: string) {
  const [event, ...more] = new EventSplitter().push(utf8.encode(text));
  assert(event && more.length === 0, text);
  return event;
}

Deno.test("withoutUsage cuts the member with the comma that goes with it, wherever it stands", () => {
  for (
    const [data, expected] of [
      ['{"choices":[1],"usage":null}', '{"choices":[1]}'],
      ['{"choices":[1] , "usage" : null }', '{"choices":[1] }'],
      ['{"choices":[1],"usage":null,"b":[2]}', '{"choices":[1],"b":[2]}'],
      ['{"usage":null,"choices":[1]}', '{"choices":[1]}'],
      ['{ "usage": null , "choices": [1]}', '{ "choices": [1]}'],
      ['{"choices":[],"x":1,"usage":null}', '{"choices":[],"x":1}'],
      [
        '{"choices":[{"usage":null}],"usage":null,"y":"\\"usage\\":null"}',
        '{"choices":[{"usage":null}],"y":"\\"usage\\":null"}',
      ],
    ] as const
  ) {
    const shown = withoutUsage(eventOf(`data: ${data}\n\n`));
    assert.equal(decoder.decode(shown?.raw), `data: ${expected}\n\n`);
    assert.equal(shown?.data, expected);
  }
});

Deno.test("withoutUsage cuts a member from data that takes several lines", () => {
  const text =
    'data:{"choices":[1],\r\ndata: "usage":null,\r\nid: 1\r\ndata:"b":2}\r\n\r\n';
  const shown = withoutUsage(eventOf(text));
  const expected = 'data:{"choices":[1],\r\nid: 1\r\ndata:"b":2}\r\n\r\n';
  assert.equal(decoder.decode(shown?.raw), expected);
  assert.deepEqual(JSON.parse(shown!.data!), { choices: [1], b: 2 });
  const first = 'data: {"usage":null,\ndata: "choices":[2]}\n\n';
  assert.equal(
    decoder.decode(withoutUsage(eventOf(first))?.raw),
    'data: {"choices":[2]}\n\n',
  );
});

Deno.test("withoutUsage takes only the event that holds usage and an empty list of choices", () => {
  const gone = (data: string) =>
    withoutUsage(eventOf(`data: ${data}\n\n`)) === undefined;
  assert(gone(`{"choices":[],${USAGE}}`));
  assert(gone(`{${USAGE},"choices" : [ ],"service_tier":"default"}`));
  assert(gone('{"choices":[],"usage":{}}'));
  for (
    const data of [
      // Some providers report it beside the last choice, whoever asks.
      `{"choices":[{"index":0,"delta":{}}],${USAGE}}`,
      `{"x_groq":{${USAGE}},"choices":[]}`,
      `{${USAGE}}`,
      `{"choices":null,${USAGE}}`,
      '{"choices":[],"usage":3}',
      `[{"choices":[],${USAGE}}]`,
      `{"choices":[],${USAGE}`,
      `{"choices":[],${USAGE}} x`,
      `{"choices":[],"choices":[],${USAGE}}`,
      '"usage"',
      "[DONE]",
    ]
  ) {
    const event = eventOf(`data: ${data}\n\n`);
    assert.equal(withoutUsage(event), event, data);
  }
});

Deno.test("withoutUsage cuts nothing from what is no chunk", () => {
  for (
    const data of [
      '{"error":{"message":"busy"},"usage":null}',
      '{"usage":null,"type":"other"}',
      '{"usage":null}',
      '{"choices":null,"usage":null}',
    ]
  ) {
    assert.equal(relayed(`data: ${data}\n\n`), `data: ${data}\n\n`);
  }
});

Deno.test("WithoutUsage takes out a last chunk that reports no usage, and no chunk that holds more", () => {
  const usual =
    '"id":"c","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":null,"service_tier":"default"';
  assert.equal(
    relayed(`data: {${usual},"choices":[],"usage":null}\n\ndata: [DONE]\n\n`),
    "data: [DONE]\n\n",
  );
  assert.equal(
    relayed(
      `data: {${usual},"choices":[],"prompt_filter_results":[],"usage":null}\n\n`,
    ),
    `data: {${usual},"choices":[],"prompt_filter_results":[]}\n\n`,
  );
});

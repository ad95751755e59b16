/** One odd event in a stream used to cut it off, or to hold it back, when the request had tools. */
import assert from "node:assert/strict";
import type { RetrievalExchange } from "../../src/core/retrieval.ts";
import { StreamExchange as Chat } from "../../src/providers/chat_completions/retrieval_stream.ts";
import { StreamExchange as Messages } from "../../src/providers/messages/retrieval_stream.ts";
import { StreamExchange as Responses } from "../../src/providers/responses/retrieval_stream.ts";
import { concat } from "../../src/bytes/concat.ts";
import { Random } from "../e2e/random.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const OPTIONS = { streaming: true, conversationLength: 1, includeUsage: true };

interface Family {
  readonly name: string;
  readonly exchange: () => RetrievalExchange;
  /** Events of an ordinary stream. */
  readonly usual: readonly string[];
  /** Events that no provider should send. */
  readonly odd: readonly string[];
}

const FAMILIES: readonly Family[] = [{
  name: "chat completions",
  exchange: () => new Chat(OPTIONS),
  usual: [
    '{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}',
    '{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"B","arguments":""}}]}}]}',
    '{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}',
    '{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
    '{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
    "[DONE]",
  ],
  odd: [
    '{"choices":[{"index":0,"delta":{"tool_calls":[null]}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":-1,"function":null}]}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":7,"id":"n","function":{}}]}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":7,"function":{"name":"A","name":"A"}}]}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":{}}}]}',
    '{"choices":[{"index":0,"delta":null}]}',
    '{"choices":[null]}',
    '{"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{},"usage":{}}',
    '{"id":"c","id":"c","choices":[]}',
  ],
}, {
  name: "messages",
  exchange: () => new Messages(OPTIONS),
  usual: [
    '{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}',
    '{"type":"message_stop"}',
  ],
  odd: [
    '{"type":"content_block_start","index":0,"content_block":null}',
    '{"type":"content_block_start","index":9,"content_block":{"type":"text"}}',
    '{"type":"content_block_start","content_block":{"type":"text"}}',
    '{"type":"content_block_start","index":1,"content_block":{"type":"text","type":"text"}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":1,"citation":2}}',
    '{"type":"content_block_delta","index":0,"delta":null}',
    '{"type":"message_start","message":null}',
    '{"type":"message_start","message":{"usage":{"input_tokens":1,"input_tokens":1}}}',
    '{"type":"message_delta","usage":{},"usage":{}}',
    '{"type":"message_delta"}',
  ],
}, {
  name: "responses",
  exchange: () => new Responses(OPTIONS),
  usual: [
    '{"type":"response.created","sequence_number":0,"response":{"id":"r"}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","content":[]}}',
    '{"type":"response.output_text.delta","sequence_number":2,"output_index":0,"delta":"a"}',
    '{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":{"type":"message","content":[]}}',
    '{"type":"response.completed","sequence_number":4,"response":{"id":"r","output":[]}}',
  ],
  odd: [
    '{"type":"response.output_item.added","output_index":1,"item":null}',
    '{"type":"response.output_item.added","output_index":1,"item":{},"item":{}}',
    '{"type":"response.output_item.added","output_index":8,"item":{}}',
    '{"type":"response.output_item.added","output_index":null,"item":{}}',
    '{"type":"response.output_text.delta","output_index":0,"output_index":0,"sequence_number":-5}',
    '{"type":"response.completed","response":null}',
  ],
}];

const streamOf = (events: readonly string[]) =>
  events.map((data) => `data: ${data}\n\n`).join("");

/** What the client gets of a stream, its chunks being of `size` bytes. */
function relayed(exchange: RetrievalExchange, stream: string, size: number) {
  const bytes = utf8.encode(stream);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(exchange.push(bytes.subarray(at, at + size)));
  }
  const { bytes: last, calls } = exchange.endRound();
  assert.equal(calls.length, 0);
  parts.push(last, exchange.finish([]).bytes);
  return decoder.decode(concat(parts));
}

for (const { name, exchange, usual, odd } of FAMILIES) {
  Deno.test(`odd events of ${name} are relayed as they came`, () => {
    for (const event of odd) {
      for (let at = 0; at <= usual.length; at++) {
        const stream = streamOf(usual.toSpliced(at, 0, event));
        assert.equal(relayed(exchange(), stream, stream.length), stream);
      }
    }
  });

  Deno.test(`any JSON in a stream of ${name} is relayed as it came`, () => {
    const random = new Random(name);
    for (let run = 0; run < 3000; run++) {
      const stream = streamOf(
        usual.flatMap((event) =>
          random.below(3) === 0 ? [mangled(event, random), event] : [event]
        ),
      );
      const size = 1 + random.below(stream.length);
      assert.equal(relayed(exchange(), stream, size), stream);
    }
  });
}

Deno.test("a call without a name does not hold the end of a stream back", () => {
  const exchange = new Chat(OPTIONS);
  const nameless = streamOf([
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t"}]}}]}',
  ]);
  assert.equal(exchange.push(utf8.encode(nameless)).length, 0);
  const end = streamOf(["[DONE]"]);
  const bytes = exchange.push(utf8.encode(end));
  assert.equal(decoder.decode(bytes), nameless + end);
  assert.ok(!exchange.touched);
});

Deno.test("a call without a name is relayed where the stream breaks off", () => {
  const exchange = new Chat(OPTIONS);
  const nameless = streamOf([
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t"}]}}]}',
  ]) + "data: {";
  assert.equal(exchange.push(utf8.encode(nameless)).length, 0);
  assert.equal(decoder.decode(exchange.rest()), nameless);
});

Deno.test("a call whose name comes late is answered if it is a retrieval", () => {
  const exchange = new Chat(OPTIONS);
  const first = '{"choices":[{"index":0,"delta":{"content":"so"}}]}';
  const shown = exchange.push(utf8.encode(streamOf([
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t"}]}}]}',
    first,
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"headroom_retrieve","arguments":"{}"}}]}}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
    "[DONE]",
  ])));
  assert.equal(decoder.decode(shown), streamOf([first]));
  const { calls, continues } = exchange.endRound();
  assert.deepEqual(calls.map(({ callId }) => callId), ["t"]);
  assert.ok(continues);
});

Deno.test("a turn with an event that could not be read is not continued", () => {
  const exchange = new Chat(OPTIONS);
  exchange.push(utf8.encode(streamOf([
    '{"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{},"usage":{}}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"headroom_retrieve","arguments":"{}"}}]}}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
  ])));
  assert.throws(() => exchange.endRound(), /an event could not be read/);
});

const VALUES = [
  "null",
  "-1",
  "1e12",
  '""',
  '"x"',
  "[]",
  "{}",
  "[null]",
  "[{}]",
  '{"a":1,"a":2}',
  "true",
];
/** A value, or a key with its value. */
const PLACE = /(?:"(?:\w|\.)+"\s*:\s*)?(?:"(?:\w|\.)*"|-?\d+|null|\[\]|\{\})/g;

/** An event with one value replaced, one member twice, or a piece missing. */
function mangled(event: string, random: Random): string {
  const places = [...event.matchAll(PLACE)];
  const place = places[random.below(places.length)];
  if (place === undefined) return "null";
  const [text] = place;
  const key = /^"[\w.]+"\s*:/.exec(text)?.[0] ?? "";
  const value = random.pick(VALUES);
  const replacement = random.below(3) === 0
    ? `${text},${text}`
    : random.below(8) === 0
    ? ""
    : key + value;
  return event.slice(0, place.index) + replacement +
    event.slice(place.index + text.length);
}

import assert from "node:assert/strict";
import { StreamExchange } from "../../../src/providers/chat_completions/retrieval_stream.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const chunk = (
  delta: object,
  finish_reason: string | null = null,
  more: object = {},
) =>
  `data: ${
    JSON.stringify({
      id: "a",
      choices: [{ index: 0, delta, finish_reason }],
      ...more,
    })
  }\n\n`;
const ASK = {
  tool_calls: [{
    index: 0,
    id: "r1",
    function: { name: "headroom_retrieve", arguments: "{}" },
  }],
};

function exchangeOf(includeUsage = false): StreamExchange {
  return new StreamExchange({
    streaming: true,
    conversationLength: 1,
    includeUsage,
  });
}

function pushed(exchange: StreamExchange, text: string): string {
  return decoder.decode(exchange.push(utf8.encode(text)));
}

/** Ends a round that only asked, and begins the next. */
function continued(exchange: StreamExchange): string {
  const { calls, continues, bytes } = exchange.endRound();
  assert.ok(continues);
  exchange.continuation([{ call: calls[0]!, content: "{}" }]);
  return decoder.decode(bytes);
}

Deno.test("StreamExchange says what a finishing chunk says besides its end", () => {
  const exchange = exchangeOf();
  assert.equal(pushed(exchange, chunk(ASK)), "");
  assert.equal(pushed(exchange, chunk({ content: "x" }, "tool_calls")), "");
  assert.equal(continued(exchange), chunk({ content: "x" }));
  assert.equal(
    pushed(exchange, chunk({ role: "assistant", content: "" })),
    "",
  );
  assert.equal(
    pushed(exchange, chunk({ role: "assistant", content: "y" })),
    chunk({ content: "y" }),
  );
});

Deno.test("StreamExchange takes call and end in one chunk", () => {
  const exchange = exchangeOf();
  assert.equal(pushed(exchange, chunk(ASK, "tool_calls")), "");
  assert.equal(continued(exchange), "");
});

Deno.test("StreamExchange joins usage in a finishing chunk, and names the first id", () => {
  const exchange = exchangeOf();
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  pushed(exchange, chunk(ASK, "tool_calls", { usage }));
  continued(exchange);
  const more = { id: "b", usage: { ...usage, prompt_tokens: 5 } };
  pushed(exchange, chunk({}, "stop", more));
  exchange.endRound();
  assert.equal(
    decoder.decode(exchange.finish([]).bytes),
    chunk({}, "stop", {
      usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
    }),
  );
});

Deno.test("StreamExchange sends a usage event only to a client that asked for one", () => {
  const usage = 'data: {"id":"a","choices":[],"usage":{"total_tokens":1}}\n\n';
  for (const includeUsage of [false, true]) {
    const exchange = exchangeOf(includeUsage);
    pushed(exchange, chunk(ASK));
    const end = chunk({}, "length");
    pushed(exchange, `${end + usage}data: [DONE]\n\n`);
    exchange.endRound();
    assert.equal(
      decoder.decode(exchange.finish([]).bytes),
      `${end}${includeUsage ? usage : ""}data: [DONE]\n\n`,
    );
  }
});

Deno.test("StreamExchange hides usage that the client did not ask for, before a retrieval and behind it", () => {
  const usage = 'data: {"id":"a","choices":[],"usage":{"total_tokens":1}}\n\n';
  const none = { usage: null };
  const exchange = new StreamExchange({
    streaming: true,
    conversationLength: 1,
    includeUsage: false,
    hidesUsage: true,
  });
  assert.equal(
    pushed(exchange, chunk({ content: "a" }, null, none)),
    chunk({ content: "a" }),
  );
  assert.equal(exchange.touched, false);
  assert.equal(pushed(exchange, chunk(ASK, null, none)), "");
  assert.equal(pushed(exchange, chunk({}, "tool_calls", none) + usage), "");
  continued(exchange);
  assert.equal(
    pushed(exchange, chunk({ content: "b" }, null, none)),
    chunk({ content: "b" }),
  );
  const done = "data: [DONE]\n\n";
  pushed(exchange, chunk({}, "stop", none) + usage + done);
  exchange.endRound();
  assert.equal(
    decoder.decode(exchange.finish([]).bytes),
    chunk({}, "stop") + done,
  );
});

Deno.test("StreamExchange shows usage that comes without our asking", () => {
  const usage = 'data: {"id":"a","choices":[],"usage":{"total_tokens":1}}\n\n';
  const text = chunk({ content: "a" }, "stop", { usage: null }) + usage;
  assert.equal(pushed(exchangeOf(), text), text);
});

Deno.test("StreamExchange relays an upstream error as the end", () => {
  const exchange = exchangeOf();
  const error = 'data: {"error":{"message":"overloaded"}}\n\n';
  assert.equal(pushed(exchange, chunk(ASK) + error), error);
  assert.deepEqual(exchange.endRound().calls, []);
  assert.equal(exchange.finish([]).bytes.length, 0);
});

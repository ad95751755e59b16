import assert from "node:assert/strict";
import type { RetrievalAnswer } from "../../src/core/retrieval.ts";
import {
  ClientStream,
  StreamedResponse,
  type StreamRound,
} from "../../src/providers/streamed_response.ts";
import { NOTHING } from "../../src/sse/splicer.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const CALL = { callId: "r", wanted: { hash: "h" } };
const ANSWER: RetrievalAnswer = { call: CALL, content: "all" };
const event = (word: string) => `data: ${word}\n\n`;

/** A format of words: `ask` is a retrieval, `end` the end, `bad` cannot be read, `out` an error. */
function words(more: Partial<StreamRound> = {}): StreamedResponse {
  return new StreamedResponse({
    log: {
      answer: (answers) => answers.map(({ content }) => content).join(","),
      records: (answers) =>
        answers.map(() => ({ anchor: "a", format: "f", data: "d" })),
      responseId: { seen: "first", last: "last" },
    },
    usage: { summed: ["out"] },
    round: (client) => ({ ...wordRound(client), ...more }),
    failure: (message) => utf8.encode(event(`no ${message}`)),
  });
}

function wordRound(client: ClientStream): StreamRound {
  let asks = false;
  return {
    read(event) {
      if (event.data === "bad") throw new SyntaxError("bad");
      if (event.data === "out") client.failed = true;
      if (event.data === "end") return client.hold(event);
      if (event.data !== "ask") return event.raw;
      asks = true;
      client.touched = true;
      return NOTHING;
    },
    end(isLast) {
      if (client.tail.length === 0) return "no end";
      if (!client.isWhole) return "not whole";
      return {
        calls: asks ? [CALL] : [],
        continues: asks && !isLast,
        usage: '{"out":2}',
        lastWords: asks ? [utf8.encode("; ")] : [],
      };
    },
    final: ({ raw }, usage) =>
      usage === undefined ? raw : utf8.encode(event(`end ${usage}`)),
  };
}

function pushed(exchange: StreamedResponse, text: string): string {
  return decoder.decode(exchange.push(utf8.encode(text)));
}

Deno.test("ClientStream counts as the provider does until the first retrieval", () => {
  const client = new ClientStream();
  assert.deepEqual([3, null, 4].map((at) => client.shownIndex(at)), [
    3,
    null,
    4,
  ]);
  client.touched = true;
  assert.deepEqual([9, null].map((at) => client.shownIndex(at)), [5, 6]);
});

Deno.test("StreamedResponse relays each event at once while nothing is retrieved", () => {
  const exchange = words();
  assert.equal(pushed(exchange, `${event("a")}data: b`), event("a"));
  assert.equal(
    pushed(exchange, `\n\n${event("bad")}`),
    event("b") + event("bad"),
  );
  assert.equal(pushed(exchange, `${event("end")}data: c`), event("end"));
  const { bytes, continues } = exchange.endRound();
  assert.equal(decoder.decode(bytes) + continues, "data: cfalse");
  assert.equal(exchange.finish([ANSWER]).bytes.length, 0);
  assert.deepEqual(exchange.finish([ANSWER]).records, []);
});

Deno.test("StreamedResponse holds the end back behind a retrieval, and joins the usage of the rounds", () => {
  const exchange = words();
  const first = event("a") + event("ask") + event("end");
  assert.equal(pushed(exchange, first), event("a"));
  assert.equal(exchange.touched, true);
  const { bytes, calls, continues } = exchange.endRound();
  assert.ok(continues);
  assert.deepEqual(calls, [CALL]);
  assert.equal(decoder.decode(bytes), "; ");
  assert.equal(decoder.decode(exchange.continuation([ANSWER])), "all");
  assert.equal(pushed(exchange, event("b") + event("end")), event("b"));
  assert.equal(exchange.endRound().continues, false);
  const end = exchange.finish([ANSWER]);
  assert.equal(decoder.decode(end.bytes), event('end {"out":4}'));
  assert.equal(end.records.length, 1);
  assert.deepEqual(end.responseId, { seen: "first", last: "last" });
});

Deno.test("StreamedResponse refuses a round that the format cannot rebuild", () => {
  const cutOff = words();
  pushed(cutOff, event("ask"));
  assert.throws(() => cutOff.endRound(), /Cannot continue.*no end/);
  const odd = words();
  pushed(odd, event("bad") + event("ask") + event("end"));
  assert.throws(() => odd.endRound(), /not whole/);
  assert.throws(() => pushed(odd, event("bad")), SyntaxError);
  assert.equal(decoder.decode(odd.failure("why")), event("no why"));
});

Deno.test("StreamedResponse adds nothing behind the provider's error, and remembers nothing of a failure", () => {
  const error = words();
  pushed(error, event("ask") + event("out") + event("end"));
  assert.deepEqual(error.endRound().calls, []);
  assert.equal(error.finish([ANSWER]).bytes.length, 0);
  const failure = words({ isFailure: true });
  pushed(failure, event("ask") + event("end"));
  failure.endRound(true);
  const { bytes, records, responseId } = failure.finish([ANSWER]);
  assert.equal(decoder.decode(bytes), event("end"));
  assert.deepEqual([records, responseId], [[], undefined]);
});

Deno.test("StreamedResponse gives what a round kept waiting where its stream ends or breaks off", () => {
  const release = () => [utf8.encode("kept ")];
  const relay = () => NOTHING;
  for (const broken of [false, true]) {
    const exchange = words({ relay, release });
    assert.equal(pushed(exchange, `${event("a")}data: b`), "");
    const bytes = broken ? exchange.rest() : exchange.endRound().bytes;
    assert.equal(decoder.decode(bytes), broken ? "kept data: b" : "kept ");
  }
});

Deno.test("StreamedResponse pings with a comment unless the format has its own", () => {
  assert.equal(decoder.decode(words().ping), ": ping\n\n");
});

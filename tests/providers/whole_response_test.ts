import assert from "node:assert/strict";
import { membersOf } from "../../src/bytes/json_parts.ts";
import type { RetrievalAnswer } from "../../src/core/retrieval.ts";
import {
  type ResponseShape,
  WholeResponse,
} from "../../src/providers/whole_response.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const CALL = { callId: "r", wanted: { hash: "h" } };
const ANSWER: RetrievalAnswer = { call: CALL, content: "all" };

/** A format whose documents say one word; the word `ask` is a retrieval. */
function wordShape(): ResponseShape {
  const words: string[] = [];
  return {
    log: {
      answer: (answers) => answers.map(({ content }) => content).join(","),
      records: (answers) =>
        answers.map(() => ({ anchor: "a", format: "f", data: "d" })),
      responseId: { seen: "first", last: "last" },
    },
    usage: { summed: ["out"] },
    read(json) {
      const members = membersOf(json);
      const word = members.get("word");
      if (word === undefined) return "the next response is no word";
      const retrieves = word === '"ask"';
      words.push(word);
      return {
        members,
        id: members.get("id"),
        retrieves,
        calls: retrieves ? [CALL] : [],
        continues: retrieves,
      };
    },
    show: (members) => void members.set("word", `[${words}]`),
    failure: (message) => `{"no":"${message}"}`,
  };
}

function pushed(exchange: WholeResponse, json: string): Uint8Array {
  const body = utf8.encode(json);
  assert.equal(exchange.push(body).length, 0);
  return body;
}

Deno.test("WholeResponse gives a response without a retrieval back as it came", () => {
  for (const json of ['{"word" : "b","usage":{"out":1.0}}', '{"error":1}']) {
    const exchange = new WholeResponse(wordShape());
    const body = pushed(exchange, json);
    assert.equal(exchange.endRound().continues, false);
    assert.equal(exchange.touched, false);
    assert.equal(exchange.finish([]).bytes, body);
  }
});

Deno.test("WholeResponse shows the last document under the first id with the usage of all rounds", () => {
  const exchange = new WholeResponse(wordShape());
  pushed(exchange, '{"id":1.0,"word":"ask","usage":{"in":1,"out":2}}');
  assert.deepEqual(exchange.endRound().calls, [CALL]);
  assert.equal(exchange.touched, true);
  assert.equal(decoder.decode(exchange.continuation([ANSWER])), "all");
  pushed(exchange, '{"n":1e5,"id":2,"word":"b","usage":{"in":9,"out":3}}');
  assert.equal(exchange.endRound().continues, false);
  const { bytes, records, responseId } = exchange.finish([]);
  assert.equal(
    decoder.decode(bytes),
    '{"n":1e5,"id":1.0,"word":["ask","b"],"usage":{"in":9,"out":5}}',
  );
  assert.deepEqual(records, []);
  assert.deepEqual(responseId, { seen: "first", last: "last" });
});

Deno.test("WholeResponse leaves the usage of a single round as it is", () => {
  const exchange = new WholeResponse(wordShape());
  pushed(exchange, '{"word":"ask","usage":{"out":2.0}}');
  exchange.endRound();
  const { bytes, records } = exchange.finish([ANSWER]);
  assert.equal(decoder.decode(bytes), '{"word":["ask"],"usage":{"out":2.0}}');
  assert.equal(records.length, 1);
});

Deno.test("WholeResponse refuses what it cannot read once the client's bytes differ", () => {
  const exchange = new WholeResponse(wordShape());
  pushed(exchange, '{"word":"ask"}');
  exchange.endRound();
  exchange.continuation([]);
  pushed(exchange, "{}");
  assert.throws(() => exchange.endRound(), /the next response is no word/);
  assert.equal(decoder.decode(exchange.failure("why")), '{"no":"why"}');
  assert.equal(exchange.rest().length + exchange.ping.length, 0);
});

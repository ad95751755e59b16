import assert from "node:assert/strict";
import fc from "fast-check";
import { concat } from "../../src/bytes/concat.ts";
import {
  eventOf,
  EventSplitter,
  RoundsUsage,
  withData,
} from "../../src/sse/splicer.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

const PIECES = [
  'event: a\ndata: {"x":1}\n\n',
  ": comment\n\n",
  "data: one\r\ndata: two\r\n\r\n",
  "data: é\n\n",
  "data: [DONE]\n\n",
];

Deno.test("EventSplitter gives the same events and all bytes at any chunk boundary", () => {
  const chunked = fc.tuple(
    fc.array(fc.constantFrom(...PIECES, "data: cut")),
    fc.integer({ min: 1, max: 40 }),
  );
  fc.assert(fc.property(chunked, ([pieces, size]) => {
    const bytes = utf8.encode(pieces.join(""));
    const read = (step: number) => {
      const splitter = new EventSplitter();
      const events = [];
      for (let at = 0; at < bytes.length; at += step) {
        events.push(...splitter.push(bytes.slice(at, at + step)));
      }
      events.push(...splitter.end());
      assert.deepEqual(concat(events.map(({ raw }) => raw)), bytes);
      return events.map(({ data }) => data).filter((data) =>
        data !== undefined
      );
    };
    assert.deepEqual(read(size), read(Math.max(1, bytes.length)));
  }));
});

Deno.test("EventSplitter reads a last event that lacks its blank line", () => {
  const splitter = new EventSplitter();
  assert.deepEqual(splitter.push(utf8.encode("data: [DONE]\n")), []);
  const [last] = splitter.end();
  assert.equal(last?.data, "[DONE]");
  assert.equal(decoder.decode(last?.raw), "data: [DONE]\n");
  assert.deepEqual(splitter.end(), []);
});

Deno.test("withData keeps the other lines, and the bytes when nothing changes", () => {
  const raw = utf8.encode('id: 7\r\nevent: a\r\ndata: {"x":1}\r\n\r\n');
  const event = { raw, data: '{"x":1}' };
  assert.equal(withData(event, '{"x":1}'), raw);
  assert.equal(
    decoder.decode(withData(event, '{"x":2}')),
    'id: 7\nevent: a\ndata: {"x":2}\n\n',
  );
});

Deno.test("eventOf writes an event with or without a name", () => {
  assert.equal(decoder.decode(eventOf("a", "{}")), "event: a\ndata: {}\n\n");
  assert.equal(decoder.decode(eventOf(undefined, "{}")), "data: {}\n\n");
});

Deno.test("RoundsUsage takes the input side of the last round and sums the output side", () => {
  const rounds = new RoundsUsage({
    summed: ["out", "details"],
    total: ["total", "in", "out"],
  });
  for (
    const usage of [
      '{"in":100,"out":5,"details":{"thought":2},"total":105}',
      '{"in":1.0e2,"tier":"x","out":7,"details":{"thought":1,"seen":null},"total":107}',
    ]
  ) rounds.add(usage);
  assert.equal(
    rounds.joined,
    '{"in":1.0e2,"tier":"x","out":12,"details":{"thought":3,"seen":null},"total":112}',
  );
  assert.equal(new RoundsUsage({ summed: ["out"] }).joined, undefined);
});

Deno.test("RoundsUsage joins the reports of several rounds and leaves that of a single one alone", () => {
  const usage = new RoundsUsage({ summed: ["out"] });
  usage.add('{"in":1.0,"out":5}');
  assert.equal(usage.joined, undefined);
  usage.add(undefined);
  assert.equal(usage.joined, '{"in":1.0,"out":5}');
  usage.add('{"in":2.0,"out":3}');
  usage.add("null");
  assert.equal(usage.joined, '{"in":2.0,"out":8}');
  const silent = new RoundsUsage({ summed: ["out"] });
  for (const round of [undefined, "null"]) silent.add(round);
  assert.equal(silent.joined, undefined);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  AnchorIndex,
  forkAnchor,
  type Speech,
  textAnchor,
  TurnContexts,
  turnDigest,
} from "../../src/bytes/turn_anchor.ts";
import type { BlockRef, ByteSpan } from "../../src/core/block.ts";

const utf8 = new TextEncoder();

/** The literals behind one another, and where each stands. */
function literals(...texts: readonly string[]) {
  const spans: ByteSpan[] = [];
  let body = "";
  for (const text of texts) {
    const start = utf8.encode(body).length;
    body += text;
    spans.push({ start, end: utf8.encode(body).length });
  }
  return { body: utf8.encode(body), spans };
}

function blockOf(span: ByteSpan, messageIndex: number): BlockRef {
  return {
    span,
    messageIndex,
    part: 0,
    callId: "c",
    toolName: undefined,
    call: undefined,
    asked: undefined,
  };
}

/** Digest of one text said by the client. */
function said(literal: string): string {
  const { body, spans } = literals(literal);
  const speech = (): Speech => ({ by: "client", texts: spans });
  return new TurnContexts(body, { blocks: [] }, speech).before(1);
}

Deno.test("turnDigest is short, and empty for nothing", () => {
  assert.match(turnDigest("a"), /^[0-9a-f]{32}$/);
  assert.equal(turnDigest(""), "");
});

Deno.test("TurnContexts reads the same text however it is escaped and wherever its start is cut", () => {
  const escaped = (text: string) =>
    `"${
      Array.from(
        { length: text.length },
        (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
      ).join("")
    }"`;
  const long = fc.string({
    unit: fc.constantFrom("a", "é", "€", "\u{1f600}", '"', "\\", "\n"),
    minLength: 900,
    maxLength: 1100,
  });
  fc.assert(
    fc.property(long, fc.integer({ min: 0, max: 3 }), (text, times) => {
      const whole = text.repeat(times + 1);
      assert.equal(said(escaped(whole)), said(JSON.stringify(whole)));
      assert.notEqual(said(JSON.stringify(`x${whole}`)), said(escaped(whole)));
    }),
    { numRuns: 30 },
  );
});

Deno.test("TurnContexts looks past the model and what others say, and asks for each element once", () => {
  const { body, spans } = literals('"q"', '"other"', '"model"');
  const said: Speech[] = [
    { by: "client", texts: [spans[0]!] },
    ...Array.from({ length: 500 }, (_, i): Speech => ({
      by: i % 2 ? "model" : "other",
      texts: [spans[1 + i % 2]!],
    })),
  ];
  let asked = 0;
  const contexts = new TurnContexts(body, { blocks: [] }, (index) => {
    asked++;
    return said[index]!;
  });
  const digests = said.map((_, i) => contexts.before(i + 1));
  assert.equal(new Set(digests).size, 1);
  assert.notEqual(contexts.before(0), digests[0]);
  assert(asked <= said.length + 2, String(asked));
});

Deno.test("TurnContexts takes the last result, and texts only behind it", () => {
  const { body, spans } = literals('"one"', '"two"', '"say"');
  const blocks = [blockOf(spans[0]!, 1), blockOf(spans[1]!, 3)];
  const contexts = (texts: readonly ByteSpan[]) =>
    new TurnContexts(body, { blocks }, () => ({ by: "client", texts }));
  const [silent, loud] = [contexts([]), contexts([spans[2]!])];
  assert.equal(silent.answers(1), true);
  assert.equal(silent.answers(2), false);
  // Directly behind a result its message's texts do not count.
  assert.equal(silent.before(2), loud.before(2));
  assert.notEqual(silent.before(3), loud.before(3));
  assert.notEqual(silent.before(2), silent.before(4));
});

Deno.test("TurnContexts takes a user's text for what was said, also where it is a block", () => {
  const { body, spans } = literals('"one"', '"two"');
  const speech = (index: number): Speech => ({
    by: "client",
    texts: [spans[index]!],
  });
  const digest = (blocks: readonly BlockRef[]) =>
    new TurnContexts(body, { blocks }, speech).before(2);
  const userText = { ...blockOf(spans[1]!, 1), callId: undefined };
  assert.equal(digest([{ ...userText, isUserText: true }]), digest([]));
  assert.notEqual(digest([userText]), digest([]));
});

Deno.test("AnchorIndex digests texts only where a record has one of them", () => {
  const [a, b] = [turnDigest("a"), turnDigest("b")];
  const asked: number[] = [];
  const context = (at: number) => {
    asked.push(at);
    return at === 2 ? "here" : "there";
  };
  const anchors = [textAnchor(a, "here"), "call:c"];
  const index = new AnchorIndex(anchors, context);
  index.addText(1, () => "b");
  assert.deepEqual(asked, []);
  index.addText(2, () => "a");
  index.addText(3, () => "a");
  assert.deepEqual(index.places(textAnchor(a, "here")), [2]);
  assert.deepEqual(index.places(textAnchor(b, "here")), []);
  new AnchorIndex(["call:c"], () => assert.fail()).addText(1, assert.fail);
});

Deno.test("AnchorIndex finds by any name, and an element only once", () => {
  const index = new AnchorIndex(["call:c\nid:i"], () => assert.fail());
  for (const at of [1, 4, 4]) index.add("call:c", at);
  index.add("id:i", 2);
  assert.equal(index.wants("id"), true);
  assert.equal(index.wants("signature"), false);
  const places = index.places("call:c\nid:i");
  assert.deepEqual(places, [1, 2, 4]);
  assert.equal(index.find(places, () => 2), 2);
  assert.equal(index.find(places, () => 3), undefined);
  index.use(2);
  index.use(1);
  assert.equal(index.find(places, () => 3), 4);
  index.use(4);
  assert.equal(index.find(places, () => 4), undefined);
});

Deno.test("AnchorIndex without records takes every name, each with what its turn answers", () => {
  const index = new AnchorIndex(undefined, (at) => `context ${at}`);
  for (const at of [0, 2]) index.add("call:c", at);
  index.addText(1, () => "a");
  assert.deepEqual(index.forkNames(), [
    "call:c@context 0",
    "call:c@context 2",
    textAnchor(turnDigest("a"), "context 1"),
  ]);
});

Deno.test("forkAnchor adds what the turn answers to every name that does not hold it", () => {
  const text = textAnchor("0", "here");
  assert.equal(
    forkAnchor(`${text}\nid:i\ncall:c`, "here"),
    `${text}\nid:i\ncall:c\nid:i@here\ncall:c@here`,
  );
  assert.equal(forkAnchor(text, "here"), text);
  assert.equal(forkAnchor("call:c", undefined), "call:c");
});

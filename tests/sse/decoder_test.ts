import assert from "node:assert/strict";
import fc from "fast-check";
import { SseDecoder, type SseEvent } from "../../src/sse/decoder.ts";

const utf8 = new TextEncoder();

type Seen = { type: string; data: string; raw: string };

interface Decoded {
  readonly events: readonly Seen[];
  readonly skipped: string;
  readonly rest: string;
}

/** Decodes `bytes`, cut at the offsets in `cuts`. */
function decode(
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  maxEventBytes = 1024,
): Decoded {
  const events: Seen[] = [];
  let skipped = "";
  const decoder = new SseDecoder(
    ({ type, data, raw }: SseEvent) =>
      events.push({ type, data, raw: latin(raw) }),
    {
      maxEventBytes,
      onOversize: (piece, last) => skipped += latin(piece) + (last ? "!" : ""),
    },
  );
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    decoder.push(bytes.slice(at, Math.max(at, cut)));
    at = Math.max(at, cut);
  }
  decoder.push(bytes.slice(at));
  const rest = latin(decoder.finish());
  return { events, skipped, rest };
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function texts(stream: string): readonly (readonly [string, string])[] {
  return decode(utf8.encode(stream)).events.map(({ type, data }) =>
    [type, data] as const
  );
}

for (const [name, end] of [["LF", "\n"], ["CRLF", "\r\n"], ["CR", "\r"]]) {
  Deno.test(`SseDecoder reads events whose lines end with ${name}`, () => {
    const stream = ["event: a", "data: 1", "data: 2", "", "data:3", "", ""];
    assert.deepEqual(texts(stream.join(end)), [["a", "1\n2"], [
      "message",
      "3",
    ]]);
  });
}

Deno.test("SseDecoder follows the field rules of the format", () => {
  assert.deepEqual(texts("data:  two\n\n"), [["message", " two"]]);
  assert.deepEqual(texts("data\n\n"), [["message", ""]]);
  assert.deepEqual(texts("data\ndata\n\n"), [["message", "\n"]]);
  assert.deepEqual(texts("id: 1\nretry: 5\ndata: x:y\n\n"), [[
    "message",
    "x:y",
  ]]);
  assert.deepEqual(texts("event\ndata: x\n\n"), [["message", "x"]]);
  assert.deepEqual(texts("event: a\nevent: b\ndata: x\n\n"), [["b", "x"]]);
});

Deno.test("SseDecoder gives comments and blank lines as blocks without data", () => {
  const { events } = decode(utf8.encode(": ping\n\n\ndata: x\n: y\n\n"));
  assert.deepEqual(events, [
    { type: "message", data: "", raw: ": ping\n\n" },
    { type: "message", data: "", raw: "\n" },
    { type: "message", data: "x", raw: "data: x\n: y\n\n" },
  ]);
});

Deno.test("SseDecoder skips a byte order mark at the start only, and keeps it in the raw bytes", () => {
  const bom = "\ufeff";
  const { events } = decode(utf8.encode(`${bom}data: a\n\n${bom}data: b\n\n`));
  assert.deepEqual(events.map(({ data }) => data), ["a", ""]);
  assert.equal(events[0]?.raw, "\xef\xbb\xbfdata: a\n\n");
  assert.equal(decode(utf8.encode(`${bom}\ndata: a\n\n`)).events.length, 2);
});

Deno.test("SseDecoder returns the bytes of a cut-off event from finish", () => {
  const { events, rest } = decode(utf8.encode("data: a\n\ndata: b\n"));
  assert.equal(events.length, 1);
  assert.equal(rest, "data: b\n");
});

Deno.test("SseDecoder delivers an event with the chunk that completes it", () => {
  const seen: string[] = [];
  const decoder = new SseDecoder(({ data }) => seen.push(data));
  decoder.push(utf8.encode("data: a\n"));
  assert.deepEqual(seen, []);
  decoder.push(utf8.encode("\n"));
  assert.deepEqual(seen, ["a"]);
  decoder.push(utf8.encode("data: b\r\n\r\n"));
  assert.deepEqual(seen, ["a", "b"]);
});

Deno.test("SseDecoder skips an oversize event and goes on behind it", () => {
  const big = `data: ${"x".repeat(100)}\n\n`;
  const bytes = utf8.encode(`data: a\n\n${big}data: b\n\n`);
  for (const cuts of [[], [12], [12, 60, 110], bytes.keys().toArray()]) {
    const { events, skipped, rest } = decode(bytes, cuts, 50);
    assert.deepEqual(events.map(({ data }) => data), ["a", "b"]);
    assert.equal(skipped, `${big}!`);
    assert.equal(rest, "");
  }
});

Deno.test("SseDecoder hands over an oversize event that is cut off", () => {
  const cut = decode(utf8.encode("data: " + "x".repeat(100)), [20], 50);
  assert.equal(cut.events.length, 0);
  assert.equal(cut.skipped, `data: ${"x".repeat(100)}!`);
  assert.equal(cut.rest, "");
});

const STREAM = fc.array(
  fc.oneof(
    fc.constantFrom("\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\ufeff"),
    fc.constantFrom("data: ", "data:é€😀", "event: a", ": c", "id: 1", "x"),
  ),
  { maxLength: 30 },
).map((parts) => utf8.encode(parts.join("")));

Deno.test("SseDecoder gives the same events for any chunk boundaries, and loses no byte", () => {
  fc.assert(fc.property(
    STREAM,
    fc.array(fc.nat(200)),
    fc.constantFrom(8, 1024),
    (bytes, cuts, max) => {
      const whole = decode(bytes, [], max);
      const within = cuts.map((cut) => cut % (bytes.length + 1));
      assert.deepEqual(decode(bytes, within, max), whole);
      assert.deepEqual(decode(bytes, bytes.keys().toArray(), max), whole);
      if (max === 1024) {
        const raws = whole.events.map(({ raw }) => raw).join("");
        assert.equal(raws + whole.rest, latin(bytes));
      }
    },
  ));
});

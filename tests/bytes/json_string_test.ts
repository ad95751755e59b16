import assert from "node:assert/strict";
import fc from "fast-check";
import {
  decodeLiteral,
  encodeLiteral,
  shortText,
} from "../../src/bytes/json_string.ts";

const utf8 = new TextEncoder();
const whole = (bytes: Uint8Array) => ({ start: 0, end: bytes.length });

Deno.test("decodeLiteral is the inverse of encodeLiteral for every well-formed text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(text.isWellFormed());
      const literal = encodeLiteral(text);
      assert.equal(decodeLiteral(literal, whole(literal)), text);
    }),
  );
});

Deno.test("decodeLiteral reads any spelling that JSON.parse reads", () => {
  for (
    const literal of [
      '"a\\u00e9\\/\\n"',
      '"\\ud83d\\ude00"',
      '"😀 é"',
      '""',
      '"\ufeffx"',
    ]
  ) {
    const bytes = utf8.encode(literal);
    assert.equal(decodeLiteral(bytes, whole(bytes)), JSON.parse(literal));
  }
});

Deno.test("decodeLiteral gives undefined for what cannot be written back unchanged", () => {
  const lone = utf8.encode('"\\ud800"');
  assert.equal(decodeLiteral(lone, whole(lone)), undefined);
  for (const byte of [0xff, 0xc3, 0xed]) {
    const bytes = Uint8Array.of(0x22, byte, 0x22);
    assert.equal(decodeLiteral(bytes, whole(bytes)), undefined);
  }
  const surrogateBytes = Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22);
  assert.equal(decodeLiteral(surrogateBytes, whole(surrogateBytes)), undefined);
});

Deno.test("decodeLiteral reads only its span", () => {
  const body = utf8.encode('{"k":"väl\\"ue"}');
  const start = 5;
  assert.equal(
    decodeLiteral(body, { start, end: body.length - 1 }),
    'väl"ue',
  );
});

const read = (text: string) => {
  const bytes = new TextEncoder().encode(`"${text}"`);
  return shortText(bytes, 1, bytes.length - 1);
};

Deno.test("shortText reads plain ASCII, however often and in whatever company", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[ -[\]-~]{0,48}$/), { maxLength: 50 }),
      (texts) => {
        for (const text of [...texts, ...texts]) assert.equal(read(text), text);
      },
    ),
  );
});

Deno.test("shortText leaves escapes, other scripts and long strings to a decoder", () => {
  assert.equal(read("a\\n"), undefined);
  assert.equal(read("größe"), undefined);
  assert.equal(read("x".repeat(48)), "x".repeat(48));
  assert.equal(read("x".repeat(49)), undefined);
});

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import fc from "fast-check";
import type { ByteSpan } from "../../src/core/block.ts";
import { JsonCursor } from "../../src/bytes/json_scan.ts";
import { KnownBodies, KnownBody } from "../../src/bytes/known_bodies.ts";

const utf8 = new TextEncoder();
const bodyOf = (texts: readonly string[]) =>
  utf8.encode(JSON.stringify({ model: "m", texts }));

/** Where each text of a body is, read with what is known of it. */
function textsIn(body: Uint8Array, known?: KnownBody): readonly ByteSpan[] {
  const cursor = new JsonCursor(body, 0, known);
  const spans: ByteSpan[] = [];
  cursor.object((key) => {
    if (key !== "texts") return;
    cursor.array(() => void spans.push(cursor.string()));
  });
  cursor.end();
  return spans;
}

/** Reads a body as the pipeline does. */
function read(bodies: KnownBodies, body: Uint8Array): readonly ByteSpan[] {
  const known = bodies.begin(body);
  const spans = textsIn(body, known);
  for (const { start, end } of spans) {
    const value = body.subarray(start, end);
    assert.equal(known.digest(value), hash("sha256", value, "base64"));
  }
  bodies.keep(known);
  return spans;
}

/** Texts of which some are long and some need escapes. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ minLength: 70, maxLength: 400 }),
  fc.constantFrom('\\"'.repeat(60), "\u0000".repeat(40), "é".repeat(500)),
);

Deno.test("KnownBodies changes nothing of what is read, however bodies go on, are cut or change", () =>
  fc.assert(fc.property(
    fc.array(
      fc.record({
        keep: fc.nat({ max: 60 }),
        more: fc.array(text, { maxLength: 4 }),
      }),
      { maxLength: 12 },
    ),
    (steps) => {
      const bodies = new KnownBodies();
      let texts = [
        "x".repeat(9_000),
        ...Array.from({ length: 40 }, (_, i) => `${i} of many `.repeat(20)),
      ];
      for (const { keep, more } of [{ keep: 60, more: [] }, ...steps]) {
        texts = [...texts.slice(0, keep), ...more];
        const body = bodyOf(texts);
        assert.deepEqual(read(bodies, body), textsIn(body));
      }
    },
  )));

Deno.test("KnownBodies refuses what is malformed behind what is known", () => {
  const bodies = new KnownBodies();
  const body = bodyOf(Array.from({ length: 40 }, () => "x".repeat(1000)));
  read(bodies, body);
  const broken = body.slice();
  broken[broken.length - 100] = 1;
  assert.throws(() => textsIn(broken, bodies.begin(broken)), SyntaxError);
  const cut = body.slice(0, -1);
  assert.throws(() => textsIn(cut, bodies.begin(cut)), SyntaxError);
});

Deno.test("KnownBodies finds the ends of strings in a body that goes on from one of several", () => {
  const bodies = new KnownBodies();
  const talks = [1, 2, 3].map((n) =>
    Array.from({ length: 40 }, (_, i) => `${n} ${i} `.repeat(200))
  );
  for (const talk of talks) read(bodies, bodyOf(talk));
  for (const talk of talks) {
    const body = bodyOf([...talk, "one more ".repeat(20)]);
    const known = bodies.begin(body);
    const found = textsIn(body).map(({ start, end }) =>
      known.endOf(start) === end
    );
    assert.deepEqual(found, [...talk.map(() => true), false]);
    bodies.keep(known);
  }
});

Deno.test("KnownBodies forgets the one that was used longest ago", () => {
  const bodies = new KnownBodies();
  const talks = Array.from(
    { length: 9 },
    (_, n) =>
      bodyOf(Array.from({ length: 40 }, (_, i) => `${n} ${i} `.repeat(200))),
  );
  for (const body of talks) read(bodies, body);
  const isKnown = (body: Uint8Array) => {
    const known = bodies.begin(body);
    return known.endOf(textsIn(body)[0]!.start) !== undefined;
  };
  assert.deepEqual(talks.map(isKnown), [false, ...Array(8).fill(true)]);
});

Deno.test("KnownBody takes no digest of a number for that of one that it begins with", () => {
  const bytes = (number: string) => utf8.encode(`{"input":${number}}`);
  const before = new KnownBody(bytes("123"));
  const now = new KnownBody(bytes("12"), before, 11);
  before.digest(before.body.subarray(9, 12));
  const value = now.body.subarray(9, 11);
  assert.equal(now.digest(value), hash("sha256", value, "base64"));
});

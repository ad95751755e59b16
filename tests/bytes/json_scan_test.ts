import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonCursor } from "../../src/bytes/json_scan.ts";

const utf8 = new TextEncoder();
const text = new TextDecoder();

function accepts(json: string): boolean {
  try {
    const cursor = new JsonCursor(utf8.encode(json));
    cursor.skip();
    cursor.end();
    return true;
  } catch (error) {
    assert(error instanceof SyntaxError, String(error));
    return false;
  }
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

Deno.test("JsonCursor accepts generated JSON in any layout", () => {
  fc.assert(
    fc.property(
      fc.json({ depthSize: "large" }),
      fc.constantFrom(undefined, 2, "\t"),
      (json, indent) =>
        accepts(JSON.stringify(JSON.parse(json), null, indent)) &&
        accepts(` \n\r\t${json} `),
    ),
  );
});

Deno.test("JsonCursor accepts exactly what JSON.parse accepts, for mutated JSON", () => {
  const byte = fc.constantFrom(
    ...'{}[]":,0123456789.eE+-tfn\\/u x\n\u0001'.split(""),
  );
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      byte,
      fc.nat(2),
      (json, at, inserted, dropped) => {
        const where = at % (json.length + 1);
        const broken = json.slice(0, where) + inserted +
          json.slice(where + dropped);
        assert.equal(accepts(broken), parses(broken), broken);
      },
    ),
    { numRuns: 2000 },
  );
});

for (
  const [json, why] of [
    ["", "nothing"],
    ["{", "an open object"],
    ['{"a":1,}', "a trailing comma"],
    ["[1 2]", "a missing comma"],
    ["01", "a leading zero"],
    ["1.", "a number that ends at its dot"],
    ["1e", "a number that ends at its exponent"],
    ["-", "a lone minus"],
    ['"\u0001"', "a raw control character"],
    ['"\\x"', "an unknown escape"],
    ['"\\u12g4"', "a bad unicode escape"],
    ["nul", "a cut word"],
    ["{} x", "something behind the value"],
    ["{'a':1}", "single quotes"],
  ] as const
) {
  Deno.test(`JsonCursor refuses ${why}`, () => {
    assert.equal(accepts(json), false);
  });
}

Deno.test("JsonCursor gives the spans of members and elements", () => {
  const body = utf8.encode(' {"a" : [1, "x"] , "b":{"c":null}, "d\\u0041":2} ');
  const found: Record<string, string> = {};
  const cursor = new JsonCursor(body);
  const slice = (s: { start: number; end: number }) =>
    text.decode(body.subarray(s.start, s.end));
  cursor.object((key) => {
    if (key === "a") {
      found[key] = slice(cursor.array((i) => {
        if (i === 1) found["a1"] = slice(cursor.string());
      }));
    } else found[key] = slice(cursor.skip());
  });
  cursor.end();
  assert.deepEqual(found, {
    a: '[1, "x"]',
    a1: '"x"',
    b: '{"c":null}',
    dA: "2",
  });
});

Deno.test("JsonCursor refuses a repeated key, in small and in wide objects", () => {
  const visit = (json: string) => {
    const cursor = new JsonCursor(utf8.encode(json));
    cursor.object(() => {});
  };
  assert.throws(() => visit('{"a":1,"\\u0061":2}'), /"a" is repeated/);
  const wide = Array.from({ length: 100 }, (_, i) => `"k${i}":${i}`);
  visit(`{${wide.join()}}`);
  assert.throws(() => visit(`{${wide.join()},"k50":1}`), /"k50" is repeated/);
});

Deno.test("JsonCursor refuses 100,000 levels without overflowing the stack", () => {
  for (const open of ["[", '{"a":']) {
    assert.throws(
      () => new JsonCursor(utf8.encode(open.repeat(100_000))).skip(),
      /nested deeper than 512/,
    );
  }
});

Deno.test("JsonCursor names the byte at which a body breaks", () => {
  const cursor = new JsonCursor(utf8.encode('{"a":tru}'));
  assert.throws(() => cursor.skip(), /unexpected byte 0x74 at 5/);
});

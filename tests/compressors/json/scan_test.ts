import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_DEPTH } from "../../../src/compressors/json/defaults.ts";
import { scanJson } from "../../../src/compressors/json/scan.ts";
import { keyOf, rawOf } from "../../../src/compressors/json/tape.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";
import { tapeOf } from "./tapes.ts";

Deno.test("scanJson keeps numbers, escapes and keys as written", () => {
  const tape = tapeOf(
    '{ "a\\u0062" : [1.0, 1e5, 12345678901234567890], "b":"\\u00e9"}',
  );
  assert.equal(
    tape.text,
    '{"a\\u0062":[1.0,1e5,12345678901234567890],"b":"\\u00e9"}',
  );
  assert.deepEqual([2, 3, 4, 5, 6].map((node) => rawOf(tape, node)), [
    "[1.0,1e5,12345678901234567890]",
    "1.0",
    "1e5",
    "12345678901234567890",
    '"\\u00e9"',
  ]);
  assert.equal(keyOf(tape, 2), "a\\u0062");
  assert.equal(keyOf(tape, 6), "b");
});

Deno.test("scanJson minifies any document in any style to what JSON.parse reads", () => {
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      (value, style) => {
        const tape = tapeOf(print(value, style));
        assert.equal(tape.text, print(value, STYLES.compact!));
      },
    ),
  );
});

Deno.test("scanJson accepts what JSON.parse accepts and refuses the rest", () => {
  const mutated = fc.tuple(
    anyDocument,
    fc.nat(),
    fc.constantFrom(...'{}[],:"\\0-.eE+tnu '),
  ).map(
    ([value, at, sign]) => {
      const text = print(value, STYLES.compact!);
      const place = at % (text.length + 1);
      return text.slice(0, place) + sign + text.slice(place + at % 2);
    },
  );
  fc.assert(
    fc.property(mutated, (text) => {
      const scanned = scanJson(text);
      fc.pre(scanned !== "duplicate_keys" && scanned !== "too_deep");
      const isLines = typeof scanned !== "string" && scanned.count[0]! > 1;
      fc.pre(!isLines);
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        parsed = undefined;
      }
      const isContainer = typeof parsed === "object" && parsed !== null;
      assert.equal(typeof scanned !== "string", isContainer, text);
    }),
    { numRuns: 500 },
  );
});

Deno.test("scanJson finds a key that an object has twice, however it is written", () => {
  assert.equal(scanJson('{"a":1,"a":2}'), "duplicate_keys");
  assert.equal(
    scanJson('[{"a":1,"b":1},{"a":1,"\\u0061":2}]'),
    "duplicate_keys",
  );
  const wide = Array.from({ length: 100 }, (_, i) => `"k${i}":${i}`).join();
  assert.equal(scanJson(`{${wide},"k3":0}`), "duplicate_keys");
  assert.notEqual(typeof scanJson(`{${wide}}`), "string");
});

Deno.test("scanJson reads several values, one after the other", () => {
  const tape = tapeOf('{"a":1}\n[2]\n{}');
  assert.equal(tape.count[0], 3);
  assert.deepEqual(tape.layout?.lines, true);
  assert.equal(tapeOf('{"a":1} {"a":2}').text, '{"a":1}\n{"a":2}');
  assert.equal(tapeOf('{"a":1} {"a":2}').layout, undefined);
});

Deno.test("scanJson refuses scalars, truncated text and text after the value", () => {
  for (
    const text of ["1", '"a"', "null", "", '{"a":1', "[1,2", "[1] x", "[1]\n2"]
  ) {
    assert.equal(scanJson(text), "invalid_json", text);
  }
});

Deno.test("scanJson stops at the depth limit without overflow", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.notEqual(typeof scanJson(nested(MAX_DEPTH)), "string");
  assert.equal(scanJson(nested(MAX_DEPTH + 1)), "too_deep");
  assert.equal(scanJson(nested(100_000)), "too_deep");
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { promptCache } from "../../src/providers/prompt_cache.ts";

const cache = promptCache({
  write: 1.25,
  read: 0.1,
  lifeMs: 300,
  longer: { mark: '"1h"', lifeMs: 3600 },
});
const lifeOf = (text: string) => cache.lifeMs(new TextEncoder().encode(text));

Deno.test("promptCache has the prices that it was given", () => {
  assert.deepEqual([cache.write, cache.read], [1.25, 0.1]);
});

Deno.test("promptCache lives longer where the mark stands, and only there", () => {
  assert.equal(lifeOf('{"ttl":"1h"}'), 3600);
  assert.equal(lifeOf('"1h"'), 3600);
  // Begins of the mark in front of it, and all of it but its end.
  assert.equal(lifeOf('""1""1h"'), 3600);
  for (const text of ["", '"', '{"ttl":"5m"}', '"1h', '"1"h"', "1h"]) {
    assert.equal(lifeOf(text), 300, text);
  }
});

Deno.test("promptCache finds the mark exactly where a search of the text does", () => {
  const text = fc.array(fc.constantFrom('"', "1", "h", "x"), { maxLength: 30 })
    .map((parts) => parts.join(""));
  fc.assert(fc.property(text, (text) => {
    assert.equal(lifeOf(text), text.includes('"1h"') ? 3600 : 300);
  }));
});

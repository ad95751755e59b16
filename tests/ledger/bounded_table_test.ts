import assert from "node:assert/strict";
import { bounded, shortName } from "../../src/ledger/bounded_table.ts";

Deno.test("bounded keeps the first 200 names apart and counts the rest together", () => {
  const table = new Map<string, number>();
  for (let i = 0; i < 300; i++) table.set(bounded(table, `n${i}`), i);
  assert.equal(table.size, 201);
  assert.equal(bounded(table, "n199"), "n199");
  assert.equal(bounded(table, "n200"), "(other)");
});

Deno.test("bounded cuts names, and gives those that look alike in UTF-8 one row", () => {
  const table = new Map<string, number>();
  assert.equal(bounded(table, "x".repeat(1e6)).length, 200);
  assert.equal(bounded(table, "a\ud800"), bounded(table, "a\udfff"));
});

Deno.test("shortName and bounded keep no character that cannot be printed", () => {
  const controls = Array.from(
    { length: 0xa0 },
    (_, code) => String.fromCharCode(code),
  ).filter((text) => /\p{Cc}/u.test(text));
  assert.equal(controls.length, 65);
  for (const bad of [...controls, "\u2028", "\u2029", "\u202e", "\udc00"]) {
    assert.equal(shortName(`a${bad}b`), "a\ufffdb");
    assert.equal(bounded(new Map(), `a${bad}b`), "a\ufffdb");
  }
  assert.equal(shortName("Grüße 😀, 東京"), "Grüße 😀, 東京");
});

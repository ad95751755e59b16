import assert from "node:assert/strict";
import { shortName } from "../../src/ledger/names.ts";

Deno.test("shortName keeps no character that cannot be printed", () => {
  const controls = Array.from(
    { length: 0xa0 },
    (_, code) => String.fromCharCode(code),
  ).filter((text) => /\p{Cc}/u.test(text));
  assert.equal(controls.length, 65);
  for (const bad of [...controls, "\u2028", "\u2029", "\u202e", "\udc00"]) {
    assert.equal(shortName(`a${bad}b`), "a\ufffdb");
  }
  assert.equal(shortName("Grüße 😀, 東京"), "Grüße 😀, 東京");
});

Deno.test("shortName cuts names", () => {
  assert.equal(shortName("x".repeat(1e6)).length, 200);
});

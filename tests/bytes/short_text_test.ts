import assert from "node:assert/strict";
import fc from "fast-check";
import { shortText } from "../../src/bytes/short_text.ts";

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

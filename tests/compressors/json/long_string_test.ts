import assert from "node:assert/strict";
import fc from "fast-check";
import { cutString } from "../../../src/compressors/json/long_string.ts";

const NOTE = /…\((\d+) chars omitted\)…/g;

Deno.test("cutString keeps start and end and says how much is between", () => {
  const content = "abcdefghij".repeat(200);
  const { text, omitted } = cutString(content, 400);
  assert.match(text, /^abc.*…\(1600 chars omitted\)….*hij$/);
  assert.equal(omitted, 1600);
});

Deno.test("cutString accounts for every character, cuts no escape and keeps what it keeps", () => {
  const piece = fc.constantFrom(
    "\\n",
    "\\\\",
    "\\u00e9",
    "é",
    "\ud83d\ude00",
    "word ",
    "error ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 600 }), (pieces) => {
      const content = pieces.join("");
      const { text, omitted } = cutString(content, 400);
      const notes = [...text.matchAll(NOTE)].map(([, n]) => Number(n));
      assert.equal(notes.reduce((sum, n) => sum + n, 0), omitted);
      assert.equal(text.replace(NOTE, "").length + omitted, content.length);
      JSON.parse(`"${text}"`);
      assert.ok(text.isWellFormed());
      let at = 0;
      for (const [i, part] of text.split(NOTE).entries()) {
        if (i % 2 === 1) at += Number(part);
        else {
          assert.equal(content.slice(at, at + part.length), part);
          at += part.length;
        }
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("cutString keeps each word of failure and its surroundings", () => {
  const line = "compiling another file of this project\\n";
  const content = line.repeat(60) + "FATAL: disk full\\n" + line.repeat(60) +
    "panic at 7\\n" + line.repeat(60);
  const { text, omitted } = cutString(content, 400);
  assert.match(text, /FATAL: disk full\\n.*chars omitted.*panic at 7\\n/);
  assert.ok(omitted > content.length / 2);
});

Deno.test("cutString leaves a string alone that is hardly longer than its limit", () => {
  const content = "x".repeat(470);
  assert.deepEqual(cutString(content, 400), { text: content, omitted: 0 });
});

Deno.test("cutString is linear in backslashes", () => {
  const { omitted } = cutString("\\\\".repeat(500_000), 400);
  assert.ok(omitted > 990_000);
});

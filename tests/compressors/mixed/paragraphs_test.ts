import assert from "node:assert/strict";
import fc from "fast-check";
import { paragraphsOf } from "../../../src/compressors/mixed/paragraphs.ts";
import type { Section } from "../../../src/compressors/mixed/sections.ts";

const whole = (text: string): Section => ({
  kind: "rest",
  start: 0,
  end: text.length,
  line: 4,
  language: "",
});

Deno.test("paragraphsOf cuts at blank lines and counts lines on from the section's", () => {
  const text = "a\nb\n\n \nc\n\nd";
  const parts = paragraphsOf(text, whole(text));
  assert.deepEqual(
    parts.map(({ start, end, line }) => [text.slice(start, end), line]),
    [["a\nb\n\n \n", 4], ["c\n\n", 8], ["d", 10]],
  );
});

Deno.test("paragraphsOf has nothing to cut without a blank line, and covers any text else", () => {
  assert.deepEqual(paragraphsOf("a\nb\n", whole("a\nb\n")), []);
  fc.assert(fc.property(
    fc.array(fc.constantFrom("a", "", " ", "b c"), { maxLength: 30 }),
    (lines) => {
      const text = lines.join("\n");
      const parts = paragraphsOf(text, whole(text));
      const joined = parts.map(({ start, end }) => text.slice(start, end));
      assert.ok(parts.length === 0 || joined.join("") === text);
    },
  ));
});

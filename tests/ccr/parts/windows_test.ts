import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addWindows,
  isWithinCharacter,
  startOf,
} from "../../../src/ccr/parts/windows.ts";

/** The stretches of a text. */
function stretches(text: string): string[] {
  const starts: number[] = [];
  addWindows(starts, text, { start: 0, end: text.length });
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}

Deno.test("addWindows cuts between words where it can", () => {
  const words = "lorem ipsum dolor ".repeat(40);
  for (const part of stretches(words).slice(0, -1)) {
    assert.match(part, /(?:lorem|ipsum|dolor|\s)$/);
    assert.ok(part.length >= 200 && part.length <= 240);
  }
  assert.equal(stretches("a".repeat(1000))[0]!.length, 240);
});

Deno.test("addWindows gives stretches that make up any text, no character cut", () => {
  const texts = fc.string({ unit: "binary", maxLength: 1500 });
  fc.assert(fc.property(texts, (text) => {
    const parts = stretches(text);
    assert.equal(parts.join(""), text);
    assert.ok(parts.every((part) => part.isWellFormed() && part.length <= 241));
  }));
});

Deno.test("addWindows stays between start and end", () => {
  const starts = [3];
  addWindows(starts, "x ".repeat(500), { start: 10, end: 400 });
  assert.deepEqual(starts, [3, 10, 211]);
});

Deno.test("isWithinCharacter is true between two halves only", () => {
  const at = (text: string) =>
    Array.from(text + " ", (_, i) => i).filter((i) =>
      isWithinCharacter(text, i)
    );
  assert.deepEqual(at("a😀b"), [2]);
  assert.deepEqual(at("\ude00\ud83d"), []);
});

Deno.test("startOf cuts before a character that does not fit", () => {
  assert.equal(startOf("a😀b", 2), "a");
  assert.equal(startOf("a😀b", 3), "a😀");
  assert.equal(startOf("ab", 9), "ab");
});

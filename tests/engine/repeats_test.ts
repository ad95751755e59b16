import assert from "node:assert/strict";
import fc from "fast-check";
import { foldRepeats, unfoldRepeats } from "../../src/engine/repeats.ts";

const LONG = "a line that is long enough to be worth a note of its own, twice";

Deno.test("foldRepeats writes runs, blocks and long lines once", () => {
  const block = ["first of the block", "second of the block", "third of it"];
  const text = [
    ...Array(5).fill("the same line again and again"),
    ...block,
    LONG,
    "between",
    ...block,
    LONG,
  ].join("\n");
  assert.deepEqual(foldRepeats(text, 11)?.text.split("\n"), [
    "the same line again and again",
    "… (repeated 5 times)",
    ...block,
    LONG,
    "between",
    '… (lines 16-19 again: "first of the block")',
  ]);
});

Deno.test("foldRepeats names a long line by its number", () => {
  assert.equal(
    foldRepeats(`${LONG}\nx\n${LONG}\n`)?.text,
    `${LONG}\nx\n… (line 1 again)\n`,
  );
});

Deno.test("foldRepeats quotes lines that are not where their numbers say", () => {
  const text = `${LONG}\n${LONG} 2\n`.repeat(2) + `${LONG} 3\nx\n`.repeat(2);
  assert.deepEqual(
    foldRepeats(text)?.text.split("\n").filter((line) => line.startsWith("…")),
    [
      "… (line 1 again)",
      "… (line 2 again)",
      '… (line 5 again: "line that is long enough…")',
    ],
  );
});

Deno.test("foldRepeats quotes the first words of a block, whatever they are", () => {
  for (
    const words of [
      'say "x") and',
      "a\\bcd",
      "… again",
      "é".repeat(60),
      "10:00",
    ]
  ) {
    const block = `\n${words}\n${LONG}\n${words}\n`;
    const text = `${block}between\n${block}`;
    const folded = foldRepeats(text, 7, true);
    assert.ok(folded !== undefined, words);
    assert.match(folded.text, /^… \(lines 7-10 again: "[^\d].*"\)$/m);
    assert.equal(folded.restore(folded.text), text);
  }
});

Deno.test("foldRepeats does nothing when nothing repeats or notes are there already", () => {
  assert.equal(foldRepeats("a\nb\nc\n"), undefined);
  const text = `${LONG}\n`.repeat(9);
  assert.equal(foldRepeats(`… (repeated 3 times)\n${text}`), undefined);
});

Deno.test("foldRepeats is undone by its inverse for any lines", () => {
  const line = fc.constantFrom("", "x", "y", LONG, `${LONG}2`, "… 3", "\r");
  fc.assert(fc.property(
    fc.array(line, { maxLength: 60 }),
    fc.integer({ min: 1, max: 500 }),
    (lines, firstLine) => {
      const text = lines.join("\n");
      const folded = foldRepeats(text, firstLine);
      if (folded === undefined) return;
      assert.equal(folded.restore(folded.text), text);
      assert.equal(unfoldRepeats(folded.text, firstLine), text);
      assert.ok(folded.text.length < text.length);
    },
  ));
});

Deno.test("foldRepeats tells lines apart that have the same hash", () => {
  // Characters of which the lowest seven bits are equal look alike to it.
  const lines = Array.from(
    { length: 40 },
    (_, i) => String.fromCharCode(0x4e00 + 128 * i).repeat(70),
  );
  const text = [...lines, ...lines].join("\n");
  const folded = foldRepeats(text)?.text ?? "";
  assert.deepEqual(folded.split("\n"), [...lines, "… (lines 1-40 again)"]);
  assert.equal(unfoldRepeats(folded), text);
});

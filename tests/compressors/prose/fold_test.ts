import assert from "node:assert/strict";
import fc from "fast-check";
import { foldProse } from "../../../src/compressors/prose/fold.ts";

const LINE = "This line of the document is in several places of it, as it is.";

Deno.test("foldProse has an inverse, whatever the text", () => {
  const line = fc.constantFrom(
    "",
    "short",
    LINE,
    "see https://github.com/acme/widgets/pull/7",
    "see https://github.com/acme/widgets/pull/8 too\r",
    "Defined in: src/a.ts:12",
    "Defined in: src/a.ts:7",
    "#### run()",
    "> **run**(): [`A`](#a)",
    "#### > **x**",
    "[`A`](#a) and [`A`](#a) and [b](#b)",
    "[`A`] [b](#c)",
    "§ ¶ †",
    "… (§ = a)",
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 1, max: 500 }),
      (lines, firstLine) => {
        const text = lines.join("\n");
        const folded = foldProse(text, firstLine);
        if (folded === undefined) return;
        assert.ok(folded.text.length < text.length);
        assert.equal(folded.restore(folded.text), text);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("foldProse writes repeated lines, headings, targets and phrases once", () => {
  const member = (name: string, line: number) =>
    `#### ${name}\n\n> **${name}**: [\`Key\`](#key)\n\nDefined in: src/store/a.ts:${line}\n`;
  const text = ["one", "two", "three", "four", "five"].map(member).join("\n");
  const folded = foldProse(text, 1);
  const [first, second, third] = folded?.text.split("\n") ?? [];
  assert.equal(first, "… (§ = Defined in: src/store/a.ts:)");
  assert.equal(second, "#### > **one**: [`Key`](#key)");
  assert.equal(third, "");
  assert.ok(folded?.text.includes("#### > **two**: [`Key`]\n\n§1\n"));
});

Deno.test("foldProse leaves a text alone that gains little or has such notes", () => {
  assert.equal(foldProse("a\nb\na\n", 1), undefined);
  const text = `${LINE}\n`.repeat(9);
  assert.notEqual(foldProse(text, 1), undefined);
  assert.equal(foldProse(`${text}… (repeated 3 times)\n`, 1), undefined);
});

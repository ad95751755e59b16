import assert from "node:assert/strict";
import fc from "fast-check";
import { foldProse, unfoldProse } from "../../../src/compressors/prose/fold.ts";

const LINE =
  "This line of the document stands in several places of it, as it is.";

Deno.test("foldProse folds repeated lines and common addresses, and unfoldProse inverts it", () => {
  const line = fc.constantFrom(
    "",
    "short",
    LINE,
    "see https://github.com/acme/widgets/pull/7",
    "see https://github.com/acme/widgets/pull/8 too\r",
    "[u",
    "… (same as",
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }),
      fc.integer({ min: 1, max: 500 }),
      (lines, firstLine) => {
        const text = lines.join("\n");
        const folded = foldProse(text, { firstLine });
        if (folded === undefined) return;
        assert.ok(folded.length < text.length);
        assert.equal(unfoldProse(folded, { firstLine }), text);
      },
    ),
  );
});

Deno.test("foldProse leaves a text alone that gains little or has such notes", () => {
  assert.equal(foldProse("a\nb\na\n", { firstLine: 1 }), undefined);
  const text = `${LINE}\n`.repeat(9);
  assert.notEqual(foldProse(text, { firstLine: 1 }), undefined);
  assert.equal(
    foldProse(`${text}… (same as line 1)\n`, { firstLine: 1 }),
    undefined,
  );
});

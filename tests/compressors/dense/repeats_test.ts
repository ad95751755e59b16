import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldRows,
  unfoldRows,
} from "../../../src/compressors/dense/repeats.ts";

Deno.test("foldRows writes a run of equal rows once", () => {
  const row = "00 ".repeat(20);
  assert.equal(
    foldRows(`${`${row}\n`.repeat(9)}end\n`),
    `${row}\n… (the line above 8 more times)\nend\n`,
  );
  assert.equal(foldRows("a\na\n"), undefined);
  assert.equal(foldRows(`${`${row}\n`.repeat(9)}… (x`), undefined);
});

Deno.test("unfoldRows inverts foldRows", () => {
  const row = fc.constantFrom("", "ab", "0".repeat(40), "0".repeat(40), "\r");
  fc.assert(fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
    const text = rows.join("\n");
    const folded = foldRows(text);
    if (folded === undefined) return;
    assert.ok(folded.length < text.length);
    assert.equal(unfoldRows(folded), text);
  }));
});

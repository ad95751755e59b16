import assert from "node:assert/strict";
import { findTables } from "../../../src/compressors/table/find.ts";
import { foldTables } from "../../../src/compressors/table/fold.ts";
import { unfoldTables } from "../../../src/compressors/table/unfold.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { GOLDENS, orderLines, podLines } from "./samples.ts";

Deno.test("unfoldTables is the inverse of foldTables for each layout", () => {
  const texts = [
    ...GOLDENS.map(({ input }) => input.replaceAll("\r\n", "\n")),
    orderLines(40).join("\n").replaceAll(",", ";"),
    `${podLines(30).join("\n")}\n\ntext\n\n${podLines(12).join("\n")}\n`,
  ];
  let folds = 0;
  for (const text of texts) {
    const lines = indexLines(text);
    const folded = foldTables(lines, findTables(lines));
    if (folded === undefined) continue;
    folds++;
    assert.equal(unfoldTables(folded), text);
  }
  assert.ok(folds > 15, `${folds}`);
});

Deno.test("unfoldTables returns text without notes, and with other notes, as it is", () => {
  for (const text of ["", "a\nb\n", "… (3 lines of poetry)\na\nb\nc\n"]) {
    assert.equal(unfoldTables(text), text);
  }
});

Deno.test("unfoldTables ends all lines as the note says", () => {
  const lines = indexLines(podLines(20).join("\n"));
  const folded = foldTables(lines, findTables(lines), true)!;
  assert.equal(unfoldTables(folded), podLines(20).join("\r\n"));
});

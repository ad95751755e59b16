import assert from "node:assert/strict";
import { renderRows } from "../../../src/compressors/search_results/notes.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";

function render(text: string, kept: readonly number[]) {
  const view = parseSearch(text);
  const keep = new Uint8Array(view.lines.count);
  for (const i of kept) keep[i] = 1;
  return renderRows(view, keep, []);
}

const rows = (path: string, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${path}:${i * 10 + 5}:  callSomething(${i});\n`,
  ).join("");

Deno.test("renderRows notes a gap below the path, with count and lines", () => {
  const { text, omitted } = render(rows("src/deep/a.ts", 6), [0, 5]);
  assert.equal(
    text,
    "… 2 of 6 matches shown, in 1 file\nsrc/deep/a.ts (6 matches)\n5:  callSomething(0);\n" +
      "… 4 more matches: 15,25,35,45\n55:  callSomething(5);\n",
  );
  assert.deepEqual(omitted, { count: 4, total: 6, unit: "matches" });
});

Deno.test("renderRows lists files without a kept row by directory", () => {
  const text = rows("src/deep/a.ts", 6) + rows("src/deep/b.ts", 4) +
    rows("lib/c.ts", 5);
  assert.equal(
    render(text, []).text,
    "… 0 of 15 matches shown, in 3 files\n" +
      "… 15 matches in 3 files omitted: src/deep/ a.ts ×6 (5-55), b.ts:5,15,25,35; lib/ c.ts:5,15,25,35,45\n",
  );
});

Deno.test("renderRows writes few short rows rather than a note", () => {
  const { text, omitted } = render("a/b.ts:1:x\na/b.ts:2:y\na/b.ts:3:z\n", [0]);
  assert.equal(text, "a/b.ts\n1:x\n2:y\n3:z\n");
  assert.equal(omitted.count, 0);
});

Deno.test("renderRows says which characters of a long row are missing", () => {
  const { text, omitted } = render(`a/b.ts:1:${"x".repeat(1000)}`, [0]);
  assert.equal(
    text,
    `a/b.ts\n1:${"x".repeat(238)} … characters 241-1002 of 1002 omitted`,
  );
  assert.equal(omitted.count, 1);
});

import assert from "node:assert/strict";
import { cutFile } from "../../../src/ccr/parts/files.ts";
import { locateIn } from "../../../src/compressors/registry.ts";

/** A file of a text, or the error. */
function cut(text: string, strategy: string, given: string) {
  const { files = [] } = locateIn(text, strategy);
  const found = cutFile(
    { text, way: "lines", items: 0, said: [] },
    files,
    given,
  );
  return "error" in found
    ? found.error
    : [found.text, found.said.join(), [...found.numbers!]];
}

const ROWS = "src/a.ts:1:x\nb.ts:2:y\nsrc/a.ts:9:z";

Deno.test("cutFile gives the exact lines about a file, with its numbers", () => {
  const expected = ["src/a.ts:1:x\nsrc/a.ts:9:z", "src/a.ts", [1, 9]];
  for (const name of ["src/a.ts", "a.ts", "…/a.ts", " ./src/a.ts"]) {
    assert.deepEqual(cut(ROWS, "search", name), expected, name);
  }
});

Deno.test("cutFile takes every file whose name ends so at a slash, unless one is named exactly", () => {
  const rows = "src/c.ts:1:x\nlib/c.ts:2:y\nlib/bc.ts:3:z";
  assert.deepEqual(cut(rows, "search", "c.ts"), [
    "src/c.ts:1:x\nlib/c.ts:2:y\n",
    "2 files: src/c.ts, lib/c.ts",
    [1, 2],
  ]);
  assert.deepEqual(cut("c.ts:1:x\nlib/c.ts:2:y", "search", "c.ts"), [
    "c.ts:1:x\n",
    "c.ts",
    [1],
  ]);
  const windows = "C:\\a\\b.cs:3:x: 4\nC:\\a\\c.cs:5:y";
  assert.deepEqual((cut(windows, "search", "b.cs") as unknown[])[2], [3]);
});

Deno.test("cutFile takes the only file of a diff when none is named, and a file by either name", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const expected = [diff, "x", [0, 0, 1, 1, 1]];
  for (const name of ["", "x", "a/x", "b/x"]) {
    assert.deepEqual(cut(diff, "diff", name), expected, name);
  }
  const renamed =
    "diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n";
  for (const name of ["old.ts", "new.ts", "b/new.ts"]) {
    assert.equal((cut(renamed, "diff", name) as string[])[1], "new.ts", name);
  }
});

Deno.test("cutFile takes a search in one file for the wanted one", () => {
  const rows = "3:x\n9:y\n12:z\n15:x\n16:y\n18:z";
  assert.deepEqual(cut(rows, "search", "any.ts"), [
    rows,
    "the only file",
    [3, 9, 12, 15, 16, 18],
  ]);
});

Deno.test("cutFile names the files that there are", () => {
  assert.equal(
    cut(ROWS, "search", "c.ts"),
    'Cannot find path "c.ts": give one of 2 files: src/a.ts, b.ts',
  );
  assert.match(
    cut("plain", "diff", "c.ts") as string,
    /names no files; ask for lines or a query instead$/,
  );
});

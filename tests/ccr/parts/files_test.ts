import assert from "node:assert/strict";
import { cutFile, type FileKind } from "../../../src/ccr/parts/files.ts";

/** A file of a text, or the error. */
function cut(text: string, kind: FileKind, given: string) {
  const found = cutFile(
    { text, way: "lines", items: 0, said: [] },
    kind,
    given,
  );
  return "error" in found
    ? found.error
    : [found.text, found.said.join(), [...found.numbers!]];
}

Deno.test("cutFile gives the exact lines about a file, with its numbers", () => {
  assert.deepEqual(cut("a.ts:1:x\nb.ts:2:y\na.ts:9:z", "search", "a.ts"), [
    "a.ts:1:x\na.ts:9:z",
    "a.ts",
    [1, 9],
  ]);
});

Deno.test("cutFile takes the only file of a diff when none is named", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  assert.deepEqual(cut(diff, "diff", ""), [diff, "x", [0, 0, 1, 1, 1]]);
});

Deno.test("cutFile names the files that there are", () => {
  assert.equal(
    cut("a.ts:1:x\nb.ts:2:y", "search", "c.ts"),
    'Cannot find path "c.ts": give one of 2 files: a.ts, b.ts',
  );
  assert.match(
    cut("plain", "diff", "c.ts") as string,
    /names no files; ask for lines or a query instead$/,
  );
});

import assert from "node:assert/strict";
import { foldPaths, foldRows } from "../../../src/compressors/paths/fold.ts";
import {
  readColumns,
  readPaths,
  readPlain,
} from "../../../src/compressors/paths/parse.ts";
import { unfoldPaths } from "../../../src/compressors/paths/unfold.ts";

function foldOf(lines: readonly string[]): string[] {
  return foldRows(readPlain(lines).rows, "")!;
}

Deno.test("foldRows writes each directory and extension once", () => {
  assert.deepEqual(foldOf(["src/net/a.ts", "src/net/b.ts", "src/net/c.ts"]), [
    "src/net/*.ts: a b c",
  ]);
  assert.deepEqual(foldOf([" M src/a.ts", " M src/b.ts", "?? src/c.ts"]), [
    " M src/*.ts: a b",
    "?? src/c.ts",
  ]);
});

Deno.test("foldRows writes numbers that count up as a range", () => {
  const frames = Array.from(
    { length: 12 },
    (_, i) => `out/frame_${String(i + 1).padStart(3, "0")}.png`,
  );
  assert.deepEqual(foldOf(frames), ["out/*.png: frame_001..012"]);
});

Deno.test("foldRows gives nothing when a line looks like one of its own", () => {
  const rows = readPlain(["src/a.ts", "see *: b c"]).rows;
  assert.equal(foldRows(rows, ""), undefined);
});

const length = (text: string) => text.length;

Deno.test("foldPaths names the root, and back", () => {
  const names = ["a/b", "a/b/c.ts", "a/b/d.ts", "a/e", "a/e/f.md", "a/g/h.rs"];
  const root = "packages/services/";
  const text = names.map((name) => root + name).join("\n");
  const folded = foldPaths(readPaths(text, [readPlain])!, length)!;
  assert.equal(
    folded.text.split("\n")[0],
    "… 6 paths in packages/services/a/; names fill the *",
  );
  assert.equal(unfoldPaths(folded.text), text);
});

Deno.test("foldPaths leaves sizes alone that hardly get shorter", () => {
  const text = ["9\tsrc/a", "120\ttests", "33\tdocs/b", "4567\tlib"].join("\n");
  const view = readPaths(text, [readColumns, readPlain])!;
  assert.equal(foldPaths(view, length), undefined);
});

Deno.test("foldRows writes the ends of names once that all of a line have", () => {
  assert.deepEqual(foldOf(["a/x.d.ts", "a/y.d.ts", "a/z_1.d.ts"]), [
    "a/*.d.ts: x y z_1",
  ]);
  assert.deepEqual(foldOf(["t/kind_test.ts", "t/fold_test.ts"]), [
    "t/*_test.ts: kind fold",
  ]);
  const mixed = ["t/kind_test.ts", "t/fold_test.ts", "t/samples.ts"];
  assert.deepEqual(foldOf(mixed), ["t/*.ts: kind_test fold_test samples"]);
});

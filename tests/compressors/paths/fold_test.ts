import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldPaths,
  foldRows,
  unfoldRows,
} from "../../../src/compressors/paths/fold.ts";
import {
  plainLine,
  readPaths,
  readPlain,
} from "../../../src/compressors/paths/parse.ts";

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

Deno.test("unfoldRows is the inverse of foldRows for any list", () => {
  const part = fc.constantFrom("src", "a b", "x1", "lib.d", "..3", "é", ".git");
  const name = fc.constantFrom(
    "a.ts",
    "b.ts",
    "c9.ts",
    "c10.ts",
    "c11.ts",
    "1..4",
    "to do.md",
    ".",
    "x|y",
    "Makefile",
    ".env",
    "frame_099.png",
    "frame_100.png",
    "frame_101.png",
    "",
    "é.tar.gz",
    '"q"',
  );
  const lead = fc.constantFrom(
    "",
    "",
    "",
    " M ",
    "?? ",
    "M\t",
    "\t",
    "./",
    "/",
  );
  const line = fc.tuple(lead, fc.array(part, { maxLength: 3 }), name)
    .map(([lead, parts, name]) => lead + [...parts, name].join("/"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const folded = foldRows(readPlain(lines).rows, "");
      if (folded === undefined) return;
      assert.deepEqual(unfoldRows(folded, "").map(plainLine), lines);
    }),
    { numRuns: 400 },
  );
});

Deno.test("foldPaths names the root and the folder itself, and back", () => {
  const text = ["a/b", "a/b/c.ts", "a/b/d.ts", "a/e", "a/e/f.md", "a/g/h.rs"]
    .join("\n");
  const folded = foldPaths(readPaths(text, [readPlain])!)!;
  assert.equal(
    folded.text.split("\n")[0],
    "… 6 paths in a/; names fill the *, . is the folder itself",
  );
  assert.equal(folded.restore(folded.text), text);
});

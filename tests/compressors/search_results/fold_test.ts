import assert from "node:assert/strict";
import fc from "fast-check";
import {
  commonRoot,
  foldSearch,
  shortPath,
  unfoldSearch,
} from "../../../src/compressors/search_results/fold.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";
import { GOLDENS } from "./samples.ts";

const fold = (text: string) => foldSearch(parseSearch(text));

Deno.test("foldSearch is undone by unfoldSearch on real results", () => {
  for (const { name, input } of GOLDENS) {
    const folded = fold(input);
    if (folded !== undefined) assert.equal(unfoldSearch(folded), input, name);
  }
});

const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom(
        "src/a.ts",
        "src/b-12-c.ts",
        "lib/x/y.go",
        "Makefile",
        "C:\\a\\b.cs",
        "/abs/long/path/to/z.py",
        "/abs/long/path/to/w.py",
      ),
      fc.constantFrom(":", "-"),
      fc.integer({ min: 0, max: 999 }),
      fc.constantFrom("text", "", "a:1:b", "x-2-y", "return 1; // é"),
    ).map(([path, mark, number, text]) =>
      `${path}${mark}${number}${mark}${text}`
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "--",
      "",
      "Binary file a.bin matches",
      "grep: x: No such file",
      "12:alone",
      "src/a.ts",
      "src/a.ts:3",
    ),
  },
);

Deno.test("foldSearch is undone by unfoldSearch on generated results", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.boolean(),
      (lines, ends) => {
        const sorted = lines.slice().sort();
        for (const chosen of [lines, sorted]) {
          const text = chosen.join("\n") + (ends ? "\n" : "");
          const folded = fold(text);
          if (folded === undefined) continue;
          assert.ok(folded.length < text.length);
          assert.equal(unfoldSearch(folded), text);
        }
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("foldSearch writes a path once, its rows below", () => {
  const path = "packages/web/src/components";
  assert.equal(
    fold(
      `${path}/A.tsx:1:one\n${path}/A.tsx-2-two\n--\n${path}/A.tsx:9:nine\n${path}/B.tsx:3:x\n`,
    ),
    `${path}/A.tsx\n1:one\n2-two\n--\n9:nine\n…/B.tsx\n3:x\n`,
  );
});

Deno.test("foldSearch refuses a text with lines like its own", () => {
  const rows = "packages/web/src/a.ts:1:x\n".repeat(20);
  assert.equal(fold(`${rows}12:alone\n`), undefined);
  assert.equal(fold(`${rows}…/b.ts\n`), undefined);
  assert.equal(fold(`… (x)\n${rows}`), undefined);
});

Deno.test("shortPath stands for the directory of the path before only", () => {
  assert.equal(shortPath("src/a/b.ts", "src/a/c.ts"), "…/b.ts");
  assert.equal(shortPath("src/a/b.ts", "src/b.ts"), "src/a/b.ts");
  assert.equal(shortPath("a.ts", "b.ts"), "a.ts");
});

Deno.test("commonRoot is a whole directory, and worth its line", () => {
  const files = ["x/a.ts", "y/b.ts", "y/z/c.ts", "x/d.ts"].map((path) => ({
    path: `/home/dev/projects/shop/src/${path}`,
    rows: [],
  }));
  assert.equal(commonRoot(files), "/home/dev/projects/shop/src/");
  assert.equal(commonRoot(files.slice(0, 1)), "");
  assert.equal(commonRoot([]), "");
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { foldPairs, unfoldPairs } from "../../../src/compressors/diff/pairs.ts";
import { diffLine, madeDiff } from "./make_diff.ts";

const fold = (...lines: string[]) =>
  foldPairs(lines.join("\n"), 20).split("\n");

Deno.test("foldPairs writes a line and its successor as one, with whole words marked", () => {
  assert.deepEqual(
    fold(
      "@@ -1 +1 @@",
      "-    return await finishLater(parts, scan, key);",
      "+    return await finish(parts, scan, key);",
      " }",
    ),
    [
      "@@ -1 +1 @@",
      "~    return await [-finishLater-]{+finish+}(parts, scan, key);",
      " }",
    ],
  );
  assert.deepEqual(
    fold(
      "-const value = read(path, options);",
      "+const value = await read(path, options);",
    ),
    ["~const value = {+await +}read(path, options);"],
  );
});

Deno.test("foldPairs keeps lines without a partner, in their order, and finds partners further on", () => {
  assert.deepEqual(
    fold(
      "-something else entirely",
      "-export const LIMIT_OF_BODIES = 10;",
      "+/** How many. */",
      "+export const LIMIT_OF_BODIES = 20;",
      "+more",
    ),
    [
      "-something else entirely",
      "+/** How many. */",
      "~export const LIMIT_OF_BODIES = [-10-]{+20+};",
      "+more",
    ],
  );
});

for (
  const [why, ...lines] of [
    ["have too little in common", "-const a = 1;", "+const a = 2;"],
    [
      "differ more than they agree",
      `-const the_name_of_it = ${"a ".repeat(40)}`,
      `+const the_name_of_it = ${"b ".repeat(40)}`,
    ],
    [
      "hold marks",
      "-const pattern_of_signs = /[-+]/;",
      "+const pattern_of_signs = /[-+]/g;",
    ],
    [
      "may hold a marker",
      "-const note_of_a_form = 'Retrieve more: hash=12';",
      "+const note_of_a_form = 'Retrieve all: hash=12';",
    ],
    [
      "are names of files",
      "--- a/src/compressors/x.ts",
      "+++ b/src/compressors/x.ts",
    ],
    [
      "stand before names of files",
      "-const value = read(path, options);",
      "+const value = read(path, opt);",
      "--- a/x",
      "+++ b/x",
    ],
    [
      "come in another order",
      "+const value = read(path, options);",
      "-const value = read(path, opt);",
    ],
    [
      "are in a merge",
      "@@@ -1 -1 +1 @@@",
      "--const value = read(path, options);",
      "++const value = read(path, opt);",
    ],
    [
      "stand beside such a line",
      "~",
      "-const value = read(path, options);",
      "+const value = read(path, opt);",
    ],
    [
      "are very long",
      `-${"word ".repeat(200)}a`,
      `+${"word ".repeat(200)}b`,
    ],
  ] as const
) {
  Deno.test(`foldPairs leaves lines that ${why}`, () => {
    assert.deepEqual(fold(...lines), lines);
  });
}

Deno.test("unfoldPairs turns every fold back", () => {
  const piece = fc.constantFrom(
    ..."const value = |read(path, options)|await |[|]|{|}|+|-|~|[-|+}|é|\u{1f600}| |x"
      .split("|"),
  );
  const lines = (sign: string) =>
    fc.array(
      fc.tuple(
        fc.array(piece, { maxLength: 3 }),
        fc.array(piece, { maxLength: 2 }),
      )
        .map(([head, tail]) =>
          `${sign}${head.join("")} some words ${tail.join("")}`
        ),
      { maxLength: 4 },
    );
  const run = fc.tuple(lines("-"), lines("+"), lines(" ")).map((all) =>
    all.flat().join("\n")
  );
  let folds = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 3, arbitrary: run }, diffLine)),
      (lines) => {
        const text = lines.join("\n");
        const folded = foldPairs(text, 8);
        if (folded !== text) folds++;
        assert.equal(unfoldPairs(folded), text);
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(folds > 200, `${folds} texts were folded`);
});

Deno.test("unfoldPairs turns folds of made diffs back", () => {
  fc.assert(fc.property(madeDiff, ({ text }) => {
    assert.equal(unfoldPairs(foldPairs(text, 4)), text);
  }));
});

Deno.test("unfoldPairs leaves lines alone that only look like folded ones", () => {
  for (const text of ["~", "~ x\n-a\n+b", "~[-a", "-a\n+b\n-c"]) {
    assert.equal(unfoldPairs(text), text);
  }
});

import assert from "node:assert/strict";
import {
  areNamesImplied,
  headerWithoutNames,
  impliedNames,
  pathOf,
} from "../../../src/compressors/diff/names.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";

const HUNK = "@@ -1 +1 @@\n-a\n+b\n";

for (
  const [header, names] of [
    [["diff --git a/x/y.ts b/x/y.ts"], ["--- a/x/y.ts", "+++ b/x/y.ts"]],
    [["diff --git a/x b/x", "new file mode 100644"], [
      "--- /dev/null",
      "+++ b/x",
    ]],
    [["diff --git a/x b/x", "deleted file mode 100644"], [
      "--- a/x",
      "+++ /dev/null",
    ]],
    [["diff --git a/a b b/a b"], ["--- a/a b\t", "+++ b/a b\t"]],
    [["diff --git i/x w/x"], ["--- i/x", "+++ w/x"]],
    [["diff --git x x"], ["--- x", "+++ x"]],
    [['diff --git "a/\\303\\274" "b/\\303\\274"'], [
      '--- "a/\\303\\274"',
      '+++ "b/\\303\\274"',
    ]],
    [["diff --git a/x b/y z", "rename from x", "rename to y z"], [
      "--- a/x",
      "+++ b/y z\t",
    ]],
    [["diff --cc x/y"], ["--- a/x/y", "+++ b/x/y"]],
    [["diff --git a/x b/y"], undefined],
    [["diff --git a/xx bb/x"], undefined],
    [["diff --git "], undefined],
    [["--- a", "+++ b"], undefined],
    [[], undefined],
  ] as const
) {
  Deno.test(`impliedNames of ${header.join(", ")}`, () => {
    assert.deepEqual(impliedNames(header), names);
  });
}

function parsed(text: string) {
  const { lines, files } = parseDiff(text);
  return { lines, file: files[0]! };
}

Deno.test("areNamesImplied holds only beside an extended header line and before a hunk", () => {
  const names = "--- a/x\n+++ b/x\n";
  for (
    const [text, expected] of [
      [`diff --git a/x b/x\nindex 1..2\n${names}${HUNK}`, true],
      [`diff --git a/x b/x\n${names}${HUNK}`, false],
      [`diff --git a/x b/x\nindex 1..2\n${names}old mode 1\n${HUNK}`, false],
      [`diff --git a/x b/x\nindex 1..2\n${names}`, false],
      [`diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/y\n${HUNK}`, false],
      [`${names}${HUNK}`, false],
    ] as const
  ) {
    const { lines, file } = parsed(text);
    assert.equal(areNamesImplied(lines, file), expected, text);
  }
});

Deno.test("headerWithoutNames leaves the other header lines", () => {
  const { lines, file } = parsed(
    `diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n${HUNK}`,
  );
  assert.deepEqual(headerWithoutNames(lines, file), [
    "diff --git a/x b/x",
    "index 1..2",
  ]);
});

for (
  const [text, path] of [
    [`--- old/x.ts\t2024\n+++ new/x.ts\t2024\n${HUNK}`, "new/x.ts"],
    [`--- a/x.ts\n+++ /dev/null\n${HUNK}`, "x.ts"],
    [`--- "a/\\303\\274"\n+++ "b/\\303\\274"\n${HUNK}`, "\\303\\274"],
    ["diff --git a/x b/y\nrename from x\nrename to y\n", "y"],
    ["diff --git a/x b/other\nold mode 1\n", "other"],
    [`diff --cc x/y\nindex 1,2..3\n${HUNK}`, "x/y"],
  ] as const
) {
  Deno.test(`pathOf names ${path}`, () => {
    const { lines, file } = parsed(text);
    assert.equal(pathOf(lines, file), path);
  });
}

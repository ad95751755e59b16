import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import {
  elideWordDiff,
  wordHunks,
} from "../../../src/compressors/diff/word_diff.ts";

const HEADER = [
  "diff --git a/x.ts b/x.ts",
  "index 12ab..34cd 100644",
  "--- a/x.ts",
  "+++ b/x.ts",
];
const far = (name: string) => `  ${name} ${"x".repeat(40)}`;

function short(lines: readonly string[]) {
  const diff = parseDiff(lines.join("\n"));
  return elideWordDiff(diff, wordHunks(diff)!);
}

Deno.test("elideWordDiff keeps marked lines and counts the context that is gone", () => {
  const { text, omitted } = short([
    "commit 12ab34c",
    "",
    ...HEADER,
    "@@ -1,5 +1,5 @@ f()",
    far("a"),
    "[-gone-]",
    far("b"),
    "const x = [-1-]{+2+};",
    "  {+come+}",
    "}",
    "commit 56de78f",
    "",
    ...HEADER,
    "@@ -9 +9 @@",
    "a [-b-]",
    "",
  ]);
  assert.deepEqual(text.split("\n"), [
    "commit 12ab34c",
    "",
    "… index and --- lines omitted",
    "+++ b/x.ts",
    "@@ -1,5 +1,5 @@ f() … 1 context line",
    "[-gone-]",
    "… 1 context line",
    "const x = [-1-]{+2+};",
    "  {+come+}",
    "}",
    "commit 56de78f",
    "",
    "+++ b/x.ts",
    "@@ -9 +9 @@",
    "a [-b-]",
    "",
  ]);
  assert.deepEqual(omitted, { count: 8, total: 21, unit: "lines" });
});

Deno.test("elideWordDiff keeps text behind a hunk, and headers that say more than a name", () => {
  const lines = [
    "diff --git a/x.ts b/y.ts",
    "similarity index 90%",
    ...HEADER.slice(1),
    "@@ -1,2 +1,2 @@",
    "a [-b-]{+c+}",
    far("d"),
    far("the end of what was printed"),
  ];
  const out = short(lines).text.split("\n");
  assert.deepEqual(out.slice(0, 5), lines.slice(0, 5));
  assert.deepEqual(out.slice(-2), ["… 1 context line", lines.at(-1)]);
});

Deno.test("wordHunks takes no diff with signs, none without marks, and no marks without a diff", () => {
  const hunk = (...body: string[]) =>
    wordHunks(parseDiff([...HEADER, "@@ -1 +1 @@", ...body].join("\n")));
  assert.deepEqual(hunk("a [-b-]{+c+}"), [{ start: 4, end: 6 }]);
  assert.equal(hunk("-a", "+b [-c-]"), undefined);
  assert.equal(hunk("a"), undefined);
  assert.equal(hunk("a [-b-]", "@@ -9 +9 @@", "c"), undefined);
  assert.equal(wordHunks(parseDiff("a [-b-]")), undefined);
});

Deno.test("elideWordDiff keeps every mark, and loses no line without counting it", () => {
  const line = fc.constantFrom(
    "{+new+}",
    "[-old-]",
    "a [-b-]{+c+} d",
    "}",
    "",
    far("a"),
    far("b"),
    "- item",
  );
  fc.assert(fc.property(fc.array(line, { maxLength: 30 }), (body) => {
    const lines = [
      ...HEADER,
      `@@ -1,${body.length + 1} +1,${body.length + 1} @@`,
      "[-first-]{+second+}",
      ...body,
    ];
    const diff = parseDiff(lines.join("\n"));
    const hunks = wordHunks(diff);
    if (hunks === undefined) return;
    const { text, omitted } = elideWordDiff(diff, hunks);
    const out = text.split("\n");
    const marked = (all: readonly string[]) =>
      all.filter((each) => /[{[][+-]/.test(each));
    assert.deepEqual(marked(out), marked(lines));
    const counted = [...text.matchAll(/… (\d+) context/g)]
      .reduce((sum, [, count]) => sum + Number(count), 0);
    assert.equal(omitted.count, counted + 3);
    const notes = out.filter((each) => each.startsWith("… ")).length;
    assert.equal(out.length - notes + omitted.count, lines.length);
  }));
});

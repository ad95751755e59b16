import assert from "node:assert/strict";
import { locateIn } from "../../src/compressors/registry.ts";

/** Lines of each file with their numbers. */
function filesIn(text: string, strategy: string): readonly string[] {
  const lines = text.split("\n");
  return (locateIn(text, strategy).files ?? []).map((file) =>
    file.lines.map((at, i) => {
      const { change, numbers } = file;
      const before = change === undefined ? "" : `${change.numbers[i]} `;
      return `${before}${numbers[i]} ${lines[at]}`;
    }).join("\n")
  );
}

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ head
 one
-two
+TWO
+2
 three
@@ -9 +10 @@
-x
+y
\\ No newline at end of file
diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
`;
const ROWS = Array.from(
  { length: 12 },
  (_, i) => `src/a.ts:${i + 7}:hit ${i}:9:`,
);

Deno.test("locateIn numbers the lines of a diff before and after the change", () => {
  const [first = "", second = ""] = filesIn(DIFF, "diff");
  assert.deepEqual(first.split("\n").slice(4), [
    "1 1 @@ -1,3 +1,4 @@ head",
    "1 1  one",
    "2 2 -two",
    "3 2 +TWO",
    "3 3 +2",
    "3 4  three",
    "9 10 @@ -9 +10 @@",
    "9 10 -x",
    "10 10 +y",
    "10 11 \\ No newline at end of file",
  ]);
  assert.equal(second.split("\n").length, 4);
});

Deno.test("locateIn takes no message between commits for a file's", () => {
  const commit = (id: string) =>
    `commit ${id.repeat(40)}\nAuthor: A <a@b.c>\n\n    message\n\n${DIFF}`;
  const files = filesIn(commit("a") + commit("b"), "diff");
  assert.equal(files.length, 4);
  assert.ok(files.every((file) => !file.includes("message")));
});

Deno.test("locateIn takes removed lines that look like headers for what they are", () => {
  const text =
    "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- note\n keep\n--- a/y.sql\n+++ b/y.sql\n@@ -1 +1 @@\n-a\n+b\n";
  const files = filesIn(text, "diff");
  assert.deepEqual(files.map((file) => file.split("\n").length), [5, 5]);
});

Deno.test("locateIn reads Subversion and merges", () => {
  const svn = `Index: src/a.c\n${
    "=".repeat(67)
  }\n--- src/a.c\t(revision 1)\n+++ src/a.c\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n`;
  assert.equal(filesIn(svn, "diff")[0]?.split("\n").length, 7);
  const merge =
    "diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,2 -1,3 +1,3 @@@\n  one\n- two\n -TWO\n++both\n+ more\n";
  assert.deepEqual(
    filesIn(merge, "diff")[0]?.split("\n").map((line) => line.split(" ")[1]),
    ["0", "0", "0", "0", "1", "1", "2", "2", "2", "3"],
  );
});

Deno.test("locateIn finds rows of a search by file, with those around them", () => {
  const rows = [
    "src/a.ts-6-before",
    ...ROWS,
    "--",
    "lib/c.ts=3=class A {",
    "lib/c.ts:5:y",
  ];
  const [a = "", c = ""] = filesIn(rows.join("\n"), "search");
  assert.deepEqual(a.split("\n").map((line) => line.split(" ")[0]), [
    "6",
    ...ROWS.map((_, i) => `${i + 7}`),
  ]);
  assert.equal(c, "3 lib/c.ts=3=class A {\n5 lib/c.ts:5:y");
});

Deno.test("locateIn reads headings above rows", () => {
  const text = "src/a.ts\n1:x\n4-y\n5:z\n\nsrc/b.ts\n2:z\n3-y\n8:w";
  assert.deepEqual(filesIn(text, "search"), [
    "1 1:x\n4 4-y\n5 5:z",
    "2 2:z\n3 3-y\n8 8:w",
  ]);
});

Deno.test("locateIn numbers lines only where no file is named", () => {
  const one = locateIn("3:x\n4-y\n--\n9:z\n11:w\n", "search");
  assert.deepEqual([...one.numbers!], [3, 4, 0, 9, 11]);
  assert.equal(locateIn(ROWS.join("\n"), "search").numbers, undefined);
});

const NUMBERED = Array.from({ length: 9 }, (_, i) => `${i + 40}→line ${i}\n`);

Deno.test("locateIn reads the numbers before the lines of a file, 0 where there is none", () => {
  const { numbers } = locateIn(`head\n${NUMBERED.join("")}tail`, "numbered");
  const expected = [0, ...NUMBERED.map((_, i) => i + 40), 0];
  assert.deepEqual([...numbers!], expected);
});

Deno.test("locateIn counts lines of texts inside others by the whole", () => {
  const wrapped = `Exit code: 0\nWall time: 1 seconds\nOutput:\n${
    NUMBERED.join("")
  }`;
  const { numbers } = locateIn(wrapped, "wrapped:numbered");
  assert.deepEqual([...numbers!], [0, 0, 0, ...NUMBERED.map((_, i) => i + 40)]);
  const mixed = `${
    "Words about the change that follows. ".repeat(12)
  }\n\n\`\`\`diff\n${DIFF}\`\`\`\n`;
  assert.deepEqual(filesIn(mixed, "mixed"), filesIn(DIFF, "diff"));
});

Deno.test("locateIn says nothing of a text that is not of the kind, or of no kind", () => {
  for (const strategy of ["diff", "search", "numbered", "log", "", "unknown"]) {
    assert.deepEqual(locateIn("plain\nwords\n", strategy), {}, strategy);
  }
});

Deno.test("locateIn numbers the lines of a text with references as they are numbered", () => {
  const text = Array.from({ length: 20 }, (_, i) => `${i + 31}→line`).join(
    "\n",
  );
  assert.deepEqual(
    [...locateIn(text, "dedupe").numbers ?? []].slice(0, 2),
    [31, 32],
  );
  assert.deepEqual(locateIn("a\nb\nc", "dedupe"), {});
});

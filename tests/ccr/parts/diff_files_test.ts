import assert from "node:assert/strict";
import { diffFile } from "../../../src/ccr/parts/diff_files.ts";

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
rename from old.ts
rename to new.ts
`;

/** Lines of a file with their numbers before and after. */
function read(text: string, file: string): string[] | object {
  const found = diffFile(text, file);
  if ("total" in found) return found;
  const lines = text.split("\n");
  return found.lines.map((line, i) =>
    `${found.change!.numbers[i]} ${found.numbers[i]} ${lines[line]}`
  );
}

Deno.test("diffFile numbers the lines of a file before and after the change", () => {
  assert.deepEqual((read(DIFF, "src/a.ts") as string[]).slice(4), [
    "1 1 @@ -1,3 +1,4 @@ head",
    "1 1  one",
    "2 2 -two",
    "3 2 +TWO",
    "3 3 +2",
    "3 4  three",
    "9 10 @@ -9 +10 @@",
    "9 10 -x",
    "10 10 +y",
    "9 10 \\ No newline at end of file",
  ]);
});

Deno.test("diffFile finds a file by either name, its prefix or its end", () => {
  for (const name of ["old.ts", "new.ts", "b/new.ts"]) {
    assert.equal((read(DIFF, name) as string[]).length, 3, name);
  }
  assert.equal((read(DIFF, "a.ts") as string[]).length, 14);
  assert.deepEqual(read(DIFF, "c.ts"), {
    names: ["src/a.ts", "new.ts"],
    total: 2,
  });
});

Deno.test("diffFile takes removed lines that look like headers for what they are", () => {
  const text =
    "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- note\n keep\n--- a/y.sql\n+++ b/y.sql\n@@ -1 +1 @@\n-a\n+b\n";
  assert.equal((read(text, "x.sql") as string[]).length, 5);
  assert.equal((read(text, "y.sql") as string[]).length, 5);
});

Deno.test("diffFile leaves messages between commits out", () => {
  const text = `commit ${"a".repeat(40)}\n\n    message\n\n${DIFF}commit ${
    "b".repeat(40)
  }\n\n    other\n\n${DIFF}`;
  const found = read(text, "new.ts") as string[];
  assert.equal(found.length, 6);
  assert.ok(found.every((line) => !line.includes("message")));
});

Deno.test("diffFile reads Subversion and merges", () => {
  const svn = `Index: src/a.c\n${
    "=".repeat(67)
  }\n--- src/a.c\t(revision 1)\n+++ src/a.c\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n`;
  assert.equal((read(svn, "src/a.c") as string[]).length, 7);
  const merge =
    "diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,2 -1,2 +1,3 @@@\n  one\n- two\n -TWO\n++both\n+ more\n";
  assert.deepEqual(
    (read(merge, "a.ts") as string[]).map((line) => line.split(" ")[1]),
    ["0", "0", "0", "0", "1", "1", "2", "2", "2", "3"],
  );
});

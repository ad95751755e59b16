import assert from "node:assert/strict";
import { diffView } from "../../../src/cli/agents/diff_view.ts";

Deno.test("diffView shows the change with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  assert.equal(
    diffView({ file: "/f", before, after: before.replace("5\n", "x\ny\n") }),
    "--- /f\n+++ /f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n",
  );
});

Deno.test("diffView shows a new and a removed file", () => {
  assert.equal(
    diffView({ file: "/f", before: undefined, after: "a\nb\n" }),
    "--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+a\n+b\n",
  );
  assert.equal(
    diffView({ file: "/f", before: "a\n", after: undefined }),
    "--- /f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
  );
});

Deno.test("diffView says where the last line has no end", () => {
  assert.equal(
    diffView({ file: "/f", before: "a", after: "a\n" }),
    "--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
  );
});

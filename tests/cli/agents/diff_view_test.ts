import assert from "node:assert/strict";
import {
  diffView,
  type FileChange,
} from "../../../src/cli/agents/diff_view.ts";

/** The view of a change from one text to another; only brackets and `ours` are shown. */
function view(
  before: FileChange["before"],
  after: FileChange["after"],
  ours: readonly string[] = [],
): string {
  return diffView({ file: "/f", before, after, known: new Set(ours) });
}

Deno.test("diffView shows the change with three lines around it", () => {
  const before = "{\n[\n{\n[\n5\n{\n[\n{\n[\n";
  assert.equal(
    view(before, before.replace("5\n", "6\n7\n")),
    "--- /f\n+++ /f\n@@ -2,7 +2,8 @@\n [\n {\n [\n-5\n+6\n+7\n {\n [\n {\n",
  );
});

Deno.test("diffView shows our values, and none of others", () => {
  const before =
    '{\n  "key": "sk-1",\n  "svc": {"args": ["sk-2"]},\n  "x": ["sk-3"]\n}\n';
  const after = before.replace('["sk-2"]', '["serve"]');
  const shown = view(before, after, ["serve"]);
  assert.doesNotMatch(shown, /sk-/);
  assert.equal(
    shown.slice(shown.indexOf("@@\n") + 3),
    ' {\n   "key": …\n-  "svc": {"args": ["…"]},\n+  "svc": {"args": ["serve"]},\n   "x": …\n }\n',
  );
});

Deno.test("diffView shows a new and a removed file", () => {
  assert.equal(
    view(undefined, "[a]\n[b]\n"),
    "--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+[a]\n+[b]\n",
  );
  assert.equal(
    view("[a]\n", undefined),
    "--- /f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-[a]\n",
  );
});

Deno.test("diffView says where the last line has no end", () => {
  assert.equal(
    view("[a]", "[a]\n"),
    "--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-[a]\n\\ No newline at end of file\n+[a]\n",
  );
});

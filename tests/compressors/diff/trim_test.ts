import assert from "node:assert/strict";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { keptRuns } from "../../../src/compressors/diff/trim.ts";

/** Lines of each run. */
function kept(body: readonly string[], heading = ""): readonly string[][] {
  const old = body.filter((line) => /^[- ]/.test(line)).length;
  const added = body.filter((line) => /^[+ ]/.test(line)).length;
  const text = `--- a\n+++ b\n@@ -1,${old} +1,${added} @@${heading}\n${
    body.join("\n")
  }\n`;
  const { lines, files } = parseDiff(text);
  return keptRuns(lines, files[0]!.hunks[0]!).map((run) =>
    lines.slice(run.start, run.end)
  );
}

const far = (name: string) => ` ${name} ${"x".repeat(70)}`;

Deno.test("keptRuns keeps the line before added ones, or the one behind", () => {
  const body = [far("a"), far("b"), "+d", far("e"), far("f")];
  assert.deepEqual(kept(body), [body.slice(1, 3)]);
  assert.deepEqual(kept(body, " f()"), [body.slice(1, 3)]);
  assert.deepEqual(kept(body.slice(2)), [body.slice(2, 4)]);
  const behind = [far("a"), " }", "+d", far("e"), far("f")];
  assert.deepEqual(kept(behind), [behind.slice(2, 4)]);
});

Deno.test("keptRuns keeps no context where a removed line, or heading and two added ones, tell the place", () => {
  const body = [far("a"), far("b"), "-c", "+d", far("e"), far("f")];
  assert.deepEqual(kept(body), [["-c", "+d"]]);
  const added = [far("a"), far("b"), "+c", "+d", far("e"), far("f")];
  assert.deepEqual(kept(added, " f()"), [["+c", "+d"]]);
});

Deno.test("keptRuns drops context that tells nothing", () => {
  const body = [far("a"), " }", "+d", "", " });", far("f")];
  assert.deepEqual(kept(body), [["+d"]]);
});

Deno.test("keptRuns leaves out a gap only where its note pays", () => {
  const near = [far("a"), far("b"), "-c", " d", " e", " f", "-g", far("h")];
  assert.deepEqual(kept(near), [near.slice(2, -1)]);
  const gap = [" d", far("e"), " h"];
  assert.deepEqual(kept(["-c", ...gap, "-i"]), [["-c"], ["-i"]]);
});

Deno.test("keptRuns keeps short ends", () => {
  const body = [" a", " b", "-c", "+d", " e"];
  assert.deepEqual(kept(body, " f()"), [body]);
});

Deno.test("keptRuns keeps the remark with its line", () => {
  const remark = "\\ No newline at end of file";
  const body = [far("a"), far("b"), "-c", remark, "+d", remark];
  assert.deepEqual(kept(body), [body.slice(2)]);
  const after = [far("a"), " }", "+c", " d", remark];
  assert.deepEqual(kept(after), [after.slice(2)]);
});

Deno.test("keptRuns keeps all of a hunk that was cut or has no change", () => {
  const cut = "--- a\n+++ b\n@@ -1,9 +1,9 @@\n a\n b\n-c\n";
  const { lines, files } = parseDiff(cut);
  assert.deepEqual(keptRuns(lines, files[0]!.hunks[0]!), [
    { start: 3, end: 6, changed: 1 },
  ]);
  assert.deepEqual(kept([" a", " b"]), [[" a", " b"]]);
});

Deno.test("keptRuns counts changed lines", () => {
  const text = "--- a\n+++ b\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n";
  const { lines, files } = parseDiff(text);
  assert.equal(keptRuns(lines, files[0]!.hunks[0]!)[0]!.changed, 3);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { elide } from "../../../src/compressors/diff/elide.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { applyPatch, madeDiff, patchOf } from "./make_diff.ts";

const short = (text: string) => elide(parseDiff(text));

function numbered(count: number, prefix: string): string {
  return Array.from({ length: count }, (_, i) => `${prefix}line ${i}\n`).join(
    "",
  );
}

Deno.test("elide keeps a patch that gives the same file, with counts that hold", () => {
  fc.assert(fc.property(madeDiff, ({ old, added, text }) => {
    const patch = patchOf(short(text).text, old);
    const { lines, files } = parseDiff(patch);
    assert.equal(files.length, 1);
    assert.ok(files[0]!.hunks.every((hunk) => hunk.complete));
    assert.deepEqual(applyPatch(old, lines, files[0]!), added);
  }));
});

Deno.test("elide keeps every changed line and counts every context line that is gone", () => {
  const bodyLines = (text: string, sign: RegExp) =>
    text.split("\n").slice(4).filter((line) => sign.test(line));
  fc.assert(fc.property(madeDiff, ({ text }) => {
    const { text: form, omitted } = short(text);
    const body = `\n${form}`;
    assert.deepEqual(bodyLines(body, /^[+-]/), bodyLines(text, /^[+-]/));
    const counted = [...form.matchAll(/^(?:@@ .*)?… (\d+) context lines?/gm)]
      .reduce((sum, [, count]) => sum + Number(count), 0);
    const gone = bodyLines(text, /^ /).length - bodyLines(body, /^ /).length;
    assert.equal(counted, gone);
    assert.equal(omitted.count, gone + 2, "and the index and --- lines");
    assert.equal(omitted.total, text.split("\n").length - 1);
  }));
});

Deno.test("elide keeps the diff line where other header lines stay, else the new name", () => {
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const names = "--- a/x\n+++ b/x\n";
  assert.equal(
    short(`diff --git a/x b/x\nindex 1..2 100644\n${names}${hunk}`).text,
    `… index and --- lines omitted\n+++ b/x\n${hunk}`,
  );
  const mode = "old mode 100644\nnew mode 100755\n";
  assert.equal(
    short(`diff --git a/x b/x\n${mode}index 1..2\n${names}${hunk}`).text,
    `… index lines omitted\ndiff --git a/x b/x\n${mode}${hunk}`,
  );
});

Deno.test("elide shortens hashes of commits visibly, and names an author once", () => {
  const commit = (hash: string, author: string) =>
    `commit ${
      hash.repeat(40)
    } (HEAD)\nAuthor: ${author}\nDate:   today\n\n    Why\n\n`;
  const file = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
  const text = ["a", "b", "c"].map((hash, i) =>
    commit(hash, i === 2 ? "C <c@x>" : "A <a@x>") + file
  ).join("");
  assert.deepEqual(
    short(text).text.split("\n").filter((line) => /^(?:c|A)/.test(line)),
    [
      "commit aaaaaaaaaaaa… (HEAD)",
      "Author: A <a@x>",
      "commit bbbbbbbbbbbb… (HEAD)",
      "Author: as above",
      "commit cccccccccccc… (HEAD)",
      "Author: C <c@x>",
    ],
  );
  assert.equal(short(`commit abc\n${file}`).text, `commit abc\n${file}`);
});

Deno.test("elide keeps the first lines of a deleted file and what it declared", () => {
  const body = [...Array(40).keys()].map((i) => `-function f${i}() {}\n`);
  const text =
    `diff --git a/x.ts b/x.ts\ndeleted file mode 100644\nindex 12ab..0000\n--- a/x.ts\n+++ /dev/null\n@@ -1,40 +0,0 @@\n${
      body.join("")
    }`;
  const { text: form, omitted } = short(text);
  const lines = form.split("\n");
  assert.deepEqual(lines.slice(0, 5), [
    "… index lines omitted",
    "diff --git a/x.ts b/x.ts",
    "deleted file mode 100644",
    "@@ -1,6 +0,0 @@",
    "-function f0() {}",
  ]);
  assert.match(
    lines.at(-2)!,
    /^… x\.ts: 34 lines omitted \(\+0 -34\), old lines 7-40; declares f6, f7/,
  );
  assert.equal(omitted.count, 35);
  const emptied = text.replace("deleted file mode 100644\n", "")
    .replace("/dev/null", "b/x.ts");
  assert.equal(short(emptied).omitted.count, 2, "index and --- lines");
});

Deno.test("elide keeps modes, renames, binary lines, messages and trailing text", () => {
  const text =
    "commit 1\n\n    Why\n\ndiff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\ndiff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\ndiff --git a/s b/s\nold mode 100644\nnew mode 100755\nthe end\n";
  assert.deepEqual(short(text), {
    text,
    omitted: { count: 0, total: 14, unit: "lines" },
  });
});

Deno.test("elide says once that index lines are gone", () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0..1\n`;
  assert.deepEqual(short(`${file("a")}${file("b")}`), {
    text:
      "… index lines omitted\ndiff --git a/a b/a\nnew file mode 100644\ndiff --git a/b b/b\nnew file mode 100644\n",
    omitted: { count: 2, total: 6, unit: "lines" },
  });
});

Deno.test("elide keeps both ends of more than 200 changed lines in a row", () => {
  const { text, omitted } = short(
    `--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1,300 @@\n${numbered(300, "+")}`,
  );
  const lines = text.split("\n");
  assert.equal(lines[2], "@@ -0,0 +1,24 @@");
  assert.equal(lines[26], "+line 23");
  assert.equal(
    lines[27],
    "… x.txt: 268 lines omitted (+268 -0), new lines 25-292",
  );
  assert.equal(lines[28], "@@ -0,0 +293,8 @@");
  assert.equal(lines.at(-2), "+line 299");
  assert.deepEqual(omitted, { count: 268, total: 303, unit: "lines" });
});

Deno.test("elide keeps 200 changed lines in a row", () => {
  const text = `--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1,200 @@\n${
    numbered(200, "+")
  }`;
  assert.deepEqual(short(text).omitted.count, 0);
  assert.equal(short(text).text, text);
});

Deno.test("elide summarises a lock file over all of its hunks", () => {
  const hunks = Array.from(
    { length: 9 },
    (_, i) =>
      `@@ -${i * 10 + 1},4 +${i * 10 + 1},4 @@\n a\n-b ${i}\n+c ${i}\n d\n e\n`,
  );
  const text = `--- a/yarn.lock\n+++ b/yarn.lock\n${hunks.join("")}`;
  const { text: form, omitted } = short(text);
  assert.deepEqual(
    form.split("\n"),
    [
      "--- a/yarn.lock",
      "+++ b/yarn.lock",
      "@@ -1,4 +1,4 @@",
      " a",
      "-b 0",
      "+c 0",
      " d",
      " e",
      "… yarn.lock: 36 lines omitted in 8 hunks (+7 -7, 22 context), new lines 5-81",
      "@@ -82,3 +82,3 @@",
      "-b 8",
      "+c 8",
      " d",
      " e",
      "",
    ].filter((_, i) => i !== -1),
  );
  assert.equal(omitted.count, 36);
});

Deno.test("elide leaves a hunk alone that does not have the lines that it counts", () => {
  const text = `--- a/x\n+++ b/x\n@@ -1,90 +1,91 @@\n${numbered(9, " ")}+new\n${
    numbered(9, " ")
  }[output truncated]\n`;
  assert.equal(short(text).text, text);
});

Deno.test("elide leaves out encoded binary data but not its sizes", () => {
  const data = `z${"A1b2".repeat(10)}\n`.repeat(6);
  const head = "diff --git a/p b/p\nnew file mode 100644\n";
  const text =
    `${head}GIT binary patch\nliteral 99\n${data}\nliteral 0\nHcmV?d00001\n\n`;
  assert.deepEqual(short(text), {
    text:
      `${head}GIT binary patch\nliteral 99\n… 6 lines of binary data omitted\n\nliteral 0\nHcmV?d00001\n\n`,
    omitted: { count: 6, total: 14, unit: "lines" },
  });
});

Deno.test("elide recounts combined hunks", () => {
  const far = (name: string) => `  ${name} ${"x".repeat(50)}\n`;
  const text =
    `diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -5,7 -6,7 +5,7 @@@ f()\n${
      far("a")
    }${far("b")}${far("c")}- d\n -e\n++f\n${far("g")}${far("h")}${far("i")}`;
  assert.equal(
    short(text).text,
    "… index and --- lines omitted\n+++ b/x\n@@@ -8 -9 +8 @@@ f() … 6 context lines\n- d\n -e\n++f\n",
  );
});

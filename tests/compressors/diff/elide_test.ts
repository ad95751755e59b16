import assert from "node:assert/strict";
import fc from "fast-check";
import { elide } from "../../../src/compressors/diff/elide.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { applyPatch, madeDiff } from "./make_diff.ts";

const short = (text: string) => elide(parseDiff(text));

function numbered(count: number, prefix: string): string {
  return Array.from({ length: count }, (_, i) => `${prefix}line ${i}\n`).join(
    "",
  );
}

Deno.test("elide keeps a patch that gives the same file, with counts that hold", () => {
  fc.assert(fc.property(madeDiff, ({ old, added, text }) => {
    const { text: form } = short(text);
    const { lines, files } = parseDiff(form);
    assert.equal(files.length, 1);
    assert.ok(files[0]!.hunks.every((hunk) => hunk.complete));
    assert.deepEqual(applyPatch(old, lines, files[0]!), added);
  }));
});

Deno.test("elide keeps every changed line and names every context line that is gone", () => {
  fc.assert(fc.property(madeDiff, ({ text }) => {
    const { text: form, omitted } = short(text);
    assert.deepEqual(changes(form), changes(text));
    const named = [...form.matchAll(/^@@.* … context (\S+) omitted$/gm)]
      .flatMap(([, ranges]) => ranges!.split(",").flatMap(numbersOf));
    const gone = contextNumbers(text).filter((line) =>
      !contextNumbers(form).includes(line)
    );
    assert.deepEqual(named, gone);
    assert.equal(omitted.count, gone.length + 1, "and the index line");
    assert.equal(omitted.total, text.split("\n").length - 1);
  }));
});

function changes(text: string): readonly string[] {
  const { lines, files } = parseDiff(text);
  return files.flatMap(({ hunks }) => hunks).flatMap(({ start, end }) =>
    lines.slice(start + 1, end).filter((line) => /^[+-]/.test(line))
  );
}

/** New-side numbers of the context lines. */
function contextNumbers(text: string): readonly number[] {
  const { lines, files } = parseDiff(text);
  return files.flatMap(({ hunks }) => hunks).flatMap((hunk) => {
    const { start, count } = hunk.header.sides.at(-1)!;
    let next = count === 0 ? start + 1 : start;
    return lines.slice(hunk.start + 1, hunk.end).flatMap((line) => {
      if (!line.startsWith("-")) next++;
      return line.startsWith(" ") ? [next - 1] : [];
    });
  });
}

function numbersOf(range: string): number[] {
  const [first, last = first] = range.split("-").map(Number);
  return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
}

Deno.test("elide keeps the diff line where other header lines stay, else the names", () => {
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const names = "--- a/x\n+++ b/x\n";
  assert.equal(
    short(`diff --git a/x b/x\nindex 1..2 100644\n${names}${hunk}`).text,
    `… index lines omitted\n${names}${hunk}`,
  );
  const mode = "old mode 100644\nnew mode 100755\n";
  assert.equal(
    short(`diff --git a/x b/x\n${mode}index 1..2\n${names}${hunk}`).text,
    `… index lines omitted\ndiff --git a/x b/x\n${mode}${hunk}`,
  );
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
    "… index lines omitted\n--- a/x\n+++ b/x\n@@@ -8 -9 +8 @@@ f() … context 5-7,9-11 omitted\n- d\n -e\n++f\n",
  );
});

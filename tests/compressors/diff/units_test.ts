import assert from "node:assert/strict";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import {
  CHANGE,
  CONTEXT,
  DATA,
  diffLines,
  diffUnits,
  HUNK,
  REPEATS,
  TEXT,
} from "../../../src/compressors/diff/units.ts";

function linesOf(lines: readonly string[]) {
  const text = `${lines.join("\n")}\n`;
  const view = parseDiff(text);
  assert(view !== undefined);
  const list = diffLines(view);
  return { view, list, units: diffUnits(view, list) };
}

const FILE = [
  "diff --git a/src/x.ts b/src/x.ts",
  "index 12ab34c..56de78f 100644",
  "--- a/src/x.ts",
  "+++ b/src/x.ts",
];

Deno.test("diffLines says what each line is, with its numbers", () => {
  const { list } = linesOf([
    ...FILE,
    "@@ -3,3 +3,4 @@ f()",
    " a",
    "-b",
    "+c",
    "+d",
    " e",
  ]);
  const { roles, before, after } = list;
  assert.deepEqual([...roles.subarray(0, 10)], [
    TEXT,
    REPEATS,
    REPEATS,
    REPEATS,
    HUNK,
    CONTEXT,
    CHANGE,
    CHANGE,
    CHANGE,
    CONTEXT,
  ]);
  assert.deepEqual([...before.subarray(5, 10)], [3, 4, 5, 5, 5]);
  assert.deepEqual([...after.subarray(5, 10)], [3, 4, 4, 5, 6]);
});

Deno.test("diffLines keeps a line of context where nothing else shows the place", () => {
  const stays = (header: string) => {
    const { view, list } = linesOf([
      ...FILE,
      header,
      " before",
      "+new",
      " behind",
    ]);
    return view.lines.filter((line, i) =>
      /^[ +]\w/.test(line) && list.stays[i]
    );
  };
  assert.deepEqual(stays("@@ -3,2 +3,3 @@"), [" before", "+new"]);
  assert.deepEqual(stays("@@ -3,2 +3,3 @@ function f() {"), ["+new"]);
});

Deno.test("diffLines keeps names that the first line of a header does not say", () => {
  const kept = (names: readonly string[]) => {
    const { view, list } = linesOf([...names, "@@ -1 +1 @@", "-a", "+b"]);
    return view.lines.filter((_, i) => i < names.length && list.stays[i] === 1);
  };
  assert.deepEqual(kept(FILE), FILE.slice(0, 1));
  const other = ["--- old/x.ts", "+++ new/x.ts"];
  assert.deepEqual(kept(other), other);
  const renamed = ["diff --git a/x b/y", "rename from x", "rename to y"];
  assert.deepEqual(kept([...renamed, "--- a/x", "+++ b/y"]), renamed);
});

Deno.test("diffLines leaves out the inside of bulk, of files that are gone, of long runs and of binary data", () => {
  const run = (count: number, sign: string) =>
    Array.from({ length: count }, (_, i) => `${sign}line ${i}`);
  const gaps = (lines: readonly string[]) => {
    const { list } = linesOf(lines);
    return [...list.stays].filter((stay, i) =>
      stay === 0 && (list.roles[i] === CHANGE || list.roles[i] === DATA)
    ).length;
  };
  assert.equal(
    gaps(["--- a/x.lock", "+++ b/go.sum", "@@ -0,0 +1,90 @@", ...run(90, "+")]),
    80,
  );
  assert.equal(
    gaps(["--- a/x.ts", "+++ /dev/null", "@@ -1,90 +0,0 @@", ...run(90, "-")]),
    84,
  );
  assert.equal(
    gaps(["--- a/x.ts", "+++ b/x.ts", "@@ -0,0 +1,90 @@", ...run(90, "+")]),
    0,
  );
  assert.equal(
    gaps(["--- a/x.ts", "+++ b/x.ts", "@@ -0,0 +1,300 @@", ...run(300, "+")]),
    268,
  );
  const data = Array.from({ length: 9 }, () => `z${"A1b2".repeat(10)}`);
  assert.equal(
    gaps([
      "diff --git a/p b/p",
      "index 1..2",
      "GIT binary patch",
      "literal 9",
      ...data,
      "",
    ]),
    9,
  );
});

Deno.test("diffUnits writes the header of a hunk for what is kept of it", () => {
  const { view, units } = linesOf([
    ...FILE,
    "@@ -3,6 +3,7 @@ f()",
    " a",
    " b",
    "-c",
    "+C",
    "+D",
    " d",
    " e",
    " f",
  ]);
  const kept = new Uint8Array(view.lines.length).fill(1);
  kept.fill(0, 5, 7);
  kept.fill(0, 11, 13);
  assert.equal(
    units.write?.(4, kept),
    "@@ -5,2 +5,3 @@ f() … 4 unchanged\n",
  );
  assert.equal(units.write?.(4), undefined);
});

Deno.test("diffUnits takes the whole text, each line below its headers", () => {
  const { view, units } = linesOf([...FILE, "@@ -1 +1 @@", "-a", "+b"]);
  assert.equal(units.starts.at(-1), view.text.length);
  assert.deepEqual([...units.parents!], [-1, -1, -1, -1, 0, 4, 4]);
});

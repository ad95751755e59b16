import assert from "node:assert/strict";
import { rowNumbers, searchRows } from "../../../src/ccr/parts/search_rows.ts";

/** Lines and numbers of a file, or the names of others. */
function read(lines: readonly string[], file: string) {
  const found = searchRows(lines.join("\n"), file);
  if ("total" in found) return found;
  return found.lines.map((line, i) => `${line}=${found.numbers[i]}`).join(" ");
}

const FLAT = [
  "src/a-1-b.ts-6-before",
  "src/a-1-b.ts:7:hit 9:9:",
  "--",
  "src/c.ts:1:x",
  "lib/c.ts:2:y",
];

Deno.test("searchRows finds matches and lines around them by file", () => {
  assert.equal(read(FLAT, "src/a-1-b.ts"), "0=6 1=7");
  assert.equal(read(FLAT, "…/a-1-b.ts"), "0=6 1=7");
  assert.equal(read(FLAT, "src/c.ts"), "3=1");
  assert.equal(read(FLAT, "c.ts"), "3=1 4=2");
});

Deno.test("searchRows finds the lines of functions that `git grep -p` prints", () => {
  const lines = ["src/c.ts=3=class A {", "src/c.ts:5:x", "lib/d.ts:2:y"];
  assert.equal(read(lines, "src/c.ts"), "0=3 1=5");
});

Deno.test("searchRows names the files when none fits", () => {
  assert.deepEqual(read(FLAT, "b.ts"), {
    names: ["src/a-1-b.ts", "src/c.ts", "lib/c.ts"],
    total: 3,
  });
  assert.deepEqual(read(["plain"], "b.ts"), { names: [], total: 0 });
});

Deno.test("searchRows reads headings, and counts", () => {
  const lines = ["src/a.ts", "1:x", "4-y", "", "src/b.ts", "2:z"];
  assert.equal(read(lines, "a.ts"), "1=1 2=4");
  assert.equal(read(lines, "b.ts"), "5=2");
});

Deno.test("searchRows takes a search in one file for the wanted one", () => {
  assert.equal(read(["3:x", "9:y"], "any.ts"), "0=3 1=9");
});

Deno.test("searchRows reads paths of Windows", () => {
  assert.equal(read(["C:\\a\\b.cs:3:x: 4", "C:\\a\\c.cs:5:y"], "b.cs"), "0=3");
});

Deno.test("rowNumbers gives numbers only where no file is named", () => {
  assert.deepEqual([...rowNumbers("3:x\n4-y\n--\n9:z")!], [3, 4, 0, 9]);
  assert.equal(rowNumbers(FLAT.join("\n")), undefined);
  assert.equal(rowNumbers("plain"), undefined);
});

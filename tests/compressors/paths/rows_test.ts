import assert from "node:assert/strict";
import {
  CHANGE,
  commonLength,
  endOf,
  extensionOf,
  headOf,
  isSame,
  isSlash,
  OTHER,
  PATH,
  readRows,
} from "../../../src/compressors/paths/rows.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { rowsOf } from "./samples.ts";

Deno.test("readRows finds directory, name and extension", () => {
  const text = "src/net/a.test.ts\nMakefile\n.env\nsrc/\n M C:\\x\\y.cs\na.b/c";
  const rows = rowsOf(text);
  assert.equal(rows.count, 6);
  const all = Array.from({ length: 6 }, (_, i) => [
    headOf(rows, i),
    extensionOf(rows, i),
  ]);
  assert.deepEqual(all, [
    ["src/net/", ".ts"],
    ["", ""],
    ["", ""],
    ["", ""],
    [" M C:\\x\\", ".cs"],
    ["a.b/", ""],
  ]);
  assert.equal(rows.kind[4], CHANGE);
  assert.equal(endOf(rows, 1), text.indexOf("\n.env"));
});

Deno.test("readRows takes messages, totals and headings for no paths", () => {
  for (
    const line of [
      "find: ‘x’: Permission denied",
      "12 directories, 40 files",
      "(Results are truncated)",
      "./src:",
      "---",
      "",
      "a * b",
      'say "x"',
      "R  a.ts -> b.ts",
      "./private [error opening dir]",
      "On branch main",
      `${"a/".repeat(2100)}b`,
    ]
  ) assert.equal(rowsOf(line).kind[0] ?? OTHER, OTHER, line);
});

Deno.test("readRows takes spaces only in what starts like a path", () => {
  assert.equal(rowsOf("./My Files/a b.txt").kind[0], PATH);
  assert.equal(rowsOf("\tnotes/to do.md").kind[0], PATH);
  assert.equal(rowsOf("My Files/a b.txt").kind[0], OTHER);
});

Deno.test("readRows ends the name of a sized path before the bar", () => {
  const rows = readRows(indexLines("src/a.ts|12++\nsrc/b"), true);
  assert.equal(extensionOf(rows, 0), ".ts");
  assert.equal(rows.kind[1], OTHER);
});

Deno.test("readRows counts a renamed file as one path", () => {
  assert.equal(rowsOf("R  a.ts -> b.ts\nM  c.ts\n").count, 2);
});

Deno.test("isSame and commonLength tell characters above ASCII apart", () => {
  // Both have the same seven low bits.
  const rows = rowsOf("d/\u0101x\nd/\u0181x\n");
  const starts = [rows.lines.starts[0]!, rows.lines.starts[1]!] as const;
  assert.ok(isSame(rows.lines, starts, 2));
  assert.ok(!isSame(rows.lines, starts, 3));
  assert.equal(commonLength(rows, starts, 4), 2);
});

Deno.test("isSlash knows both slashes", () => {
  assert.deepEqual([47, 92, 46, undefined].map(isSlash), [
    true,
    true,
    false,
    false,
  ]);
});

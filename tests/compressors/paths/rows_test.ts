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

Deno.test("readRows tells a line whose directory is that of the path above it", () => {
  const lines = ["src/a.ts", "src/b.ts", "src/c/d.ts", "!", "src/c/e.ts"];
  const more = ["src/c/f", "src/c/*", "src/c/g", "src/c:/h", "src/c:/i"];
  const { sameHead, kind } = rowsOf([...lines, ...more].join("\n"));
  assert.deepEqual([...sameHead], [0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual([...kind], [1, 1, 1, 0, 1, 1, 0, 1, 1, 1]);
});

Deno.test("readRows reads a line below another as it reads it alone", () => {
  const starts = ["", "M\t", " M ", "?? ", "\t", "\tmodified:   ", "/x y/"];
  const names = ["src/a.ts", "src/a b.ts", "src/", "/", "src/ ", "src/b/c.d"];
  const all = starts.flatMap((start) => names.map((name) => start + name));
  const keys = ["kind", "path", "name", "dot", "stop", "spaced"] as const;
  for (const above of all) {
    for (const line of all) {
      const alone = rowsOf(`!${"!".repeat(above.length - 1)}\n${line}`);
      const below = rowsOf(`${above}\n${line}`);
      if (alone.kind[1] !== below.kind[1]) assert.fail(`${above} ${line}`);
      if (alone.kind[1] === 0) continue;
      for (const key of keys) assert.equal(below[key][1], alone[key][1]);
    }
  }
});

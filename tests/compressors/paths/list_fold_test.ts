import assert from "node:assert/strict";
import {
  foldRows,
  rootOf,
  unfoldRows,
} from "../../../src/compressors/paths/list_fold.ts";
import { rowsOf } from "./samples.ts";

const style = { root: 0, alwaysStar: false };

Deno.test("foldRows keeps other lines in their places, unfoldRows gives all back", () => {
  const text =
    "src/a.ts\nsrc/b.ts\nfind: ‘x’: Permission denied\nsrc/c.ts\nsrc/d.ts";
  const rows = rowsOf(text);
  const folded = foldRows(rows, [0, rows.lines.count], style)!;
  assert.deepEqual(folded, [
    "src/*.ts: a b",
    "find: ‘x’: Permission denied",
    "src/*.ts: c d",
  ]);
  assert.equal(unfoldRows(folded, "", false).join("\n"), text);
});

Deno.test("foldRows refuses a list with a line like its own", () => {
  const rows = rowsOf("src/a.ts\nsrc/*.ts: a b\n");
  assert.equal(foldRows(rows, [0, 2], style), undefined);
});

Deno.test("rootOf is a whole directory, and worth its words", () => {
  const root = "/home/dev/shop/";
  const paths = ["a/x.ts", "b/y.ts", "bc/z.ts"].map((path) => root + path);
  assert.equal(rootOf(rowsOf(paths.join("\n"))), root);
  assert.equal(rootOf(rowsOf([root.slice(0, -1), ...paths].join("\n"))), root);
  assert.equal(rootOf(rowsOf([root, ...paths].join("\n"))), root);
  assert.equal(rootOf(rowsOf([...paths, "/etc/x"].join("\n"))), "");
  assert.equal(rootOf(rowsOf(paths.slice(0, 1).join("\n"))), "");
  assert.equal(rootOf(rowsOf("?? a/b/c\n?? a/b/d/e\n?? a/b/f/g\n")), "");
  assert.equal(rootOf(rowsOf("")), "");
});

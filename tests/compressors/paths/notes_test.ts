import assert from "node:assert/strict";
import {
  chooseUnits,
  readDirectories,
} from "../../../src/compressors/paths/directories.ts";
import { readExtensions } from "../../../src/compressors/paths/extension_table.ts";
import { tellPaths } from "../../../src/compressors/paths/notes.ts";
import { manyPaths, rowsOf } from "./samples.ts";

function tell(paths: readonly string[], most?: number): string {
  const rows = rowsOf(paths.join("\n"));
  const directories = readDirectories(rows);
  const units = chooseUnits(directories, "", "");
  const extensions = readExtensions(rows);
  const told = { directories, units, extensions, root: 0 };
  return tellPaths(told, [...paths.keys()], most);
}

Deno.test("tellPaths counts by directory and extension, the names of small folders too", () => {
  assert.equal(tell(["src/a.ts", "src/b.ts"]), "2 .ts in 1 folder: src");
  assert.equal(
    tell(["a.ts", "b.ts", "c.md", "Makefile", "x/d.css"]),
    "5 (2 .ts, 1 .md, 1 .css, 1 other) in 1 folder: x",
  );
  assert.equal(tell(["a", "b"]), "2");
});

Deno.test("tellPaths tells of the largest directories, the others together", () => {
  const paths = manyPaths(5, 30);
  assert.equal(
    tell([...paths, ...paths.slice(0, 30).map((path) => `${path}x`)], 1),
    "packages/part000/src/ 60 (30 .ts, 30 .tsx); 120 in 4 more folders",
  );
});

Deno.test("tellPaths does not name the folders of what nobody wrote by hand", () => {
  const paths = [..."abcdefgh"].map((name) => `node_modules/${name}/index.js`);
  const listed = [...manyPaths(3, 30), ...paths];
  assert.ok(tell(listed).endsWith("node_modules/ 8 .js in 8 folders"));
});

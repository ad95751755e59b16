import assert from "node:assert/strict";
import {
  chooseUnits,
  readDirectories,
} from "../../../src/compressors/paths/directories.ts";
import { manyPaths, rowsOf } from "./samples.ts";

function unitsOf(paths: readonly string[], query = "") {
  const rows = rowsOf(paths.join("\n"));
  const directories = readDirectories(rows);
  const units = chooseUnits(directories, "", query);
  const names = [...units.of].map((unit) => directories.paths[unit] ?? "-");
  return { directories, units, names };
}

Deno.test("readDirectories finds each directory once, parents first", () => {
  const rows = rowsOf("a/b/x\n!\na/y\n?? a/b/z\n/r/s\nC:\\t\\u\n");
  const { paths, parents, counts, of } = readDirectories(rows);
  assert.deepEqual(paths, ["", "a/", "a/b/", "/", "/r/", "C:\\", "C:\\t\\"]);
  assert.ok(parents.every((parent, i) => parent < i));
  assert.equal(paths[parents[2]!], "a/");
  assert.deepEqual([...of].map((index) => paths[index]), [
    "a/b/",
    undefined,
    "a/",
    "a/b/",
    "/r/",
    "C:\\t\\",
  ]);
  assert.equal(counts[2], 2);
});

Deno.test("readDirectories stops telling directories apart far below", () => {
  const deep = `${"d/".repeat(1000)}x`;
  assert.ok(readDirectories(rowsOf(deep)).paths.length < 50);
});

Deno.test("chooseUnits splits large directories, not small ones", () => {
  const { names } = unitsOf([...manyPaths(4, 100), "docs/a.md"]);
  assert.equal(new Set(names).size, 5);
  assert.equal(names[0], "packages/part000/src/");
});

Deno.test("chooseUnits tells many small directories as one", () => {
  const { names } = unitsOf([...manyPaths(200, 2), ...manyPaths(1, 40)]);
  assert.deepEqual([...new Set(names)], ["packages/"]);
});

Deno.test("chooseUnits keeps what nobody wrote by hand together, unless it is asked for", () => {
  const paths = manyPaths(4, 100).map((path) => `web/node_modules/${path}`);
  const all = [...paths, ...manyPaths(4, 100)];
  const whole = unitsOf(all);
  assert.equal(whole.names[0], "web/node_modules/");
  assert.equal(whole.units.isBulk[whole.units.of[0]!], 1);
  const asked = unitsOf(all, "find node_modules");
  assert.equal(asked.units.isBulk[asked.units.of[0]!], 0);
});

Deno.test("chooseUnits finds the directory that holds all", () => {
  const { directories, units } = unitsOf(manyPaths(4, 10));
  assert.equal(directories.paths[units.top], "packages/");
});

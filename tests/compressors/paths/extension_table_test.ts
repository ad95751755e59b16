import assert from "node:assert/strict";
import { readExtensions } from "../../../src/compressors/paths/extension_table.ts";
import { rowsOf } from "./samples.ts";

Deno.test("readExtensions gives every path its own extension", () => {
  const lines = "a.ts\nb.ts\n!\nc.md\nd\ne.ts\nf.é\ng.ê\nh.md\ni.ts\n";
  const { names, of } = readExtensions(rowsOf(lines));
  assert.deepEqual(names, [".ts", ".md", "", ".é", ".ê"]);
  assert.deepEqual([...of], [0, 0, -1, 1, 2, 0, 3, 4, 1, 0]);
});

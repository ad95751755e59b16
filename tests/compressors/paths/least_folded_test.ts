import assert from "node:assert/strict";
import { foldPaths, readList } from "../../../src/compressors/paths/fold.ts";
import { leastFolded } from "../../../src/compressors/paths/least_folded.ts";
import { manyPaths, rowsOf } from "./samples.ts";

Deno.test("leastFolded counts what differs from the path above, numbers excepted", () => {
  assert.equal(leastFolded(rowsOf("src/one.ts\nsrc/two.ts\n"), Infinity), 3);
  assert.equal(
    leastFolded(rowsOf("p/a9.ts\np/a10.ts\np/a11.ts\n"), Infinity),
    0,
  );
  assert.equal(leastFolded(rowsOf("src/one.ts\n!\nsrc/two.ts\n"), Infinity), 0);
  assert.equal(leastFolded(rowsOf("aa\naaa\n"), Infinity), 1);
  assert.equal(leastFolded(rowsOf(""), Infinity), 0);
  assert.equal(leastFolded(rowsOf("ab\ncd\nef\ngh\n"), 3), 4);
});

Deno.test("leastFolded is below the length of the folded list", () => {
  for (const paths of [manyPaths(3, 30), manyPaths(40, 8), ["a/b", "a/b/c"]]) {
    const list = readList(`${paths.join("\n")}\n`)!;
    assert.ok(leastFolded(list.rows, Infinity) <= foldPaths(list)!.length);
  }
});

import assert from "node:assert/strict";
import {
  cellText,
  firstBodyRow,
  isListing,
  linesText,
  longestOf,
  rowSource,
} from "../../../src/compressors/table/table.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf, orderLines, tableOf } from "./samples.ts";

Deno.test("cellText and rowSource give a cell and the lines of a row", () => {
  const table = tableOf(orderLines(5).join("\n"));
  assert.equal(cellText(table, 1, 0), "70000");
  assert.equal(cellText(table, 0, 4), "status");
  assert.equal(rowSource(table, 2), orderLines(5)[2]);
  assert.equal(firstBodyRow(table), 1);
  assert.ok(!isListing(table));
});

Deno.test("isListing and firstBodyRow know tables whose names stand nowhere", () => {
  const table = tableOf(inputOf("ls_long"));
  assert.ok(isListing(table));
  assert.equal(firstBodyRow(table), 0);
});

Deno.test("linesText has no newline at its end and is empty for no lines", () => {
  const lines = indexLines("a\nb\nc");
  assert.equal(linesText(lines, 0, 2), "a\nb");
  assert.equal(linesText(lines, 1, 3), "b\nc");
  assert.equal(linesText(lines, 2, 2), "");
});

Deno.test("longestOf leaves rows out that follow no layout", () => {
  const table = tableOf("a,bb\n1,2\n333,4\n5,6\n7,8\n9,10\n");
  assert.deepEqual(longestOf(table), [3, 2]);
  assert.deepEqual(
    longestOf({ ...table, plain: Uint8Array.of(0, 0, 1, 0, 0, 0) }),
    [1, 2],
  );
});

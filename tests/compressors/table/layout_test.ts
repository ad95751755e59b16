import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bodyOf,
  cellText,
  contentEnd,
  isListing,
  layoutOf,
  printRow,
  rowSource,
} from "../../../src/compressors/table/layout.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "../goldens.ts";
import { orderLines, podLines, tableOf } from "./samples.ts";

Deno.test("layoutOf finds the edge of each column, and that all rows keep to it", () => {
  const table = tableOf(podLines(30).join("\n"));
  const layout = layoutOf(table, 0);
  assert.deepEqual(layout.edges.map(({ isRight }) => isRight), [
    false,
    false,
    false,
    false,
    false,
  ]);
  assert.equal(layout.fitting, 30);
  assert.equal(layout.aligned, 30);
});

Deno.test("layoutOf marks rows that are padded in another way", () => {
  const lines = inputOf("table/fold_ps_aux").split("\n");
  const table = tableOf(lines.join("\n"));
  lines[7] = `${lines[7]}  `;
  const changed = { ...table, lines: indexLines(lines.join("\n")) };
  assert.equal(layoutOf(table, 0).misfits[7], 0);
  assert.equal(layoutOf(changed, 0).misfits[7], 1);
});

Deno.test("contentEnd leaves a carriage return out", () => {
  const lines = indexLines("ab\r\ncd\n\r\nx");
  const ends = [0, 1, 2, 3].map((line) => contentEnd(lines, line));
  assert.deepEqual(ends, [2, 6, 7, 10]);
});

Deno.test("rowSource and cellText give back what the text has", () => {
  fc.assert(fc.property(fc.integer({ min: 8, max: 60 }), (count) => {
    const lines = orderLines(count);
    const table = tableOf(lines.join("\n"));
    for (const row of bodyOf(table)) {
      assert.equal(rowSource(table, row), lines[row]);
      assert.equal(cellText(table, row, 0), `${70_000 + row - 1}`);
    }
  }));
});

Deno.test("isListing is true for lists without a header alone", () => {
  assert.ok(isListing(tableOf(inputOf("table/ls_long"))));
  assert.ok(isListing(tableOf(inputOf("table/apt_list"))));
  assert.ok(!isListing(tableOf(inputOf("table/ps_aux"))));
  assert.ok(!isListing(tableOf(inputOf("table/csv_latency"))));
});

Deno.test("printRow puts cells at their places, or one blank behind a long one", () => {
  const edges = [{ place: 0, isRight: false }, { place: 8, isRight: true }];
  const shape = { edges, end: 10 };
  assert.equal(printRow(shape, ["ab", "12"]), "ab    12  ");
  assert.equal(printRow(shape, ["abcdefgh", "12"]), "abcdefgh 12");
});

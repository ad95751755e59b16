import assert from "node:assert/strict";
import { Table } from "../../../src/text/html/table.ts";
import { elementOf, linesOf } from "../../compressors/html/samples.ts";

Deno.test("Table puts cells under their columns when others span", () => {
  const html =
    `<table><tr><th rowspan=3>Site<th colspan=2>Flow<tr><th>in<th>out<tr><td>1<td>2<tr><td>x<td><td>a|b</table>`;
  assert.deepEqual(linesOf(html), [
    "Site | Flow",
    "Site | in | out",
    "Site | 1 | 2",
    "x |  | a\\|b",
  ]);
});

Deno.test("Table stops adding cells for spans that never end", () => {
  const table = new Table();
  const cell = elementOf(
    "<table><tr><td rowspan=999 colspan=999>a</table>",
    "td",
  );
  for (let i = 0; i < 2000; i++) table.addRow(["a"], [cell]);
  assert.ok(table.lines().join("\n").length < 300_000);
});

import assert from "node:assert/strict";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";
import {
  isDataTable,
  spanOf,
  Table,
  zippedRow,
} from "../../../src/compressors/html/tables.ts";
import { nodeOf } from "./samples.ts";

const cell = (text: string, columns = 1, rows = 1) => ({ text, columns, rows });

Deno.test("Table gives rows with all cells and without empty rows and columns", () => {
  const table = new Table();
  table.addRow(["Zone", "", "Limit"].map((text) => cell(text)));
  table.addRow(["", "", ""].map((text) => cell(text)));
  table.addRow(["7", "", "a|b"].map((text) => cell(text)));
  table.addRow(["", "", "9"].map((text) => cell(text)));
  assert.deepEqual(table.lines(), ["Zone | Limit", "7 | a\\|b", " | 9"]);
});

Deno.test("Table puts cells under their columns when others span", () => {
  const table = new Table();
  table.addRow([cell("Site", 1, 3), cell("Flow", 2)]);
  table.addRow([cell("in"), cell("out")]);
  table.addRow([cell("1"), cell("2")]);
  table.addRow([cell("x".repeat(70), 1, 2), cell("3"), cell("4")]);
  table.addRow([cell("5"), cell("6")]);
  assert.deepEqual(table.lines(), [
    "Site | Flow",
    "Site | in | out",
    "Site | 1 | 2",
    `${"x".repeat(70)} | 3 | 4`,
    "″ | 5 | 6",
  ]);
});

Deno.test("Table stops adding cells for spans that never end", () => {
  const table = new Table();
  for (let i = 0; i < 2000; i++) table.addRow([cell("a", 1000, 1000)]);
  assert.ok(table.lines().join("\n").length < 300_000);
});

Deno.test("isDataTable is false for tables that frame larger parts", () => {
  const isData = (html: string) => {
    const page = parseHtml(html);
    return isDataTable(page, measurePage(page), nodeOf(page, "table"));
  };
  assert.ok(isData("<table><tr><td>a<td>b<br>c</table>"));
  assert.ok(!isData("<table><tr><td><table></table></table>"));
  assert.ok(!isData("<table><tr><td><h2>a</h2></table>"));
  assert.ok(!isData("<table><tr><td><pre>a\nb</pre></table>"));
  assert.ok(!isData("<table role=presentation><tr><td>a</table>"));
  assert.ok(!isData(`<table><tr><td>${"word ".repeat(400)}</table>`));
  assert.ok(
    !isData(`<table><tr><td>${"some words here<br>".repeat(10)}</table>`),
  );
});

Deno.test("spanOf reads the reach of a cell and bounds it", () => {
  const span = (attributes: string) => {
    const page = parseHtml(`<table><tr><td ${attributes}>a</table>`);
    return spanOf(page, nodeOf(page, "td"));
  };
  assert.deepEqual(span(""), { columns: 1, rows: 1 });
  assert.deepEqual(span("colspan=3 rowspan=x"), { columns: 3, rows: 1 });
  assert.deepEqual(span("colspan=0 rowspan=99999"), { columns: 1, rows: 1000 });
});

Deno.test("zippedRow puts listings of a row side by side", () => {
  const zip = (html: string) => {
    const page = parseHtml(`<table><tr>${html}</tr></table>`);
    return zippedRow(page, measurePage(page), nodeOf(page, "tr"));
  };
  assert.deepEqual(
    zip(
      "<td><pre>1\n2\n3</pre><td><pre>4x\n\n5x</pre><td><pre>a\n  b\nc\n</pre>",
    ),
    ["1 | 4x | a", "2 |  |   b", "3 | 5x | c"],
  );
  assert.equal(zip("<td><pre>1\n2\n3</pre><td>text"), undefined);
  assert.equal(zip("<td>a<td>b"), undefined);
  assert.equal(
    zip(`<td class=linenos><pre>1\n2\n3</pre><td><pre>a\nb\nc</pre>`),
    undefined,
  );
});

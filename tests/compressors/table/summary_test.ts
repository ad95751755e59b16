import assert from "node:assert/strict";
import { selectRows, sightOf } from "../../../src/compressors/table/select.ts";
import { summaryOf } from "../../../src/compressors/table/summary.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { orderLines, tableOf } from "./samples.ts";

function summary(lines: readonly string[]): string {
  const text = lines.join("\n");
  const table = tableOf(text);
  return summaryOf(table, selectRows(table, sightOf(indexLines(text), "")));
}

Deno.test("summaryOf counts values, gives ranges and sums", () => {
  const said = summary(orderLines(120));
  assert.match(said, /status paid×\d+, /);
  assert.match(said, /amount [\d.]+\.\.[\d.]+/);
  assert.match(said, /sum of all 120 rows: amount \d+\.\d\d$/);
  assert.ok(!said.includes("sum of all 120 rows: order_id"));
  assert.ok(!said.includes("currency"));
});

Deno.test("summaryOf adds decimals without error", () => {
  const rows = Array.from({ length: 30 }, (_, i) => `n${i % 7},0.${1 + i % 2}`);
  assert.match(
    summary(["name,cost", ...rows]),
    /sum of all 30 rows: cost 4\.5$/,
  );
});

Deno.test("summaryOf does not sum a column with empty cells, totals of units or shares", () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `n${i},${i === 7 ? "" : i % 9},${i % 7}%,${i % 5}`,
  );
  const said = summary(["name,count,share,error_rate", ...rows]);
  assert.ok(!said.includes("sum of"), said);
});

Deno.test("summaryOf says nothing of a few rows", () => {
  assert.equal(summary(orderLines(8)), "");
});

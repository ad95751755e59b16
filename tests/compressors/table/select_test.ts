import assert from "node:assert/strict";
import { selectRows, sightOf } from "../../../src/compressors/table/select.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { orderLines, tableOf } from "./samples.ts";

function kept(lines: readonly string[], query = ""): number[] {
  const text = lines.join("\n");
  const table = tableOf(text);
  const { keep } = selectRows(table, sightOf(indexLines(text), query));
  return [...keep].flatMap((byte, row) => byte ? [row] : []);
}

Deno.test("selectRows keeps the header and both ends", () => {
  const rows = kept(orderLines(200));
  assert.deepEqual(rows.slice(0, 5), [0, 1, 2, 3, 4]);
  assert.deepEqual(rows.slice(-2), [199, 200]);
  assert.ok(rows.length < 40);
});

Deno.test("selectRows keeps what fits the query", () => {
  assert.ok(!kept(orderLines(200)).includes(124));
  assert.ok(kept(orderLines(200), "order 70123").includes(124));
});

Deno.test("selectRows keeps totals and rows without layout", () => {
  const lines = orderLines(200);
  lines[90] = "Total,,4000.00,EUR,,";
  lines[120] = "a line that is no row";
  const rows = kept(lines);
  assert.ok(rows.includes(90) && rows.includes(120));
});

Deno.test("selectRows keeps the first and last of many alike failures", () => {
  const lines = orderLines(300).map((line, i) =>
    i > 10 && i % 4 === 0 ? line.replace(/paid|open|shipped/, "failed") : line
  );
  const failed = kept(lines).filter((row) => lines[row]!.includes("failed"));
  assert.ok(failed.length >= 3 && failed.length < 60, `${failed.length}`);
  assert.ok(failed.includes(12) && failed.includes(300));
});

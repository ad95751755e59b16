import assert from "node:assert/strict";
import { findTables } from "../../../src/compressors/table/find.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { GOLDENS } from "./samples.ts";

Deno.test("findTables finds the layout of each golden text", () => {
  const layouts = new Map(GOLDENS.map(({ name, input }) => [
    name,
    findTables(indexLines(input.replaceAll("\r\n", "\n")))[0]?.layout.name,
  ]));
  assert.equal(layouts.get("csv_latency"), "CSV");
  assert.equal(layouts.get("fold_tsv_licenses"), "TSV");
  assert.equal(layouts.get("kubectl_pods"), "table");
  assert.equal(layouts.get("ls_long"), "ls -l");
  assert.equal(layouts.get("psql_orders"), "psql table");
  assert.equal(layouts.get("fold_markdown"), "markdown table");
  assert.ok([...layouts.values()].every((name) => name !== undefined));
});

Deno.test("findTables believes a telling file name", () => {
  const lines = indexLines("red,green\nblue,yellow\nblack,white\n");
  assert.equal(findTables(lines).length, 0);
  assert.equal(findTables(lines, "colours.csv").length, 1);
});

import assert from "node:assert/strict";
import { elideTables } from "../../../src/compressors/table/elide.ts";
import { findTables } from "../../../src/compressors/table/find.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { contextOf, inputOf, orderLines } from "./samples.ts";

function elide(text: string) {
  const lines = indexLines(text);
  return elideTables(lines, findTables(lines), contextOf(true));
}

Deno.test("elideTables notes each gap in place and sums up what is left out", () => {
  const { text, omitted } = elide(orderLines(100).join("\n"))!;
  const lines = text.split("\n");
  assert.equal(lines[0], "… (name=value holds for all rows)");
  assert.equal(lines[1], "order_id,customer,amount,currency=EUR,status,placed");
  assert.match(text, /\n… lines \d+-\d+ omitted\n/);
  assert.match(
    lines.at(-1)!,
    new RegExp(`^… the ${omitted.count} omitted rows: `),
  );
  assert.deepEqual([omitted.total, omitted.unit], [101, "lines"]);
});

Deno.test("elideTables keeps short tables and gaps that a note would not pay for", () => {
  assert.equal(elide(orderLines(12).join("\n")), undefined);
  const text = elide(inputOf("psql_orders"))!.text;
  for (const [, from, to] of text.matchAll(/lines (\d+)-(\d+) omitted/g)) {
    assert.ok(Number(to) > Number(from));
  }
});

Deno.test("elideTables keeps Markdown tables of a moderate size, whose rows are facts", () => {
  const rows = Array.from(
    { length: 45 },
    (_, i) => `| key${i} | what it means and why |`,
  );
  const head = ["| Key | Meaning |", "| --- | --- |"];
  assert.equal(elide([...head, ...rows.slice(0, 30)].join("\n")), undefined);
  assert.ok(elide([...head, ...rows].join("\n")) !== undefined);
});

Deno.test("elideTables counts the lines of rows with newlines", () => {
  const lines = orderLines(80);
  lines[40] = '70039,"two\nlines",21.50,EUR,paid,2026-03-01';
  const { text, omitted } = elide(lines.join("\n"))!;
  const last = [...text.matchAll(/lines (\d+)-(\d+) omitted/g)].at(-1)!;
  assert.equal(omitted.total, 82);
  assert.equal(Number(last[2]), 80);
});

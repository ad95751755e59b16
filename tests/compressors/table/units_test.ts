import assert from "node:assert/strict";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import { labelOf, unitsOf } from "../../../src/compressors/table/units.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { inputOf } from "../goldens.ts";
import { contextOf, orderLines } from "./samples.ts";

function unitsIn(text: string, query = "") {
  const { lines, tables } = tableKind.parse(text, {})!;
  return unitsOf(lines, tables, contextOf(true, query));
}

/** Units that must stay. */
function staying(lines: readonly string[], query = ""): number[] {
  const { units } = unitsIn(lines.join("\n"), query)!;
  return [...units.weights].flatMap((weight, unit) =>
    weight === STAYS ? [unit] : []
  );
}

Deno.test("unitsOf makes one unit of each row and of each stretch of other text", () => {
  const text = `$ cat orders.csv\n\n${orderLines(60).join("\n")}\n\ndone\n`;
  const { units } = unitsIn(text)!;
  const parts = [...units.starts].slice(0, -1).map((start, i) =>
    text.slice(start, units.starts[i + 1])
  );
  assert.equal(parts.length, 63);
  assert.equal(parts[0], "$ cat orders.csv\n\n");
  assert.equal(parts.at(-1), "\ndone\n");
  assert.equal(parts.join(""), text);
  assert.equal(parts[1], "order_id,customer,amount,currency,status,placed\n");
  assert.equal(parts[2], "70000,C-0,20.50,EUR,paid,2026-03-01\n");
  // All are written as they are read.
  for (const unit of parts.keys()) {
    assert.equal(units.write!(unit), undefined);
  }
});

Deno.test("unitsOf leaves short tables whole, and Markdown of a moderate size", () => {
  assert.equal(unitsIn(orderLines(12).join("\n")), undefined);
  const head = ["| Key | Meaning |", "| --- | --- |"];
  const rows = Array.from(
    { length: 45 },
    (_, i) => `| key${i} | what it means and why |`,
  );
  assert.equal(unitsIn([...head, ...rows.slice(0, 30)].join("\n")), undefined);
  assert.ok(unitsIn([...head, ...rows].join("\n")) !== undefined);
});

Deno.test("unitsOf prefers the header, both ends, and what fits the query", () => {
  const lines = orderLines(200);
  const { units: { weights } } = unitsIn(lines.join("\n"))!;
  assert.equal(weights[0], STAYS);
  for (const row of [1, 2, 3, 4, 199, 200]) assert.ok(weights[row]! > 0);
  assert.equal(weights[124], 0);
  assert.ok(staying(lines, "order 70123").includes(124));
});

Deno.test("unitsOf keeps rows by the key of a cell, and not by names", () => {
  const rows = (name: string, value: string) => [
    `a,${name},b`,
    ...Array.from(
      { length: 40 },
      (_, i) => `x${i * 7},${i === 20 ? value : "0"},${i % 3}`,
    ),
  ];
  assert.ok(staying(rows("exit_code", "137")).includes(21));
  assert.ok(staying(rows("status", "503")).includes(21));
  const listing = inputOf("table/apt_list").replace("bash/now", "failure/now");
  const { sights } = unitsIn(listing)!;
  assert.ok(sights[0]!.failing.every((byte) => byte === 0));
});

Deno.test("unitsOf keeps the first and the last of many failing rows", () => {
  const lines = orderLines(300).map((line, i) =>
    i > 10 && i % 4 === 0 ? line.replace(/paid|open|shipped/, "failed") : line
  );
  const rows = staying(lines);
  assert.ok(rows.includes(12) && rows.includes(300));
  assert.ok(rows.length < 40, `${rows.length}`);
});

Deno.test("labelOf counts failing rows in every gap", () => {
  const lines = orderLines(100).map((line, i) =>
    i > 30 && i < 90 ? line.replace(/paid|open|shipped/, "failed") : line
  );
  const chosen = unitsIn(lines.join("\n"))!;
  assert.equal(labelOf(chosen, { from: 1, to: 41 }), "10 failing");
  assert.equal(labelOf(chosen, { from: 41, to: 101 }), "49 failing");
  assert.equal(labelOf(chosen, { from: 1, to: 20 }), "");
});

Deno.test("unitsOf keeps a cell of another shape, a date far from all others, and both sides of a gap", () => {
  const rows = (change: (cells: string[], i: number) => void) => [
    "date,sku,qty,price",
    ...Array.from({ length: 400 }, (_, i) => {
      const cells = [
        `2026-0${1 + i * 7 % 9}-1${i * 3 % 10}`,
        `SKU-${1000 + i * 7919 % 9000}`,
        `${1 + i * 5 % 9}`,
        `${10 + i * 31 % 87}.${10 + i * 17 % 89}`,
      ];
      change(cells, i);
      return cells.join();
    }),
  ];
  const changes = [[0, "2062-03-04"], [0, "01.03.2026"], [1, '"SKU-8, big"'], [
    2,
    "2.5",
  ], [3, "free"]] as const;
  for (const [column, value] of changes) {
    const kept = staying(rows((cells, i) => {
      if (i === 211) cells[column] = value;
    }));
    assert.ok(kept.includes(212), value);
    assert.ok(kept.length < 8, `${value}: ${kept}`);
  }
  const timed = staying(rows((cells, i) => {
    const time = Date.UTC(2026, 10, 28) + 60_000 * (i < 211 ? i : i + 300);
    cells[0] = new Date(time).toISOString().slice(0, 19);
  }));
  assert.ok(timed.includes(211) && timed.includes(212), `${timed}`);
});

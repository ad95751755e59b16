import assert from "node:assert/strict";
import fc from "fast-check";
import { decimalsOf, numberIn } from "../../../src/compressors/table/number.ts";
import { codesOf } from "../../../src/text/lines.ts";

function read(cell: string): number {
  return numberIn(codesOf(cell), 0, cell.length);
}

Deno.test("numberIn reads plain numbers, percents, sizes, clock times and ages", () => {
  const cells: [string, number][] = [
    ["-12", -12],
    ["+1.50", 1.5],
    ['"7"', 7],
    ["85%", 85],
    ["4.0K", 4096],
    ["23Gi", 23 * 2 ** 30],
    ["12kB", 12288],
    ["1:30", 90],
    ["0:01.50", 1.5],
    ["00:02:05", 125],
    ["5d3h", 5 * 86400 + 3 * 3600],
    ["41m", 2460],
  ];
  for (const [cell, value] of cells) assert.equal(read(cell), value, cell);
});

Deno.test("numberIn takes nothing else for a number", () => {
  for (
    const cell of [
      "",
      "-",
      ".",
      "1.2.3",
      "a1",
      "1 2",
      "0x1f",
      "1e5",
      "12:",
      "v1",
      "5x",
      "1,000",
      "1234567890123456",
    ]
  ) assert.ok(Number.isNaN(read(cell)), cell);
});

Deno.test("numberIn agrees with Number on decimals", () => {
  fc.assert(fc.property(fc.integer(), fc.nat(4), (value, places) => {
    const cell = (value / 1000).toFixed(places);
    assert.ok(Math.abs(read(cell) - Number(cell)) < 1e-6);
  }));
});

Deno.test("decimalsOf counts digits behind the dot of plain numbers", () => {
  assert.equal(decimalsOf("1.50"), 2);
  assert.equal(decimalsOf("-7"), 0);
  assert.equal(decimalsOf('"7.1"'), 1);
  assert.equal(decimalsOf("85%"), -1);
  assert.equal(decimalsOf(""), -1);
});

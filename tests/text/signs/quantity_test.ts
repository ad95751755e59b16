import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import { quantityAt } from "../../../src/text/signs/quantity.ts";

function quantityOf(token: string, rest = ""): number {
  const codes = codesOf(token + rest);
  return quantityAt(codes, { start: 0, end: token.length }, codes.length);
}

Deno.test("quantityAt reads numbers in their units", () => {
  assert.equal(quantityOf("48210ms"), 48210);
  assert.equal(quantityOf("48.21s"), 48210);
  assert.equal(quantityOf("48.21", " s"), 48210);
  assert.equal(quantityOf("1.5MB"), 1.5e6);
  assert.equal(quantityOf("2KiB"), 2048);
  assert.equal(quantityOf("50µs"), 0.05);
  assert.equal(quantityOf("-91"), -91);
  assert.equal(quantityOf("12%"), 12);
  assert.equal(quantityOf("7", " rows"), 7);
});

Deno.test("quantityAt takes nothing else for a number", () => {
  for (
    const token of ["", "-", "a1", "1a2", "0x1f", "1.2.3", "12345678901234567"]
  ) {
    assert.ok(Number.isNaN(quantityOf(token)), token);
  }
});

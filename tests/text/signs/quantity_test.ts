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
  assert.equal(quantityOf("7", " m of wire"), 7);
  assert.equal(quantityOf("+3"), 3);
});

Deno.test("quantityAt reads sizes of one letter, and times in several units", () => {
  assert.equal(quantityOf("3910M"), 3910 * 2 ** 20);
  assert.equal(quantityOf("4K"), 4096);
  assert.equal(quantityOf("4Gi"), 4 * 2 ** 30);
  assert.equal(quantityOf("2T"), 2 * 2 ** 40);
  assert.equal(quantityOf("5m"), 300_000);
  assert.equal(quantityOf("1d2h"), 26 * 3_600_000);
  assert.equal(quantityOf("2m30.5s"), 150_500);
  assert.equal(quantityOf("-1h0m2s"), -3_602_000);
});

Deno.test("quantityAt takes nothing else for a number", () => {
  for (
    const token of ["", "-", "a1", "1a2", "0x1f", "1.2.3", "12345678901234567"]
  ) {
    assert.ok(Number.isNaN(quantityOf(token)), token);
  }
});

import assert from "node:assert/strict";
import {
  isWorthLoss,
  isWorthMarker,
  optionalShare,
  pricesAsWritten,
  pricesOf,
  TOKEN,
} from "../../src/engine/price.ts";
import { codesOf, indexLines } from "../../src/text/lines.ts";

function priceOf(text: string): number {
  return pricesOf(codesOf(text), Uint32Array.of(0, text.length))[0] ?? 0;
}

Deno.test("pricesOf takes padding and rules for little, when a tokenizer does", () => {
  assert.equal(priceOf(`a${" ".repeat(80)}b`), 3 * TOKEN);
  assert.ok(priceOf("=".repeat(80)) < priceOf("abcdef ".repeat(11)));
});

Deno.test("pricesOf gives each line a price that adds up to that of the text, within what joins runs", () => {
  const text = "one two three\n  GET /a?b=1 200 17ms\n\nzwölf\n";
  const { codes, starts } = indexLines(text);
  const prices = pricesOf(codes, starts);
  assert.equal(prices.length, 4);
  const sum = prices.reduce((total, price) => total + price, 0);
  assert.ok(Math.abs(sum - priceOf(text)) <= 2 * TOKEN);
});

Deno.test("optionalShare falls with the price and stays within its limits", () => {
  const shares = [0, 300, 3_000, 30_000, 3e6].map((tokens) =>
    optionalShare(tokens * TOKEN)
  );
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  assert.ok(shares.every((share) => share >= 0.01 && share <= 0.35));
});

Deno.test("isWorthLoss asks for more than the marker costs", () => {
  const count = (text: string) => text.length;
  assert.equal(isWorthLoss("a".repeat(940), "a".repeat(1000), count), false);
  assert.equal(isWorthLoss("a".repeat(700), "a".repeat(1000), count), true);
  assert.equal(isWorthLoss("", "a".repeat(40), count), false);
});

Deno.test("pricesAsWritten estimates what is written, of a unit of no length as well", () => {
  const text = "src/some/path.ts:12:word\n";
  const written = ["src/some/path.ts\n", "12:word\n"];
  const starts = Uint32Array.of(0, 0, text.length);
  const weights = new Uint8Array(2);
  const write = (unit: number) => written[unit] ?? "";
  assert.deepEqual(
    [...pricesAsWritten(text, { starts, weights, write })],
    written.map(priceOf),
  );
  assert.deepEqual(
    [...pricesAsWritten(text, { starts, weights })],
    [0, priceOf(text)],
  );
});

Deno.test("isWorthMarker asks for what the marker costs and no more", () => {
  const count = (text: string) => text.length;
  assert.equal(isWorthMarker("a".repeat(950), "a".repeat(1000), count), true);
  assert.equal(isWorthMarker("a".repeat(951), "a".repeat(1000), count), false);
});

import assert from "node:assert/strict";
import { isWorthLoss } from "../../src/text/worth.ts";

/** Four characters count as a token. */
function counter() {
  const counted: number[] = [];
  const count = (text: string) => {
    counted.push(text.length);
    return Math.ceil(text.length / 4);
  };
  return { counted, count };
}

const text = (tokens: number) => "abc ".repeat(tokens);

Deno.test("isWorthLoss wants 15 % saved, the marker included", () => {
  const { count } = counter();
  assert.equal(isWorthLoss(text(374), text(500), count), true);
  assert.equal(isWorthLoss(text(376), text(500), count), false);
});

Deno.test("isWorthLoss lets a small text be elided only if the marker is paid for", () => {
  const { count } = counter();
  assert.equal(isWorthLoss(text(10), text(60), count), false);
  assert.equal(isWorthLoss(text(10), text(80), count), true);
});

Deno.test("isWorthLoss does not count when the lengths say it", () => {
  const { counted, count } = counter();
  assert.equal(isWorthLoss(text(100), text(900), count), true);
  assert.equal(isWorthLoss(text(60), text(60), count), false);
  assert.equal(isWorthLoss(text(80), text(60), count), false);
  assert.deepEqual(counted, []);
});

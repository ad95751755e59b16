import assert from "node:assert/strict";
import { moneyText } from "../../src/core/money.ts";

Deno.test("moneyText gives more digits for less money", () => {
  assert.equal(moneyText(1_234_567_000_000), "$1,234.57");
  assert.equal(moneyText(1_250_000_000), "$1.25");
  assert.equal(moneyText(12_500_000), "$0.0125");
  assert.equal(moneyText(-125_000), "-$0.000125");
  assert.equal(moneyText(0), "$0");
});

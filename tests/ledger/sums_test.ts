import { addSums, noSums } from "../../src/core/sums.ts";
import assert from "node:assert/strict";
import {
  percent,
  round,
  type SumsReport,
  sumsReport,
  usd,
} from "../../src/ledger/sums.ts";
import { RECORD, spent } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

Deno.test("sumsReport takes what was added off what was saved, and says of what the percentage is", () => {
  const sums = noSums();
  addSums(sums, sumsOf([RECORD]));
  addSums(sums, sumsOf([{ ...RECORD, tokensAfter: 1100 }]));
  const report = sumsReport(sums);
  assert.equal(report.tokens_saved, 300);
  assert.equal(report.tokens_added, 500);
  assert.equal(report.input_tokens, 1700);
  assert.equal(report.savings_percent, 15);
});

Deno.test("sumsReport says nothing of money where nothing of it is known", () => {
  const sums = noSums();
  addSums(sums, sumsOf([spent("a", undefined)]));
  addSums(sums, sumsOf([{ ...RECORD, status: 500 }]));
  const money = ({
    total_cost_usd: cost,
    compression_savings_usd: net,
    gross_savings_usd: gross,
  }: SumsReport) => [cost, net, gross];
  assert.deepEqual(money(sumsReport(sums)), [null, null, null]);
  addSums(sums, sumsOf([spent("b", 2e9)]));
  assert.deepEqual(money(sumsReport(sums)), [2, 2, 4]);
  assert.equal(sumsReport(sums).unpriced_requests, 1);
  assert.deepEqual(money(sumsReport(noSums())), [0, 0, 0]);
});

Deno.test("usd gives the same whole nano-dollars back", () => {
  for (const nano of [0, 1, -7, 123_456_789, 2 ** 51 - 1]) {
    assert.equal(Math.round(usd(nano) * 1e9), nano);
  }
});

Deno.test("percent is 0 of nothing and has two decimals", () => {
  assert.equal(percent(1, 0), 0);
  assert.equal(percent(1, 3), 33.33);
  assert.equal(round(1.239), 1.24);
});

import assert from "node:assert/strict";
import {
  savingsCsv,
  savingsJson,
  savingsRow,
  savingsText,
} from "../../../src/cli/savings/print.ts";
import type { Sums } from "../../../src/core/ledger_reader.ts";
import { NO_SUMS, savingsReport } from "../../../src/cli/savings/report.ts";
import { sumsReport } from "../../../src/ledger/sums.ts";
import { sumsOf, traffic } from "../../ledger/traffic.ts";
import { memoryLedger } from "./ledger.ts";

const report = (by: "day" | "kind" | "project") =>
  savingsReport(memoryLedger().reader, by);

Deno.test("savingsText aligns the figures, and shows unknown prices as unknown", () => {
  assert.equal(
    savingsText(report("project")),
    `PROJECT  REQUESTS  TOKENS IN  SAVED  OF ALL           COST  SAVED NET  AT LIST PRICE  NO PRICE
shop            2      1,200    800  40.0 %  $0.001000 + ?  $0.001000      $0.002000         1
default         2        600    400  40.0 %      $0.001000  $0.001000      $0.002000         -
total           4      1,800  1,200  40.0 %  $0.002000 + ?  $0.002000      $0.004000         1
`,
  );
});

Deno.test("savingsText shows no money by kind, and `?` where no price is known", () => {
  assert.equal(
    savingsText(report("kind")),
    `KIND   REQUESTS  TOKENS SAVED
log           3         1,200
total         4         1,200
`,
  );
  const total = { ...NO_SUMS, requests: 2, unpriced: 2 };
  const text = savingsText({
    by: "model",
    since: undefined,
    rows: [{ name: "", ...total }],
    total,
    tokensOnly: false,
  });
  assert.match(text, /\n\(unknown\) +2 +0 +0 +0\.0 % +\? +\? +\? +2\n/);
});

Deno.test("savingsRow is what the reports of the proxy say of the same sums", () => {
  const sums = sumsOf(traffic(5, 100));
  assert.deepEqual(savingsRow(sums), sumsReportOf(sums));
});

/** Without what only the proxy's report has. */
function sumsReportOf(sums: ReturnType<typeof sumsOf>) {
  const { tokens_added: _, ...row } = sumsReport(sums);
  return row;
}

Deno.test("savingsJson has a shape that programs can rely on", () => {
  const { rows, total, ...head } = JSON.parse(
    savingsJson(report("kind"), { path: "/ws/ledger.db", exists: true }),
  );
  assert.deepEqual(head, {
    path: "/ws/ledger.db",
    exists: true,
    by: "kind",
    since: null,
  });
  const unknown = {
    failed: null,
    input_tokens: null,
    output_tokens: null,
    savings_percent: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
    total_cost_usd: null,
    compression_savings_usd: null,
    gross_savings_usd: null,
    unpriced_requests: null,
  };
  assert.deepEqual(rows, [
    { name: "log", requests: 3, tokens_saved: 1200, ...unknown },
  ]);
  assert.deepEqual(total, {
    requests: 4,
    failed: 1,
    input_tokens: 1800,
    output_tokens: 60,
    tokens_saved: 1200,
    savings_percent: 40,
    cache_read_tokens: 1500,
    cache_write_tokens: 0,
    total_cost_usd: 0.002,
    compression_savings_usd: 0.002,
    gross_savings_usd: 0.004,
    unpriced_requests: 1,
  });
});

Deno.test("savingsRow has no money where no price is known", () => {
  const money = (sums: Sums) => {
    const { total_cost_usd, gross_savings_usd, compression_savings_usd } =
      savingsRow(sums);
    return [total_cost_usd, gross_savings_usd, compression_savings_usd];
  };
  const unknown = { ...NO_SUMS, requests: 2, unpriced: 2 };
  assert.deepEqual(money(unknown), [null, null, null]);
  assert.deepEqual(money(NO_SUMS), [0, 0, 0]);
  assert.deepEqual(money({ ...unknown, nanoUsd: 1e9 }), [1, 0, 0]);
});

Deno.test("savingsCsv has the same figures, the total last", () => {
  assert.equal(
    savingsCsv(report("day")),
    [
      "name,requests,failed,input_tokens,output_tokens,tokens_saved,savings_percent,cache_read_tokens,cache_write_tokens,total_cost_usd,compression_savings_usd,gross_savings_usd,unpriced_requests",
      "2026-03-14,1,0,600,20,400,40,500,0,0.001,0.001,0.002,0",
      "2026-03-15,3,1,1200,40,800,40,1000,0,0.001,0.001,0.002,1",
      "total,4,1,1800,60,1200,40,1500,0,0.002,0.002,0.004,1",
      "",
    ].join("\r\n"),
  );
});

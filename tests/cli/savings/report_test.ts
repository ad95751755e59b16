import assert from "node:assert/strict";
import {
  type GroupingName,
  GROUPINGS,
  type SavingsReport,
  savingsReport,
  sumOf,
} from "../../../src/cli/savings/report.ts";
import type { LedgerReader, Sums } from "../../../src/core/ledger_reader.ts";
import { sumsOf, traffic } from "../../ledger/traffic.ts";
import { memoryLedger, REQUESTS, SUNDAY } from "./ledger.ts";
import { savingsTable } from "../../../src/cli/savings/print.ts";
import { textWidth } from "../../../src/cli/terminal.ts";
import { netOf, noSums } from "../../../src/core/sums.ts";
import { sumsReport } from "../../../src/ledger/sums.ts";

const EARLIER = "(earlier)";

const NAMES = Object.keys(GROUPINGS) as GroupingName[];
const rowsOf = (by: GroupingName, since?: number) => {
  const { reader } = memoryLedger();
  return savingsReport(reader, by, since).rows
    .map((row) => [row.name, row.requests, netOf(row)]);
};

Deno.test("savingsReport has a row per day, week and month in UTC, the oldest first", () => {
  assert.deepEqual(rowsOf("day"), [
    ["2026-03-14", 1, 400],
    ["2026-03-15", 3, 800],
  ]);
  assert.deepEqual(rowsOf("week"), [["2026-03-09", 4, 1200]]);
  assert.deepEqual(rowsOf("month"), [["2026-03", 4, 1200]]);
});

Deno.test("savingsReport has a row per name, the greatest saving first", () => {
  assert.deepEqual(rowsOf("project"), [["shop", 2, 800], ["default", 2, 400]]);
  assert.deepEqual(rowsOf("kind"), [["log", 3, 1200]]);
  assert.deepEqual(rowsOf("tool"), [["Bash", 3, 1200]]);
});

Deno.test("savingsReport counts whole days, weeks and months from a time on", () => {
  assert.deepEqual(rowsOf("day", SUNDAY), [["2026-03-15", 3, 800]]);
  assert.deepEqual(rowsOf("week", SUNDAY), [["2026-03-09", 4, 1200]]);
  assert.deepEqual(rowsOf("project", SUNDAY), [
    ["default", 2, 400],
    ["shop", 1, 400],
  ]);
  const { reader } = memoryLedger();
  assert.equal(
    savingsReport(reader, "month", SUNDAY).since,
    Date.UTC(2026, 2, 1),
  );
  assert.equal(
    savingsReport(reader, "week", SUNDAY).since,
    Date.UTC(2026, 2, 9),
  );
});

Deno.test("savingsReport's total is that of the lifetime to the unit, and the sum of the rows, over any traffic", () => {
  const requests = traffic(17, 300);
  const { reader } = memoryLedger(requests);
  const truth = sumsOf(requests);
  for (const by of NAMES) {
    const { rows, total, tokensOnly } = savingsReport(reader, by);
    assert.deepEqual({ ...total }, truth, by);
    const sum = sumOf(rows);
    if (tokensOnly) assert.equal(netOf(sum), netOf(truth), by);
    else assert.deepEqual(sum, truth, by);
    // From the middle on: the total is that of the days that are left.
    const later = savingsReport(reader, by, requests[150]!.at);
    assert.equal(netOf(sumOf(later.rows)), netOf(later.total), by);
    assert.notEqual(later.total.requests, 0);
  }
});

Deno.test("savingsReport says what is older than the oldest step that is kept", () => {
  const { reader } = memoryLedger();
  const forgetful: LedgerReader = {
    ...readerParts(reader),
    buckets: (step) => reader.buckets(step).slice(1),
    breakdown: (by) => reader.breakdown(by).slice(1),
  };
  const days = savingsReport(forgetful, "day");
  assert.equal(days.rows[0]?.name, EARLIER);
  assert.equal(days.rows[0]?.requests, 1);
  assert.deepEqual(sumOf(days.rows), { ...days.total });
  const names = savingsReport(forgetful, "project");
  assert.deepEqual(names.rows.map(({ name }) => name), [
    "default",
    "(no longer kept by name)",
  ]);
  const kinds = savingsReport(forgetful, "kind");
  assert.deepEqual(kinds.rows.map((row) => [row.name, netOf(row)]), [
    ["(no longer kept by name)", 1200],
  ]);
});

Deno.test("savingsReport reads again while a proxy writes, so that its rows fit its total", () => {
  const before = memoryLedger(REQUESTS.slice(0, 2)).reader;
  const after = memoryLedger(REQUESTS).reader;
  let reads = 0;
  const growing: LedgerReader = {
    ...readerParts(after),
    lifetime: () => (++reads === 1 ? before : after).lifetime(),
  };
  const { rows, total } = savingsReport(growing, "day");
  assert.equal(total.requests, 4);
  assert.deepEqual(sumOf(rows), { ...total });
});

Deno.test("savingsReport of an empty ledger has no rows", () => {
  const { reader } = memoryLedger([]);
  const { rows, total } = savingsReport(reader, "model");
  assert.deepEqual([rows, { ...total }], [[], noSums()]);
});

/** Its methods as functions. */
function readerParts(reader: LedgerReader): LedgerReader {
  return {
    requests: (query) => reader.requests(query),
    request: (id) => reader.request(id),
    lifetime: () => reader.lifetime(),
    buckets: (step) => reader.buckets(step),
    breakdown: (by, since) => reader.breakdown(by, since),
    brokenPrefixes: () => reader.brokenPrefixes(),
    conversations: (since) => reader.conversations(since),
    answers: (since) => reader.answers(since),
    cacheTurns: (query) => reader.cacheTurns(query),
  };
}

const LEDGER = { path: "/ws/ledger.db", exists: true };

/** The table for people. */
function savingsText(report: SavingsReport, width: number): string {
  return savingsTable(report, LEDGER).text(width);
}

/** Sums for programs. */
function savingsRow(sums: Sums) {
  const nothing = { by: "day", since: undefined, rows: [] } as const;
  const found = { ...nothing, total: sums, tokensOnly: false };
  const { name: _, ...row } = savingsTable(found, LEDGER).rows[0]!;
  return row;
}

const report = (by: "day" | "kind" | "project") =>
  savingsReport(memoryLedger().reader, by);

Deno.test("savingsTable aligns the figures, and shows unknown prices as unknown", () => {
  assert.equal(
    savingsText(report("project"), 120),
    `PROJECT  REQUESTS  TOKENS IN  SAVED  OF ALL           COST  SAVED NET  AT LIST PRICE  NO PRICE
shop            2      1,200    800  40.0 %  $0.001000 + ?  $0.001000      $0.002000         1
default         2        600    400  40.0 %      $0.001000  $0.001000      $0.002000         -
total           4      1,800  1,200  40.0 %  $0.002000 + ?  $0.002000      $0.004000         1
`,
  );
});

Deno.test("savingsTable fits into the terminal, with large sums and wide names", () => {
  const large: Sums = {
    ...noSums(),
    requests: 1_234_567,
    input: 98_765_432_109,
    saved: 123_456_789_012,
    nanoUsd: 98_765_430_000_000,
    savedGross: 98_765_430_000_000,
    savedNet: 12_345_670_000_000,
    unpriced: 1234,
  };
  const names = [
    "internal-billing-platform-monorepo",
    "通义千问-旗舰版-长文本",
    "2026-11-22",
  ];
  const rows = names.map((name) => ({ name, ...large }));
  const shown = {
    by: "project",
    since: undefined,
    rows,
    total: large,
  } as const;
  for (const width of [60, 72, 80, 100, 120]) {
    for (const tokensOnly of [false, true]) {
      const text = savingsText({ ...shown, tokensOnly }, width);
      for (const line of text.split("\n")) {
        assert(textWidth(line) <= width, `${width}: ${line}`);
      }
      assert.match(text, /\ntotal .*123,456,789,012/);
    }
  }
  assert.match(savingsText(report("project"), 60), /SAVED NET/);
  assert.match(savingsText(report("project"), 80), /COST .*SAVED NET/);
});

Deno.test("savingsTable shows no money by kind, and `?` where no price is known", () => {
  assert.equal(
    savingsText(report("kind"), 80),
    `KIND   REQUESTS  TOKENS SAVED
log           3         1,200
total         4         1,200
`,
  );
  const total = { ...noSums(), requests: 2, unpriced: 2 };
  const text = savingsText({
    by: "model",
    since: undefined,
    rows: [{ name: "", ...total }],
    total,
    tokensOnly: false,
  }, 120);
  assert.match(text, /\n\(unknown\) +2 +0 +0 +0\.0 % +\? +\? +\? +2\n/);
});

Deno.test("savingsTable is what the reports of the proxy say of the same sums", () => {
  const sums = sumsOf(traffic(5, 100));
  assert.deepEqual(savingsRow(sums), sumsReportOf(sums));
});

/** Without what only the proxy's report has. */
function sumsReportOf(sums: ReturnType<typeof sumsOf>) {
  const { tokens_added: _, ...row } = sumsReport(sums);
  return row;
}

Deno.test("savingsTable has a shape that programs can rely on", () => {
  const { json } = savingsTable(report("kind"), LEDGER);
  const { rows, total, ...head } = JSON.parse(JSON.stringify(json));
  assert.deepEqual(head, {
    path: "/ws/ledger.db",
    exists: true,
    by: "kind",
    since: null,
    conversations: {
      priced: 0,
      dearer: 0,
      dearer_by_usd: 0,
      routed_requests: 0,
      routing_savings_usd: 0,
      auto_cached_requests: 0,
      auto_cache_savings_usd: 0,
    },
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

Deno.test("savingsTable has no money where no price is known", () => {
  const money = (sums: Sums) => {
    const { total_cost_usd, gross_savings_usd, compression_savings_usd } =
      savingsRow(sums);
    return [total_cost_usd, gross_savings_usd, compression_savings_usd];
  };
  const unknown = { ...noSums(), requests: 2, unpriced: 2 };
  assert.deepEqual(money(unknown), [null, null, null]);
  assert.deepEqual(money(noSums()), [0, 0, 0]);
  assert.deepEqual(money({ ...unknown, nanoUsd: 1e9 }), [1, 0, 0]);
});

Deno.test("savingsTable has the same figures for spreadsheets, the total last", () => {
  const table = (rows: readonly object[]) =>
    rows.map((row) => Object.values(row).join(","));
  assert.deepEqual(table(savingsTable(report("day"), LEDGER).rows), [
    "2026-03-14,1,0,600,20,400,40,500,0,0.001,0.001,0.002,0",
    "2026-03-15,3,1,1200,40,800,40,1000,0,0.001,0.001,0.002,1",
    "total,4,1,1800,60,1200,40,1500,0,0.002,0.002,0.004,1",
  ]);
});

Deno.test("savingsTable says how many conversations cost more, and what other models and our breakpoints saved", () => {
  const found = report("day");
  const text = (changes: object) =>
    savingsText({
      ...found,
      conversations: { ...found.conversations!, count: 99, ...changes },
    }, 120);
  assert.equal(text({}), savingsText({ ...found }, 120));
  assert.match(
    text({ dearer: 7, lostNanoUsd: 12_000_000 }),
    /\n\n7 of 99 conversations cost more than without svc, together \$0\.012\d*\.\n$/,
  );
  const routed = { routed: 3, routeSavedNanoUsd: -2_000_000_000 };
  assert.match(
    text(routed),
    /Another model answered 3 requests; that cost \$2\.00\.\n$/,
  );
  assert.match(
    text({ ...routed, routeSavedNanoUsd: 2e9 }),
    /that saved \$2\.00\./,
  );
  const cached = { cached: 1234, cacheSavedNanoUsd: 3e9 };
  assert.match(
    text({ ...routed, ...cached }),
    /that cost \$2\.00\.\nsvc set the cache breakpoints of 1,234 requests; that saved \$3\.00\.\n$/,
  );
  assert.match(
    text({ cached: 1, cacheSavedNanoUsd: -3e9 }),
    /breakpoints of 1 request; that cost \$3\.00\./,
  );
});

import assert from "node:assert/strict";
import {
  EARLIER,
  type GroupingName,
  GROUPINGS,
  netOf,
  NO_SUMS,
  savingsReport,
  sumOf,
} from "../../../src/cli/savings/report.ts";
import type { LedgerReader } from "../../../src/core/ledger_reader.ts";
import { sumsOf, traffic } from "../../ledger/traffic.ts";
import { memoryLedger, REQUESTS, SUNDAY } from "./ledger.ts";

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
  assert.deepEqual([rows, { ...total }], [[], NO_SUMS]);
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
  };
}

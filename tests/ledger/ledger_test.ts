import { shortName } from "../../src/ledger/named_sums.ts";
import fc from "fast-check";
import {
  believedSpan,
  isBelieved,
  periodEnd,
  periodStart,
  reservationOf,
} from "../../src/ledger/budget_rule.ts";
import { RECORD, spent } from "./samples.ts";
import {
  percent,
  round,
  type SumsReport,
  sumsReport,
  usd,
} from "../../src/ledger/sums.ts";
import { addSums, noSums } from "../../src/core/sums.ts";
import { readerOf, sumsOf, traffic } from "./traffic.ts";
import { rollup } from "../../src/ledger/rollup.ts";
import type { Step } from "../../src/core/ledger_reader.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { Statements } from "../../src/ledger/statements.ts";
import { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import { openLedgerChannel } from "../../src/ledger/channel.ts";
import { Writer } from "../../src/writer/writer.ts";

Deno.test("openLedgerChannel speaks of the ledger when it fails", async () => {
  const spawn = () => {
    throw new Error("no threads");
  };
  const events: string[] = [];
  const channel = openLedgerChannel(
    new Writer({ spawn }),
    { path: "", run: "r", process: "p", slot: undefined },
    (_, event) => events.push(event),
  );
  channel.start();
  assert.deepEqual(events, ["ledger_writer_failed"]);
  await channel[Symbol.asyncDispose]();
  await assert.rejects(
    channel.run({ now: 0, tasks: [], period: undefined }),
    /Cannot write to the ledger: it is closed/,
  );
});

Deno.test("shortName keeps no character that cannot be printed", () => {
  const controls = Array.from(
    { length: 0xa0 },
    (_, code) => String.fromCharCode(code),
  ).filter((text) => /\p{Cc}/u.test(text));
  assert.equal(controls.length, 65);
  for (const bad of [...controls, "\u2028", "\u2029", "\u202e", "\udc00"]) {
    assert.equal(shortName(`a${bad}b`), "a\ufffdb");
  }
  assert.equal(shortName("Grüße 😀, 東京"), "Grüße 😀, 東京");
});

Deno.test("shortName cuts names", () => {
  assert.equal(shortName("x".repeat(1e6)).length, 200);
});

Deno.test("Statements run by name on tables that come later, and say what has changed", () => {
  using db = new DatabaseSync(":memory:");
  const sql = new Statements(db, {
    add: "INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING",
    list: "SELECT n FROM t WHERE n > ? ORDER BY n",
  });
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  assert.deepEqual([1, 2, 1].map((n) => sql.run("add", n)), [1, 1, 0]);
  assert.deepEqual(sql.all("list", 0).map(({ n }) => n), [1, 2]);
  assert.equal(sql.get("list", 1)?.["n"], 2);
  assert.equal(sql.get("list", 2), undefined);
});

Deno.test("LEDGER_MIGRATIONS stay as they are: files were made with them", async () => {
  const digests = await Promise.all(LEDGER_MIGRATIONS.map(async (text) => {
    if (text === null) return null;
    const bytes = new TextEncoder().encode(text);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return new Uint8Array(digest).toHex().slice(0, 16);
  }));
  assert.deepEqual(digests, ["f12407fbb7923391", null, null, null, null]);
});

const nano = (usd: number) => Math.round(usd * 1e9);

Deno.test("rollup has deltas that sum up to cumulative figures and to lifetime, to the unit, in every step", () => {
  const reader = readerOf(traffic(11, 400));
  const lifetime = reader.lifetime();
  for (const step of ["hourly", "daily", "weekly", "monthly"] as Step[]) {
    const rows = rollup(reader.buckets(step), lifetime);
    const sums = { saved: 0, net: 0, input: 0, cost: 0, requests: 0 };
    for (const row of rows) {
      sums.saved += row.tokens_saved;
      sums.net += nano(row.compression_savings_usd_delta);
      sums.input += row.total_input_tokens_delta;
      sums.cost += nano(row.total_input_cost_usd_delta);
      sums.requests += row.requests;
      assert.equal(row.total_tokens_saved, sums.saved);
      assert.equal(nano(row.compression_savings_usd), sums.net);
      assert.equal(row.total_input_tokens, sums.input);
      assert.equal(nano(row.total_input_cost_usd), sums.cost);
    }
    assert.deepEqual(sums, {
      saved: lifetime.saved - lifetime.added,
      net: lifetime.savedNet,
      input: lifetime.input,
      cost: lifetime.nanoUsd,
      requests: 400,
    });
  }
});

Deno.test("rollup counts what is older than its first bucket in the cumulative figures", () => {
  const records = traffic(12, 300);
  const lifetime = sumsOf(records);
  const [, ...kept] = readerOf(records).buckets("daily");
  const rows = rollup(kept, lifetime);
  assert.equal(rows.length, kept.length);
  assert.equal(rows.at(-1)?.total_input_tokens, lifetime.input);
  assert.ok(rows[0]!.total_input_tokens > rows[0]!.total_input_tokens_delta);
});

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

Deno.test("periodStart and periodEnd cut time at hours, days and months in UTC", () => {
  const text = (ms: number) => new Date(ms).toISOString();
  const cases = [
    ["hourly", "2026-12-31T23:59:59.999Z", "2026-12-31T23", "2027-01-01T00"],
    ["daily", "2026-12-31T23:59:59.999Z", "2026-12-31T00", "2027-01-01T00"],
    ["daily", "2028-02-28T24:00:00.000Z", "2028-02-29T00", "2028-03-01T00"],
    ["monthly", "2026-12-31T23:59:59.999Z", "2026-12-01T00", "2027-01-01T00"],
    ["monthly", "2028-02-29T00:00:00.000Z", "2028-02-01T00", "2028-03-01T00"],
  ] as const;
  for (const [period, at, start, end] of cases) {
    const now = Date.parse(at);
    assert.equal(text(periodStart(period, now)), `${start}:00:00.000Z`);
    assert.equal(text(periodEnd(period, now)), `${end}:00:00.000Z`);
  }
});

Deno.test("periods follow each other without a gap", () => {
  fc.assert(fc.property(
    fc.integer({ min: 0, max: 4e12 }),
    fc.constantFrom("hourly" as const, "daily" as const, "monthly" as const),
    (now, period) => {
      const [start, end] = [periodStart(period, now), periodEnd(period, now)];
      assert.ok(start <= now && now < end);
      assert.equal(periodStart(period, end), end);
      assert.equal(periodEnd(period, end - 1), end);
    },
  ));
});

Deno.test("reservationOf reserves something whole, whatever it is told", () => {
  const given = [0, -5, 0.2, 7, 7.1, NaN, Infinity];
  assert.deepEqual(given.map(reservationOf), [1, 1, 1, 7, 8, 1, 1]);
});

Deno.test("isBelieved and believedSpan agree", () => {
  const [first, last] = believedSpan(1e12);
  const times = [first - 1, first, last, last + 1];
  assert.deepEqual(times.map((at) => isBelieved(at, 1e12)), [
    false,
    true,
    true,
    false,
  ]);
});

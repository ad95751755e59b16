import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { SqlActivityReader } from "../../src/ledger/activity_reader.ts";
import type { RequestRecord, SentForm } from "../../src/core/ledger.ts";
import type { BlockKey } from "../../src/core/store.ts";
import type { Cell, RequestRow } from "../../src/ledger/rows.ts";
import { databaseOf, rowOfRun, writerOf } from "./database.ts";
import { anyRecord } from "./records.ts";
import { NOON, RECORD } from "./samples.ts";

const HOUR = 3_600_000;
const TABLES = [
  "totals",
  "spend",
  "buckets",
  "named",
  "session",
  "activity",
  "durations",
  "conversations",
];

function sumsOf(db: DatabaseSync): Record<string, unknown> {
  return Object.fromEntries(
    TABLES.map((
      table,
    ) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
  );
}

/** Writes rows one by one and in batches, and compares all sums. */
function compare(batches: readonly (readonly RequestRow[])[]): void {
  using single = databaseOf();
  using batched = databaseOf();
  const [writeOne, writeBatch] = [writerOf(single), writerOf(batched)];
  for (const row of batches.flat()) writeOne([row]);
  for (const batch of batches) writeBatch(batch);
  assert.deepEqual(sumsOf(batched), sumsOf(single));
}

function batchesOf<T>(all: readonly T[], size: number): readonly T[][] {
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, i) => all.slice(i * size, (i + 1) * size),
  );
}

const DAY = 24 * HOUR;
/** Starts of a quarter, an hour, a day, a week and a month, and what is just before and behind them. */
const border = fc.tuple(
  fc.constantFrom(
    NOON,
    NOON + HOUR / 4,
    NOON + HOUR / 2,
    Date.UTC(2026, 2, 16),
    Date.UTC(2026, 3, 1),
    Date.UTC(2026, 11, 31) + DAY,
  ),
  fc.constantFrom(-HOUR, -1, 0, 1, HOUR),
).map(([at, by]) => at + by);
/** The same 200 characters begin two names, and units are more than characters. */
const longName = fc.constantFrom(
  `${"x".repeat(200)}a`,
  `${"x".repeat(200)}b`,
  "\u{1f600}".repeat(201),
  "\u{1f600}".repeat(200),
);
const row: fc.Arbitrary<RequestRow> = fc.record({
  entry: anyRecord,
  at: fc.option(border, { nil: undefined }),
  conversation: fc.constantFrom("", "c", "d"),
  names: fc.option(longName, { nil: undefined }),
}).map(({ entry, at = entry.at, conversation, names }) => {
  const written = rowOfRun({ ...entry, at, conversation });
  const long: Record<string, Cell> = names === undefined
    ? {}
    : { project: names, agent: names, stack: names, model: names };
  return { ...written, ...long };
});

Deno.test("RowSums counts batches of any requests as it counts each row", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), {
        maxLength: 4,
      }),
      (batches) => compare(batches),
    ),
    { numRuns: 50 },
  );
});

Deno.test("RowSums counts batches of one session and of several as it counts each row", () => {
  const gap = fc.constantFrom(0, 1, 1000, HOUR - 1, HOUR, HOUR + 1, -HOUR, -1);
  const step = fc.tuple(gap, fc.constantFrom(0, 0.5, 1, HOUR / 2, HOUR));
  fc.assert(
    fc.property(fc.array(fc.array(step)), (batches) => {
      let at = NOON;
      let n = 0;
      compare(
        batches.map((batch) =>
          batch.map(([passed, latencyMs]) =>
            rowOfRun({
              ...RECORD,
              id: `${n++}`,
              at: at += passed,
              latencyMs,
            })
          )
        ),
      );
    }),
    { numRuns: 50 },
  );
});

Deno.test("RowSums keeps the names that came first, and folds the rest, however many come at once", () => {
  const form = (name: string): SentForm => ({
    key: name as BlockKey,
    entry: undefined,
    toolName: name,
    strategy: `k${name}`,
    saved: 3,
  });
  const names = fc.array(fc.integer({ min: 0, max: 500 }), {
    minLength: 500,
    maxLength: 600,
    size: "max",
  });
  for (const size of [100, 250]) {
    fc.assert(
      fc.property(names, (numbers) => {
        const entries = numbers.map((number, i): RequestRecord => {
          // A client may take the name that stands for the rest.
          const name = number === 0 ? "(other)" : `n${number}`;
          return {
            ...RECORD,
            id: `${i}`,
            at: NOON + (i > 400 ? DAY : 0),
            model: name,
            project: name,
            stack: i % 2 === 0 ? "" : name,
            agent: `a${number % 3}`,
            forms: [form(name), form(`n${number + 1}`)],
          };
        });
        compare(batchesOf(entries.map(rowOfRun), size));
      }),
      { numRuns: 2, endOnFailure: true },
    );
  }
});

Deno.test("RowSums has its steps begin with hours, days, Mondays and months, and its last row in the totals", () => {
  const at = Date.UTC(2026, 2, 15, 10, 59, 59, 999);
  using db = databaseOf([{ ...RECORD, at, ttfbMs: 1 }]);
  const starts = db.prepare("SELECT step, start FROM buckets ORDER BY start")
    .all().map(({ step, start }) =>
      `${step} ${new Date(Number(start)).toISOString()}`
    );
  assert.deepEqual(starts, [
    "monthly 2026-03-01T00:00:00.000Z",
    "weekly 2026-03-09T00:00:00.000Z",
    "daily 2026-03-15T00:00:00.000Z",
    "hourly 2026-03-15T10:00:00.000Z",
  ]);
  const [activity] = db.prepare("SELECT start FROM activity").all();
  assert.equal(activity?.["start"], Date.UTC(2026, 2, 15, 10, 45));
  const row = db.prepare("SELECT requests, counted FROM totals").get();
  assert.deepEqual({ ...row }, { requests: 1, counted: 1 });
});

Deno.test("RowSums names no kind and no tool that saved nothing", () => {
  const forms = [0, 400].map((saved): SentForm => ({
    key: `${saved}` as BlockKey,
    entry: undefined,
    toolName: `tool ${saved}`,
    strategy: `kind ${saved}`,
    saved,
  }));
  using db = databaseOf([{ ...RECORD, forms }]);
  const names = db.prepare(`SELECT name, requests FROM named
    WHERE dimension IN ('kind', 'tool') AND day = -1 ORDER BY name`).all();
  assert.deepEqual(names.map(({ name, requests }) => `${name}: ${requests}`), [
    "kind 400: 1",
    "tool 400: 1",
  ]);
});

Deno.test("RowSums calls a conversation as its newest request does that says so, the last one of a moment", () => {
  const models = ["a", "b", "", "old"];
  using db = databaseOf(models.map((model, i) => ({
    ...RECORD,
    id: model,
    conversation: "c",
    model,
    at: NOON - (i === 3 ? 1 : 0),
  })));
  const row = db.prepare("SELECT model, requests FROM conversations").get();
  assert.deepEqual({ ...row }, { model: "b", requests: 4 });
});

Deno.test("RowSums bounds the models of a quarter of an hour, and their sums stay", () => {
  using db = databaseOf(
    Array.from(
      { length: 120 },
      (_, i) => ({ ...RECORD, id: `${i}`, model: `model-${i}` }),
    ),
  );
  const models = new SqlActivityReader(db)
    .models({ from: 0, until: Number.MAX_SAFE_INTEGER });
  assert.equal(models.length, 51);
  assert.equal(models.reduce((sum, { requests }) => sum + requests, 0), 120);
});

Deno.test("RowSums never refuses sums beyond 2^53", () => {
  using db = databaseOf(["a", "b", "c"].map((id) => ({
    ...RECORD,
    id,
    usage: { input: 9e18, output: 1e300 },
  })));
  const { input } = db.prepare("SELECT total(input) AS input FROM totals")
    .get() ?? {};
  assert(Number(input) > 9e18);
});

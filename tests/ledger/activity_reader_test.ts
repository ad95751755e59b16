import assert from "node:assert/strict";
import fc from "fast-check";
import type { TimeSpan } from "../../src/core/activity.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { SqlActivityReader } from "../../src/ledger/activity_reader.ts";
import { SqlReader } from "../../src/ledger/reader.ts";
import { databaseOf } from "./database.ts";
import { anyRecord } from "./records.ts";
import { NOON, RECORD } from "./samples.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVER: TimeSpan = { from: 0, until: Number.MAX_SAFE_INTEGER };
const ALL = { ...EVER, limit: 1000, after: undefined };

function readersOf(entries: readonly RequestRecord[]) {
  const db = databaseOf(entries);
  return { db, reader: new SqlReader(db), activity: new SqlActivityReader(db) };
}

const isRefused = ({ status }: RequestRecord) => status >= 400 && status < 499;

Deno.test("SqlActivityReader sums up to what the other tables sum up to, and to the requests", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRecord, { maxLength: 12, selector: ({ id }) => id }),
      (entries) => {
        const { db, reader, activity } = readersOf(entries);
        using _ = db;
        const { requests, failed, saved, added, nanoUsd, unpriced } = reader
          .lifetime();
        const models = activity.models(EVER);
        const sum = (key: keyof typeof models[number]) =>
          models.reduce((total, model) => total + Number(model[key]), 0);
        assert.deepEqual(
          ["requests", "failed", "saved", "added", "nanoUsd", "unpriced"]
            .map((key) => sum(key as "requests")),
          [requests, failed, saved, added, nanoUsd, unpriced],
        );
        assert.equal(sum("refused"), entries.filter(isRefused).length);
        const timed = entries.filter(({ ttfbMs }) => ttfbMs !== undefined);
        const bins = activity.durations(EVER);
        for (const measure of ["latency", "overhead", "ttfb"]) {
          const samples = bins.filter((bin) => bin.measure === measure)
            .reduce((total, { requests }) => total + requests, 0);
          assert.equal(samples, timed.length, measure);
        }
        const own = entries.filter(({ conversation }) => conversation !== "");
        const listed = activity.conversations(ALL);
        assert.equal(
          listed.reduce((total, { requests }) => total + requests, 0),
          own.length,
        );
        const ours = own.filter(({ prefix }) => prefix?.verdict === "ours");
        assert.equal(
          listed.reduce((total, { ours }) => total + ours, 0),
          ours.length,
        );
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("SqlActivityReader reads quarters of an hour that begin in a span, and days of names", () => {
  // A day that begins at half past the hour, as in India.
  const midnight = NOON - NOON % DAY - 5.5 * HOUR;
  const { db, activity } = readersOf([
    { ...RECORD, id: "before", at: midnight - 1 },
    { ...RECORD, id: "in", at: midnight },
    { ...RECORD, id: "last", at: midnight + DAY - 1 },
    { ...RECORD, id: "behind", at: midnight + DAY },
  ]);
  using _ = db;
  const span = { from: midnight, until: midnight + DAY };
  assert.deepEqual(activity.models(span).map(({ requests }) => requests), [2]);
  const day = NOON - NOON % DAY;
  const names = activity.names("model", { from: day, until: day + DAY });
  assert.deepEqual(names.map(({ requests }) => requests), [2]);
});

Deno.test("SqlActivityReader.conversations gives pages, the newest first, none twice", () => {
  const entries = Array.from({ length: 25 }, (_, i) => ({
    ...RECORD,
    id: `${i}`,
    conversation: `c${i % 10}`,
    // Some at the same moment.
    at: NOON + Math.floor(i / 3) * 1000,
    model: i === 24 ? "" : `m${i}`,
    retrieved: i === 7
      ? [{
        key: "k" as never,
        toolName: "Bash",
        strategy: "log",
        tokens: 5,
        via: "proxy" as never,
        query: "",
        at: NOON,
      } as never]
      : [],
  }));
  const { db, activity } = readersOf(entries);
  using _ = db;
  const whole = activity.conversations(ALL);
  assert.equal(whole.length, 10);
  const times = whole.map(({ lastAt }) => lastAt);
  assert.deepEqual(times, times.toSorted((a, b) => b - a));
  assert.equal(whole.find(({ id }) => id === "c7")?.retrievals, 1);
  // A request without a model leaves the last one that has.
  assert.equal(whole.find(({ id }) => id === "c4")?.model, "m14");
  const paged: string[] = [];
  let page = activity.conversations({ ...ALL, limit: 3 });
  while (page.length > 0) {
    paged.push(...page.map(({ id }) => id));
    page = activity.conversations({ ...ALL, limit: 3, after: page.at(-1) });
  }
  assert.deepEqual(paged, whole.map(({ id }) => id));
  const span = { from: NOON + 8000, until: NOON + 9000 };
  assert.deepEqual(
    activity.conversations({ ...ALL, ...span }).map(({ id }) => id),
    ["c4"],
  );
});

Deno.test("the plan of each read uses an index", () => {
  const { db } = readersOf([]);
  using _ = db;
  for (
    const sql of [
      "SELECT * FROM activity WHERE start >= 1 AND start < 2",
      "SELECT * FROM durations WHERE start >= 1 AND start < 2",
      `SELECT * FROM conversations WHERE last_at >= 1 AND last_at < 2
        AND (last_at, id) < (3, 'x') ORDER BY last_at DESC, id DESC LIMIT 3`,
      `SELECT * FROM requests WHERE conversation <> ''
        AND conversation = 'c' AND seq < 9 ORDER BY seq DESC LIMIT 3`,
      `SELECT * FROM requests WHERE ((status >= 400 AND status <> 499)
        OR failures IS NOT NULL) AND seq < 9 ORDER BY seq DESC LIMIT 3`,
    ]
  ) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
      .map(({ detail }) => String(detail)).join("; ");
    assert.match(plan, /USING (PRIMARY KEY|INDEX)/, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE/, plan);
  }
});

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { aliveSpan, LedgerReads } from "../../src/ledger/reads.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { NOON } from "./samples.ts";

function open(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS);
  return db;
}

Deno.test("LedgerReads rounds sums beyond 2^53 instead of refusing them", () => {
  using db = open();
  db.exec(`INSERT INTO spend VALUES (${NOON}, 9223372036854775807, 0, 1, 0),
    (${NOON + 1}, 9223372036854775807, 0, 1, 0)`);
  const reads = new LedgerReads(db);
  const { measuredNanoUsd } = reads.spend("daily", NOON, "p");
  assert.equal(measuredNanoUsd, 2 ** 64);
});

Deno.test("LedgerReads.spend counts what the period holds or what lies ahead, and reservations of the living", () => {
  using db = open();
  const midnight = Date.UTC(2026, 2, 15);
  const hour = 3_600_000;
  db.exec(`
    INSERT INTO spend VALUES (${midnight - hour}, 1, 10, 1, 1),
      (${midnight}, 2, 20, 1, 1), (${midnight + 30 * hour}, 4, 40, 1, 1);
    INSERT INTO processes (id, run, seen_at) VALUES
      ('dead', 'r', ${NOON - 60_001}), ('alive', 'r', ${NOON - 60_000}),
      ('ahead', 'r', ${NOON + 10_000});
    INSERT INTO reservations VALUES ('a', 'dead', ${NOON}, 1),
      ('b', 'alive', ${NOON}, 2), ('c', 'ahead', ${NOON}, 4),
      ('d', 'alive', ${NOON - hour - 1}, 8)`);
  assert.deepEqual(
    new LedgerReads(db).spend("daily", NOON, "ahead"),
    {
      periodStart: midnight,
      measuredNanoUsd: 6,
      estimatedNanoUsd: 60,
      records: 2,
      estimatedRecords: 2,
      reservedNanoUsd: 6,
      reservedByOthersNanoUsd: 2,
      readAt: NOON,
    },
  );
});

Deno.test("LedgerReads goes on where the last look ended", () => {
  using db = open();
  for (let i = 0; i < 5; i++) {
    db.exec(`INSERT INTO given_back (run, process, event)
      VALUES ('r', '${i === 2 ? "me" : "other"}', '{"tokens":${i}}')`);
  }
  const reads = new LedgerReads(db);
  const me = { run: "r", process: "me" };
  const tokens = (seq: number, limit: number) => {
    const { rows, last } = reads.given(me, { after: seq, ownUntil: 0, limit });
    return [...rows.map(({ tokens }) => tokens), last];
  };
  assert.deepEqual(tokens(0, 3), [0, 1, 3, 4]);
  assert.deepEqual(tokens(4, 3), [4, 5]);
  assert.deepEqual(tokens(5, 3), [5]);
  const none = reads.requests(me, { after: 7, ownUntil: 0, limit: 3 });
  assert.deepEqual(none, { rows: [], last: 7 });
  const own = reads.given(me, { after: 0, ownUntil: 3, limit: 3 });
  assert.deepEqual(own.rows.map(({ tokens }) => tokens), [0, 1, 2]);
});

Deno.test("LedgerReads knows where tables end, what is in them, and the last reset of a run", () => {
  using db = open();
  const reads = new LedgerReads(db);
  assert.deepEqual(reads.ends(), { requests: 0, given: 0 });
  assert.equal(reads.reset("r"), undefined);
  db.exec(`INSERT INTO given_back (id, run, process, event)
      VALUES ('g', 'r', 'p', '{}');
    INSERT INTO resets VALUES ('r', 3, 0, 7, 1)`);
  assert.deepEqual(reads.ends(), { requests: 0, given: 1 });
  assert.deepEqual(reads.reset("r"), {
    number: 3,
    behind: { requests: 7, given: 1 },
  });
  const has = (id: string, until: number) => reads.has("given", id, until);
  assert.deepEqual([has("g", 1), has("g", 0), has("x", 1)], [
    true,
    false,
    false,
  ]);
  assert.equal(reads.has("requests", "g", 9), false);
});

Deno.test("aliveSpan is a minute back", () => {
  assert.equal(aliveSpan(NOON)[0], NOON - 60_000);
});

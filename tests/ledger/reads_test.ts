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
  db.exec("UPDATE totals SET nano_usd = 9223372036854775807");
  db.exec(`INSERT INTO spend VALUES (${NOON}, 9223372036854775807, 0, 1, 0),
    (${NOON + 1}, 9223372036854775807, 0, 1, 0)`);
  const reads = new LedgerReads(db);
  assert.equal(reads.lifetime().nanoUsd, 2 ** 63);
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
    const { rows, last } = reads.given(me, seq, limit);
    return [...rows.map(({ tokens }) => tokens), last];
  };
  assert.deepEqual(tokens(0, 3), [0, 1, 3, 4]);
  assert.deepEqual(tokens(4, 3), [4, 5]);
  assert.deepEqual(tokens(5, 3), [5]);
  assert.deepEqual(reads.requests(me, 7, 3), { rows: [], last: 7 });
});

Deno.test("aliveSpan is a minute back", () => {
  assert.equal(aliveSpan(NOON)[0], NOON - 60_000);
});

import assert from "node:assert/strict";
import { aliveSpan, LedgerReads } from "../../src/ledger/reads.ts";
import { databaseOf } from "./database.ts";
import { NOON } from "./samples.ts";

Deno.test("LedgerReads rounds sums beyond 2^53 instead of refusing them", () => {
  using db = databaseOf();
  db.exec(`INSERT INTO spend VALUES (${NOON}, 9223372036854775807, 0, 1, 0),
    (${NOON + 1}, 9223372036854775807, 0, 1, 0)`);
  const reads = new LedgerReads(db);
  const { measuredNanoUsd } = reads.spend("daily", NOON, "p");
  assert.equal(measuredNanoUsd, 2 ** 64);
});

Deno.test("LedgerReads.spend counts what the period holds or what lies ahead, and reservations of the living", () => {
  using db = databaseOf();
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

Deno.test("LedgerReads knows what a run counted, how often it began anew, and what is in tables", () => {
  using db = databaseOf();
  const reads = new LedgerReads(db);
  assert.deepEqual(reads.run("r"), { resets: 0, sums: undefined });
  db.exec(`INSERT INTO given_back (id, run, process, event)
      VALUES ('g', 'r', 'p', '{}');
    INSERT INTO resets VALUES ('r', 3, 0, 0, 0);
    INSERT INTO run_forms VALUES ('r', 'b');
    INSERT INTO run_sums VALUES ('r', '{}'), ('other', '[]')`);
  assert.deepEqual(reads.run("r"), { resets: 3, sums: "{}" });
  assert.deepEqual(
    [
      reads.has("given", "g"),
      reads.has("given", "x"),
      reads.has("requests", "g"),
    ],
    [true, false, false],
  );
  assert.deepEqual([reads.hasForm("r", "b"), reads.hasForm("s", "b")], [
    true,
    false,
  ]);
});

Deno.test("aliveSpan is a minute back", () => {
  assert.equal(aliveSpan(NOON)[0], NOON - 60_000);
});

import assert from "node:assert/strict";
import type { LedgerTask } from "../../src/ledger/channel.ts";
import { NOTHING_KNOWN, ownView } from "../../src/ledger/own_view.ts";
import type { KnownSpend } from "../../src/ledger/reads.ts";
import { rowOf } from "../../src/ledger/rows.ts";
import { NOON, RECORD, spent } from "./samples.ts";

const MIDNIGHT = Date.UTC(2026, 2, 15);

const KNOWN: KnownSpend = {
  periodStart: MIDNIGHT,
  measuredNanoUsd: 1,
  estimatedNanoUsd: 2,
  records: 3,
  estimatedRecords: 1,
  reservedNanoUsd: 70,
  reservedByOthersNanoUsd: 30,
  readAt: NOON,
};

const IDLE = {
  unwritten: [],
  reservedNanoUsd: 0,
  periodStart: MIDNIGHT,
  now: NOON,
};

function book(entry: typeof RECORD): LedgerTask {
  return { type: "book", row: rowOf(entry, { run: "r", process: "p" }, []) };
}

Deno.test("ownView adds what was not written as the database will", () => {
  const unwritten: LedgerTask[] = [
    { type: "beat" },
    book(spent("a", 10)),
    book(spent("b", 20, "estimated")),
    book(spent("c", undefined)),
    book(RECORD),
    book({ ...spent("d", 40), at: MIDNIGHT - 1 }),
  ];
  assert.deepEqual(ownView(KNOWN, { ...IDLE, unwritten, reservedNanoUsd: 5 }), {
    periodStart: MIDNIGHT,
    measuredNanoUsd: 11,
    estimatedNanoUsd: 22,
    records: 6,
    estimatedRecords: 3,
    reservedNanoUsd: 35,
  });
});

Deno.test("ownView believes for a minute what others reserved", () => {
  const at = (now: number) => ownView(KNOWN, { ...IDLE, now }).reservedNanoUsd;
  assert.deepEqual([at(NOON + 60_000), at(NOON + 60_001)], [30, 0]);
});

Deno.test("ownView takes nothing from an earlier period, and a later one as part of a longer one", () => {
  const measured = (periodStart: number, known = KNOWN) =>
    ownView(known, { ...IDLE, periodStart }).measuredNanoUsd;
  assert.equal(measured(MIDNIGHT + 3_600_000), 0);
  assert.equal(measured(Date.UTC(2026, 2, 1)), 1);
  assert.equal(measured(MIDNIGHT, NOTHING_KNOWN), 0);
});

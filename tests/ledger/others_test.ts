import assert from "node:assert/strict";
import type { RetrievalEvent } from "../../src/core/store.ts";
import { Others } from "../../src/ledger/others.ts";
import { RECORD } from "./samples.ts";

Deno.test("Others counts every row once, requests before what was given back", () => {
  const counted: string[] = [];
  const requests = Array.from({ length: 700 }, (_, i) => ({
    ...RECORD,
    id: `${i + 1}`,
  }));
  const given = [{ query: "first" }, { query: "second" }] as RetrievalEvent[];
  const from =
    <T>(rows: readonly T[]) => (_: unknown, seq: number, n: number) => {
      const found = rows.slice(seq, seq + n);
      return { rows: found, last: seq + found.length };
    };
  const others = new Others({
    reads: { requests: from(requests), given: from(given) },
    owner: { run: "r", process: "p" },
    counts: {
      add: (entry) => (counted.push(entry.id), []),
      retrieved: (event) => void counted.push(event.query),
    },
  });
  assert.equal(others.count(), true);
  assert.equal(counted.length, 500);
  assert.equal(others.count(), false);
  requests.push({ ...RECORD, id: "late" });
  assert.equal(others.count(), false);
  assert.deepEqual(counted, [
    ...requests.slice(0, 700).map(({ id }) => id),
    "first",
    "second",
    "late",
  ]);
});

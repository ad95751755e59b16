import assert from "node:assert/strict";
import type { BlockKey } from "../../src/core/store.ts";
import { listsOf, REQUEST_COLUMNS, rowOf } from "../../src/ledger/rows.ts";
import { costOf, RECORD } from "./samples.ts";

const OWNER = { run: "run", process: "p" };

Deno.test("rowOf holds only numbers that a column takes", () => {
  const row = rowOf(
    {
      ...RECORD,
      latencyMs: NaN,
      tokensBefore: 10.5,
      usage: { input: Infinity },
      cost: costOf(1e300),
    },
    OWNER,
    [],
  );
  assert.deepEqual(Object.keys(row).sort(), [...REQUEST_COLUMNS].sort());
  assert.equal(row.latency_ms, 0);
  assert.equal(row.tokens_before, 11);
  assert.equal(row.input, 0);
  assert.equal(row.nano_usd, 1e15);
});

Deno.test("rowOf bounds the names that clients choose", () => {
  const long = "x".repeat(100_000);
  const form = {
    key: "b" as BlockKey,
    entry: undefined,
    toolName: long,
    strategy: "log",
    saved: 50,
  };
  const block = {
    key: "b" as BlockKey,
    entry: undefined,
    isKnown: false,
    messageIndex: 1,
    toolName: long,
    kind: "log",
    outcome: "alone",
    strategy: "",
    reason: "small",
    bytes: 1,
    tokensBefore: 1,
    tokensAfter: 1,
  } as const;
  const entry = { ...RECORD, model: long, forms: [form], blocks: [block] };
  const row = rowOf(entry, OWNER, entry.forms);
  assert.equal(String(row.model).length, 200);
  assert.equal(listsOf(row).blocks[0]?.toolName.length, 200);
  assert.ok(JSON.stringify(row).length < 5000);
});

import assert from "node:assert/strict";
import type { BlockKey } from "../../src/core/store.ts";
import { REQUEST_COLUMNS, rowInSteps, rowOf } from "../../src/ledger/rows.ts";
import { listsOf } from "../../src/ledger/row_lists.ts";
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

Deno.test("rowInSteps makes the row that rowOf makes, with names as short", async () => {
  const block = (i: number) => ({
    key: `b${i}` as BlockKey,
    entry: undefined,
    isKnown: i % 2 === 0,
    messageIndex: i,
    toolName: i === 1500 ? "x".repeat(1000) : `tool "${i}"`,
    kind: "",
    outcome: "alone" as const,
    strategy: "",
    reason: "too_small",
    bytes: i,
    tokensBefore: i % 3 === 0 ? undefined : i,
    tokensAfter: undefined,
  });
  for (const count of [0, 1, 999, 1000, 1001, 3500]) {
    const entry = {
      ...RECORD,
      cost: costOf(5),
      leftAlone: ["too_small", "older_turn"],
      blocks: Array.from({ length: count }, (_, i) => block(i)),
    };
    const { lists: steps, ...own } = await rowInSteps(
      entry,
      OWNER,
      entry.forms,
    );
    const { lists, ...others } = rowOf(entry, OWNER, entry.forms);
    assert.deepEqual(own, others);
    assert.deepEqual(JSON.parse(String(steps)), JSON.parse(String(lists)));
  }
});

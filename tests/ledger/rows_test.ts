import assert from "node:assert/strict";
import fc from "fast-check";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey } from "../../src/core/store.ts";
import { recordOf, REQUEST_COLUMNS, rowOf } from "../../src/ledger/rows.ts";
import { anyRecord } from "./records.ts";
import { costOf, RECORD } from "./samples.ts";

const OWNER = { run: "run", process: "p" };

Deno.test("recordOf gives back what rowOf was given", () => {
  const form = {
    key: "b" as BlockKey,
    entry: undefined,
    toolName: "Bash",
    strategy: "log",
    saved: 50,
  };
  const full: RequestRecord = {
    ...RECORD,
    usage: { input: 1, output: 0, cacheWrite1h: 5 },
    furtherUsage: { cacheRead: 9 },
    cost: costOf(7, "estimated"),
    refusedBy: "rate_limit",
    olderDecided: "pays",
    cached: true,
    schemaTokensSaved: 1234,
    latencyMs: 1.25,
    forms: [form, { ...form, entry: "k" as CcrKey }],
    retrieved: [{
      key: "k" as CcrKey,
      at: 1,
      via: "proxy",
      part: "query",
      query: 'a"\0ü',
      strategy: "log",
      toolName: "",
      items: 1,
      totalItems: 2,
      tokens: 3,
    }],
  };
  for (const entry of [RECORD, full, { ...full, cost: costOf(undefined) }]) {
    const row = rowOf(entry, OWNER, entry.forms);
    assert.deepEqual(recordOf(row), entry);
    assert.deepEqual(Object.keys(row).sort(), [...REQUEST_COLUMNS].sort());
  }
});

Deno.test("recordOf reads rows of versions that knew nothing of deferred tools", () => {
  const row = rowOf(RECORD, OWNER, []);
  const { schemaTokensSaved: _, ...lists } = JSON.parse(String(row.lists));
  assert.deepEqual(
    recordOf({ ...row, lists: JSON.stringify(lists) }),
    { ...RECORD, schemaTokensSaved: 0 },
  );
});

Deno.test("recordOf gives back any request", () => {
  fc.assert(fc.property(anyRecord, (entry) => {
    assert.deepEqual(recordOf(rowOf(entry, OWNER, entry.forms)), entry);
  }));
});

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
  assert.equal(recordOf(row).blocks[0]?.toolName.length, 200);
  assert.ok(JSON.stringify(row).length < 5000);
});

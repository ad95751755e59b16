import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { conversationsBody } from "../../src/ledger/conversations_body.ts";
import { costOf, NOON, RECORD, standingClock } from "./samples.ts";

const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER };

async function pageOf(
  entries: readonly Partial<RequestRecord>[],
  limit: number,
  after?: { lastAt: number; id: string },
) {
  await using ledger = openMemoryLedger({
    clock: standingClock(),
    budget: undefined,
  });
  for (const [i, entry] of entries.entries()) {
    ledger.record({ ...RECORD, id: `${i}`, at: NOON + i, ...entry });
  }
  await ledger.flush();
  const parts = { activity: ledger.activity, now: NOON };
  return conversationsBody(parts, { ...EVER, limit, after });
}

const proof = (verdict: "first" | "extended" | "ours") => ({
  verdict,
  previousBytes: 9,
  equalBytes: 9,
  firstDifference: "",
});

Deno.test("conversationsBody sums up the requests of each conversation", async () => {
  const ofA = { conversation: "a", agent: "claude-cli", usage: { input: 600 } };
  const { conversations, next } = await pageOf([
    { ...ofA, prefix: proof("first"), cost: costOf(1e9) },
    { ...ofA, prefix: proof("extended"), cost: costOf(1e9) },
    { ...ofA, prefix: proof("ours"), status: 400, cost: costOf(undefined) },
    { conversation: "" },
    { conversation: "b", model: "", cost: costOf(undefined) },
  ], 10);
  assert.equal(next, null);
  assert.deepEqual(conversations.map(({ conversation }) => conversation), [
    "b",
    "a",
  ]);
  const [b, a] = conversations;
  assert.deepEqual([b?.model, b?.agent, b?.total_cost_usd], [null, null, null]);
  assert.deepEqual(
    [a?.first_at, a?.last_at],
    [NOON, NOON + 2].map((at) => new Date(at).toISOString()),
  );
  assert.deepEqual(
    [a?.requests, a?.refused, a?.input_tokens, a?.tokens_saved],
    [3, 1, 1800, 800],
  );
  assert.deepEqual([a?.total_cost_usd, a?.unpriced_requests], [2, 1]);
  assert.deepEqual(a?.prefix, { extended: 1, client: 0, decided: 0, ours: 1 });
  assert.deepEqual([a?.model, a?.agent, a?.retrievals], [
    "m1",
    "claude-cli",
    0,
  ]);
});

Deno.test("conversationsBody says where the next page begins, and that there is none", async () => {
  const entries = ["a", "b", "c"].map((conversation) => ({ conversation }));
  const first = await pageOf(entries, 2);
  assert.equal(first.next, `${NOON + 1}.b`);
  const rest = await pageOf(entries, 2, { lastAt: NOON + 1, id: "b" });
  assert.deepEqual(
    rest.conversations.map(({ conversation }) => conversation),
    ["a"],
  );
  assert.equal(rest.next, null);
});

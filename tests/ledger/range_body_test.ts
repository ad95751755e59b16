import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { conversationsBody, rangeBody } from "../../src/ledger/range_body.ts";
import { withhold } from "../../src/ledger/withhold.ts";
import { costOf, NOON, RECORD, standingClock } from "./samples.ts";

const MAX_MODELS = 8;

const HOUR = 3_600_000;
const START = NOON - NOON % HOUR;

async function bodyOf(
  entries: readonly Partial<RequestRecord>[],
  edges: readonly number[],
  by?: "project",
) {
  await using ledger = openMemoryLedger({
    clock: standingClock(),
    budget: undefined,
  });
  for (const [i, entry] of entries.entries()) {
    ledger.record({ ...RECORD, id: `${i}`, ...entry });
  }
  await ledger.flush();
  const parts = { activity: ledger.activity, now: NOON };
  return await rangeBody(parts, { edges, by });
}

Deno.test("rangeBody has an interval between each two edges, also where nothing happened", async () => {
  const body = await bodyOf([
    { at: START, status: 404 },
    { at: START + 2 * HOUR - 1, status: 529 },
    { at: START + 2 * HOUR, status: 499 },
    { at: START + 3 * HOUR },
  ], [START, START + HOUR, START + 2 * HOUR, START + 3 * HOUR]);
  assert.deepEqual(
    body.intervals.map(({ from, until, requests, failed, refused }) => [
      from.slice(11, 16),
      until.slice(11, 16),
      requests,
      failed,
      refused,
    ]),
    [
      ["10:00", "11:00", 1, 0, 1],
      ["11:00", "12:00", 1, 1, 0],
      ["12:00", "13:00", 1, 0, 0],
    ],
  );
  assert.deepEqual([body.total.requests, body.total.refused], [3, 1]);
  assert.deepEqual(body.intervals[0]?.latency, {
    requests: 0,
    p50_ms: null,
    p95_ms: null,
  });
});

Deno.test("rangeBody says what models cost, and that an unknown price is unknown", async () => {
  const { intervals, total } = await bodyOf([
    { model: "priced", cost: costOf(5e8) },
    { model: "half", cost: costOf(2e8) },
    { model: "half", cost: costOf(undefined) },
    { model: "secret", cost: costOf(undefined) },
    { model: "", cost: undefined },
  ], [START, START + HOUR]);
  assert.deepEqual(intervals[0]?.cost_by_model, {
    priced: { requests: 1, cost_usd: 0.5, unpriced_requests: 0 },
    half: { requests: 2, cost_usd: 0.2, unpriced_requests: 1 },
    secret: { requests: 1, cost_usd: null, unpriced_requests: 1 },
  });
  assert.equal(total.total_cost_usd, 0.7);
  assert.equal(total.unpriced_requests, 2);
});

Deno.test("rangeBody names the models that cost most, the same ones in each interval", async () => {
  const models = Array.from({ length: MAX_MODELS + 2 }, (_, i) => ({
    model: `m${i}`,
    at: START + (i % 2) * HOUR,
    cost: costOf(1e9 + i),
  }));
  const { intervals } = await bodyOf(models, [
    START,
    START + HOUR,
    START + 2 * HOUR,
  ]);
  for (const [i, { cost_by_model }] of intervals.entries()) {
    const names = Object.keys(cost_by_model ?? {});
    assert.equal(names.length, MAX_MODELS / 2 + 1);
    assert(names.includes("(other)") && !names.includes(`m${i}`));
  }
});

Deno.test("rangeBody gives percentiles of durations, within 10 %", async () => {
  const { intervals } = await bodyOf(
    Array.from({ length: 100 }, (_, i) => ({
      latencyMs: (i + 1) * 100,
      ttfbMs: 50,
      overheadMs: 2,
    })),
    [START, START + HOUR],
  );
  const { latency, overhead, ttfb } = intervals[0]!;
  const near = (found: number | null, wanted: number) =>
    assert(Math.abs((found ?? 0) / wanted - 1) < 0.1, `${found} ${wanted}`);
  near(latency.p50_ms, 5000);
  near(latency.p95_ms, 9500);
  near(overhead.p95_ms, 2);
  near(ttfb.p50_ms, 50);
  assert.equal(latency.requests, 100);
});

Deno.test("rangeBody has names only where they are asked for, and withholds all of them", async () => {
  const day = NOON - NOON % (24 * HOUR);
  const edges = [day, day + 24 * HOUR];
  const entries = [{ project: "zebra", model: "zebra", cost: costOf(5) }];
  const body = await bodyOf(entries, edges, "project");
  assert.equal(body.by?.["zebra"]?.requests, 1);
  assert.equal((await bodyOf(entries, edges)).by, undefined);
  const shown = withhold(body);
  assert.doesNotMatch(JSON.stringify(shown), /zebra/);
  assert.equal(shown.intervals[0]?.requests, 1);
});

Deno.test("rangeBody lets others run between a few intervals", async () => {
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setTimeout(count);
  };
  setTimeout(count);
  const edges = Array.from({ length: 401 }, (_, i) => START + i * HOUR);
  const { intervals } = await bodyOf([{}], edges);
  running = false;
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(intervals.length, 400);
  assert(turns >= 25, `${turns} turns`);
});

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

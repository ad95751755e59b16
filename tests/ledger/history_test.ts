import assert from "node:assert/strict";
import type {
  Dimension,
  RequestQuery,
  Step,
} from "../../src/core/ledger_reader.ts";
import type { SessionReader } from "../../src/ledger/reader.ts";
import {
  historyBody,
  historyPoints,
  newestPoints,
} from "../../src/ledger/history.ts";
import { NOON } from "./samples.ts";
import { readerOf, traffic } from "./traffic.ts";

const nano = (usd: number) => Math.round(usd * 1e9);

Deno.test("historyBody has the fields of the contract, and its totals are those of the ledger", async () => {
  const reader = readerOf(traffic(21, 300));
  const body = await historyBody(
    { reader, path: "/w/ledger.db", now: NOON },
    "compact",
  );
  const sums = reader.lifetime();
  assert.equal(body.schema_version, 3);
  assert.equal(body.generated_at, new Date(NOON).toISOString());
  assert.equal(body.storage_path, "/w/ledger.db");
  assert.equal(body.lifetime.requests, 300);
  assert.equal(body.lifetime.tokens_saved, sums.saved - sums.added);
  assert.equal(nano(body.lifetime.compression_savings_usd), sums.savedNet);
  assert.equal(body.display_session.requests, 300);
  assert.deepEqual(body.display_session_policy, {
    rollover_inactivity_minutes: 60,
  });
  assert.deepEqual(Object.keys(body.series), [
    "hourly",
    "daily",
    "weekly",
    "monthly",
  ]);
  assert.deepEqual(Object.keys(body.projects ?? {}).toSorted(), [
    "alpha",
    "beta",
    "default",
  ]);
  assert.equal(body.history_summary.returned_points, body.history.length);
  assert.deepEqual(JSON.parse(JSON.stringify(body)), body);
});

Deno.test("an empty ledger has an empty history", async () => {
  const body = await historyBody(
    { reader: readerOf([]), path: undefined, now: NOON },
    "full",
  );
  assert.deepEqual(body.history, []);
  assert.equal(body.storage_path, null);
  assert.equal(body.display_session.started_at, null);
});

Deno.test("full has a point for each request that saved, and each is the sum of all before it", async () => {
  const records = traffic(22, 700);
  const reader = readerOf(records);
  const { points } = await historyPoints(reader, "full");
  const logged = reader.requests({ limit: 700 }).toReversed();
  assert.equal(
    points.length,
    logged.filter(({ tokensSaved }) => tokensSaved > 0).length,
  );
  const sums = { saved: 0, net: 0, input: 0, cost: 0 };
  let next = 0;
  for (const request of logged) {
    sums.saved += request.tokensSaved;
    sums.net += request.savedNetNanoUsd ?? 0;
    sums.input += request.tokensIn;
    sums.cost += request.nanoUsd ?? 0;
    if (request.tokensSaved <= 0) continue;
    const point = points[next++]!;
    assert.deepEqual(
      [
        point.total_tokens_saved,
        nano(point.compression_savings_usd),
        point.total_input_tokens,
        nano(point.total_input_cost_usd),
        point.model,
      ],
      [sums.saved, sums.net, sums.input, sums.cost, request.model],
    );
  }
});

Deno.test("full looks back over 5,000 requests at most", async () => {
  const { points, stored } = await historyPoints(
    readerOf(
      traffic(23, 5200).map((entry) => ({
        ...entry,
        status: 200,
        cached: false,
        tokensBefore: 10,
        tokensAfter: 9,
      })),
    ),
    "full",
  );
  assert.equal(points.length, 5000);
  assert.equal(stored, 5000);
  assert.equal(points.at(-1)?.total_tokens_saved, 5200);
});

Deno.test("compact has at most 500 points, the newest third one per request, hours before, in order", async () => {
  const records = traffic(24, 9000);
  const { points, stored } = await historyPoints(readerOf(records), "compact");
  assert.equal(points.length, 500);
  assert.ok(stored > 500);
  const times = points.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, times.toSorted());
  assert.ok(points.slice(-167).every(({ model }) => model !== undefined));
  assert.ok(points.slice(0, -167).every(({ model }) => model === undefined));
  const last = await historyPoints(readerOf(records), "full");
  assert.deepEqual(points.at(-1), last.points.at(-1));
});

Deno.test("none has no points", async () => {
  const { points } = await historyPoints(readerOf(traffic(25, 9)), "none");
  assert.deepEqual(points, []);
});

Deno.test("newestPoints are read again when a request was written between two reads", () => {
  const records = traffic(26, 50);
  let reads = 0;
  const before = readerOf(records.slice(0, 40));
  const after = readerOf(records);
  // The other thread writes right after the sums were read first.
  const reader: SessionReader = Object.assign(readerOf(records), {
    lifetime: () => reads++ === 0 ? before.lifetime() : after.lifetime(),
  });
  assert.deepEqual(newestPoints(reader, 20), newestPoints(after, 20));
});

Deno.test("historyBody lets others have their turn between what it reads", async () => {
  const whole = readerOf(traffic(26, 900));
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    turn++;
    timer = setTimeout(tick);
  };
  tick();
  const read = new Map<number, Set<string>>();
  const noted = (what: string) =>
    read.set(turn, (read.get(turn) ?? new Set()).add(what));
  const reader: SessionReader = Object.assign(readerOf(traffic(26, 900)), {
    requests(query: RequestQuery) {
      noted("requests");
      assert.ok(query.limit <= 500);
      return whole.requests(query);
    },
    buckets(step: Step) {
      noted("buckets");
      return whole.buckets(step);
    },
    breakdown(by: Dimension) {
      noted("breakdown");
      return whole.breakdown(by);
    },
  });
  try {
    await historyBody({ reader, path: undefined, now: NOON }, "compact");
  } finally {
    clearTimeout(timer);
  }
  const kinds = [...read.values()].map((set) => [...set].join());
  assert.deepEqual(kinds, ["requests", "buckets", "buckets", "breakdown"]);
});

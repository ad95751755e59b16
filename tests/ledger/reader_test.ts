import assert from "node:assert/strict";
import fc from "fast-check";
import type { RequestRecord, SentForm } from "../../src/core/ledger.ts";
import type {
  Dimension,
  NamedSums,
  Step,
  Sums,
} from "../../src/core/ledger_reader.ts";
import type { BlockKey } from "../../src/core/store.ts";
import { SqlReader } from "../../src/ledger/reader.ts";
import { databaseOf, rowOfRun, writerOf } from "./database.ts";
import { anyRecord } from "./records.ts";
import { costOf, NOON, RECORD, spent } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Requests in a ledger, each written twice. */
function ledgerOf(entries: readonly RequestRecord[]) {
  const db = databaseOf([...entries, ...entries]);
  return { db, reader: new SqlReader(db) };
}

function addUp(rows: readonly Sums[]): Sums {
  const sums: Record<string, number> = { ...sumsOf([]) };
  for (const row of rows) {
    for (const key in sums) sums[key]! += row[key as keyof Sums];
  }
  return sums as unknown as Sums;
}

Deno.test("sums over each series and each dimension are those over the requests, to the unit", () => {
  const steps: Step[] = ["hourly", "daily", "weekly", "monthly"];
  const full: Dimension[] = ["provider", "model", "project", "stack", "agent"];
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 12 }), (entries) => {
      const { db, reader } = ledgerOf(entries);
      using _ = db;
      const all = sumsOf(entries);
      assert.deepEqual(reader.lifetime(), all);
      for (const step of steps) {
        assert.deepEqual(addUp(reader.buckets(step)), all, step);
      }
      for (const since of [undefined, 0]) {
        for (const by of full) {
          assert.deepEqual(addUp(reader.breakdown(by, since)), all, by);
        }
        for (const by of ["kind", "tool"] as const) {
          const rows = reader.breakdown(by, since);
          assert.equal(addUp(rows).saved, all.saved, by);
          const added = rows.filter(({ added }) => added !== 0)
            .map(({ name, saved, added }) => [name, saved, added]);
          const wanted = ["(added)", 0, all.added];
          assert.deepEqual(added, all.added === 0 ? [] : [wanted], by);
        }
      }
      const ours = entries.filter(({ prefix }) => prefix?.verdict === "ours");
      assert.equal(reader.brokenPrefixes(), ours.length);
    }),
    { numRuns: 40 },
  );
});

Deno.test("steps begin with hours, days, Mondays and months in UTC", () => {
  const times = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00Z"];
  const { db, reader } = ledgerOf(
    times.map((time) => ({ ...RECORD, id: time, at: Date.parse(time) })),
  );
  using _ = db;
  const starts = (step: Step) =>
    reader.buckets(step).map(({ start }) => new Date(start).toISOString());
  assert.deepEqual(starts("hourly"), [
    "2026-02-28T23:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
  ]);
  assert.deepEqual(starts("daily"), [
    "2026-02-28T00:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
  ]);
  assert.deepEqual(starts("weekly"), ["2026-02-23T00:00:00.000Z"]);
  assert.deepEqual(starts("monthly"), [
    "2026-02-01T00:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
  ]);
});

Deno.test("SqlReader.breakdown gives the greatest saving first, of the days asked for", () => {
  const entry = (id: string, project: string, saved: number, at = NOON) => ({
    ...RECORD,
    id,
    project,
    at,
    tokensBefore: 600 + saved,
  });
  const { db, reader } = ledgerOf([
    entry("a", "small", 10),
    entry("b", "loses", -5),
    entry("c", "big", 300, NOON - DAY),
    entry("d", "small", 15),
  ]);
  using _ = db;
  const names = (rows: readonly NamedSums[]) =>
    rows.map(({ name, requests, saved, added }) =>
      `${name} ${requests} ${saved - added}`
    );
  assert.deepEqual(names(reader.breakdown("project")), [
    "big 1 300",
    "small 2 25",
    "loses 1 -5",
  ]);
  assert.deepEqual(names(reader.breakdown("project", NOON - NOON % DAY)), [
    "small 2 25",
    "loses 1 -5",
  ]);
});

Deno.test("breakdowns keep 200 names a day, and 400 over all time", () => {
  const { db, reader } = ledgerOf(
    Array.from({ length: 600 }, (_, i) => ({
      ...RECORD,
      id: `${i}`,
      model: `m${i}${"x".repeat(i === 0 ? 500 : 0)}`,
      at: NOON - Math.floor(i / 300) * DAY,
    })),
  );
  using _ = db;
  const of = (since?: number) => {
    const rows = reader.breakdown("model", since);
    const other = rows.find(({ name }) => name === "(other)");
    return [rows.length, other?.requests, addUp(rows).requests];
  };
  assert.deepEqual(of(), [401, 200, 600]);
  assert.deepEqual(of(NOON - NOON % DAY), [201, 100, 300]);
  const longest = reader.breakdown("model").map(({ name }) => name.length);
  assert.equal(Math.max(...longest), 200);
});

Deno.test("what was added keeps its row, however many tools there were before", () => {
  const form = (toolName: string): SentForm => ({
    key: toolName as BlockKey,
    entry: undefined,
    toolName,
    strategy: "log",
    saved: 400,
  });
  const { db, reader } = ledgerOf([
    ...Array.from(
      { length: 450 },
      (_, i) => ({ ...RECORD, id: `${i}`, forms: [form(`t${i}`)] }),
    ),
    { ...RECORD, id: "last", tokensAfter: 950, forms: [form("(added)")] },
  ]);
  using _ = db;
  for (const since of [undefined, 0]) {
    const added = reader.breakdown("tool", since)
      .filter(({ added }) => added !== 0);
    assert.deepEqual(
      added.map(({ name, saved, added }) => [name, saved, added]),
      [["(added)", 0, 350]],
    );
  }
});

Deno.test("SqlReader.requests gives the newest first, or what came after one", () => {
  const { db, reader } = ledgerOf(
    [5, 1, 2, 3, 4].map((i) => ({ ...RECORD, id: `r${i}`, at: NOON + i })),
  );
  using _ = db;
  const ids = (query: Parameters<typeof reader.requests>[0]) =>
    reader.requests(query).map(({ id }) => id).join(" ");
  assert.equal(ids({ limit: 2 }), "r4 r3");
  assert.equal(ids({ limit: 9, since: NOON + 3 }), "r4 r3 r5");
  assert.equal(ids({ limit: 2, after: 1 }), "r1 r2");
  assert.equal(ids({ limit: 9, after: 3, since: NOON + 4 }), "r4");
  assert.equal(ids({ limit: 9, after: 10 }), "");
});

Deno.test("SqlReader.request finds by the first characters of an id, when only one fits", () => {
  const { db, reader } = ledgerOf(
    ["ab", "abc", "b1", "b%"].map((id) => ({ ...RECORD, id })),
  );
  using _ = db;
  const found = (id: string) => reader.request(id)?.id;
  assert.deepEqual(
    ["ab", "abc", "a", "b1", "b", "b%", "", "x"].map(found),
    ["ab", "abc", undefined, "b1", undefined, "b%", undefined, undefined],
  );
});

Deno.test("SqlReader.request gives back what was recorded", () => {
  const entry: RequestRecord = {
    ...RECORD,
    project: "p",
    stack: "s",
    agent: "a",
    conversation: "c",
    errorType: "invalid_request_error",
    failures: [{ stage: "scan", reason: "Error: x" }],
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    cost: costOf(7, "estimated"),
    ttfbMs: 1.5,
    furtherRounds: 2,
    prefix: {
      verdict: "client",
      previousBytes: 9,
      equalBytes: 8,
      firstDifference: "/x",
    },
  };
  const { db, reader } = ledgerOf([entry]);
  using _ = db;
  assert.deepEqual(reader.request("r"), {
    seq: 1,
    id: "r",
    at: NOON,
    provider: "messages",
    upstream: "up",
    model: "m1",
    routedFrom: undefined,
    schemaTokensSaved: 0,
    project: "p",
    stack: "s",
    agent: "a",
    conversation: "c",
    status: 200,
    cached: false,
    refusedBy: undefined,
    errorType: "invalid_request_error",
    failures: [{ stage: "scan", reason: "Error: x" }],
    tokensBefore: 1000,
    tokensAfter: 600,
    tokensIn: 8,
    tokensRemoved: 400,
    tokensSaved: 400,
    output: 2,
    input: 1,
    cacheRead: 3,
    cacheWrite: 4,
    latencyMs: 100,
    ttfbMs: 1.5,
    overheadMs: 4,
    costBasis: "estimated",
    nanoUsd: 7,
    savedGrossNanoUsd: 14,
    savedNetNanoUsd: 7,
    strategies: ["log"],
    blocks: [],
    prefix: entry.prefix,
    furtherRounds: 2,
    retrievals: 0,
  });
});

Deno.test("a session ends with an hour of silence after its last response", () => {
  const at = (id: string, time: number, latencyMs = 0) => ({
    ...spent(id, 1),
    at: time,
    latencyMs,
  });
  const { db, reader } = ledgerOf([at("a", NOON - 3 * HOUR)]);
  using _ = db;
  const write = writerOf(db);
  const add = (entry: RequestRecord) => {
    write([rowOfRun(entry)]);
    const session = reader.session()!;
    return [session.startedAt - NOON, session.lastAt - NOON, session.requests];
  };
  assert.deepEqual(add(at("b", NOON, 1000)), [0, 1000, 1]);
  assert.deepEqual(add(at("c", NOON + HOUR + 1000)), [0, HOUR + 1000, 2]);
  assert.deepEqual(add(at("late", NOON - 1)), [-1, HOUR + 1000, 3]);
  const next = 2 * HOUR + 1001;
  assert.deepEqual(add(at("d", NOON + next)), [next, next, 1]);
});

Deno.test("SqlReader of an empty ledger has zeros and no session", () => {
  const { db, reader } = ledgerOf([]);
  using _ = db;
  assert.deepEqual(reader.lifetime(), sumsOf([]));
  assert.deepEqual([reader.session(), reader.buckets("hourly")], [
    undefined,
    [],
  ]);
});

Deno.test("SqlReader rounds sums beyond 2^53 instead of refusing them", () => {
  const { db, reader } = ledgerOf([]);
  using _ = db;
  db.exec("UPDATE totals SET nano_usd = 9223372036854775807");
  assert.equal(reader.lifetime().nanoUsd, 2 ** 63);
});

Deno.test("SqlReader.requests parses the lists of a request only when they are looked at", () => {
  const { db, reader } = ledgerOf([{ ...RECORD, id: "a" }]);
  using _ = db;
  const [whole] = reader.requests({ limit: 1 });
  assert.deepEqual(whole?.strategies, RECORD.strategies);
  assert.ok("blocks" in JSON.parse(JSON.stringify(whole)));
  db.exec("UPDATE requests SET lists = 'no JSON'");
  const [request] = reader.requests({ limit: 1 });
  assert.equal(request?.tokensSaved, 400);
  assert.throws(() => request?.blocks, SyntaxError);
});

Deno.test("SqlReader.conversations finds those that cost more than they would have, and what other models and our breakpoints saved", () => {
  const one = (
    id: string,
    conversation: string,
    net: number | undefined,
    changes: Partial<RequestRecord> = {},
  ): RequestRecord => ({
    ...RECORD,
    id,
    conversation,
    cost: { ...costOf(7, "measured"), savedNetNanoUsd: net },
    ...changes,
  });
  const routed: RequestRecord = {
    ...one("4", "b", 60),
    routedFrom: "big",
    cost: {
      ...costOf(7, "measured"),
      savedNetNanoUsd: 60,
      savedByRouteNanoUsd: 40,
    },
  };
  const cached = (id: string, saved: number): RequestRecord => ({
    ...one(id, "b", saved),
    hasOwnBreakpoints: true,
    cost: {
      ...costOf(7, "measured"),
      savedNetNanoUsd: saved,
      savedByCacheNanoUsd: saved,
    },
  });
  const { db, reader } = ledgerOf([
    one("1", "a", -30),
    one("2", "a", 10),
    one("3", "b", -10),
    routed,
    one("5", "c", undefined),
    one("6", "", -99),
    one("7", "old", -5, { at: NOON - DAY }),
    cached("8", -25),
    cached("9", 90),
  ]);
  using _ = db;
  const all = {
    count: 3,
    dearer: 2,
    lostNanoUsd: 25,
    routed: 1,
    routeSavedNanoUsd: 40,
    cached: 2,
    cacheSavedNanoUsd: 65,
  };
  assert.deepEqual(reader.conversations(), all);
  assert.deepEqual(reader.conversations(NOON), {
    ...all,
    count: 2,
    dearer: 1,
    lostNanoUsd: 20,
  });
  assert.equal(reader.request("4")!.routedFrom, "big");
});

Deno.test("SqlReader.answers adds up output by conversation and kind of turn, where shorter answers are or could be asked for", () => {
  const one = (
    id: string,
    conversation: string,
    shape: RequestRecord["shape"],
    output = 10,
  ): RequestRecord => ({
    ...RECORD,
    id,
    conversation,
    model: "m",
    usage: { output },
    ...shape && { shape },
  });
  const ask = { isShaped: true, turn: "ask" } as const;
  const { db, reader } = ledgerOf([
    one("1", "a", ask),
    one("2", "a", ask, 5),
    one("3", "a", { ...ask, turn: "results" }),
    one("4", "b", { ...ask, isShaped: false }),
    one("5", "c", undefined),
    { ...one("6", "a", ask), status: 500 },
  ]);
  using _ = db;
  const rows = reader.answers().map((row) => Object.values(row).join(" "));
  assert.deepEqual(rows.sort(), [
    "a m ask true 2 15",
    "a m results true 1 10",
    "b m ask false 1 10",
  ]);
});

Deno.test("requests are listed by conversation, by problem and page by page, the newest first", () => {
  const entries = ["a", "b", "c", "d"].map((id, i) => ({
    ...RECORD,
    id,
    at: NOON + i,
    conversation: i % 2 ? "odd" : "even",
    status: i === 2 ? 502 : 200,
  }));
  const { db, reader } = ledgerOf(entries);
  using _ = db;
  const ids = (query: Parameters<SqlReader["list"]>[0]) =>
    reader.list(query).map(({ id }) => id);
  assert.deepEqual(ids({ limit: 9 }), ["d", "c", "b", "a"]);
  assert.deepEqual(ids({ limit: 9, conversation: "odd" }), ["d", "b"]);
  assert.deepEqual(ids({ limit: 9, hasProblem: true }), ["c"]);
  const [newest, next] = reader.list({ limit: 2 });
  assert.deepEqual(ids({ limit: 1, before: newest!.seq }), ["c"]);
  assert.deepEqual(ids({ limit: 9, before: next!.seq }), ["b", "a"]);
  assert.deepEqual(
    ids({ limit: 9, conversation: "odd", before: newest!.seq }),
    ["b"],
  );
});

import assert from "node:assert/strict";
import type { CacheTurn } from "../../../src/core/cache_outcome.ts";
import { cacheReport, cacheTable } from "../../../src/cli/savings/cache.ts";

/** 12,000 turns: every third one finds its prompt, one in three was changed, one in three is the first. */
const TURNS: readonly CacheTurn[] = Array.from({ length: 12_000 }, (_, i) => ({
  ...{ seq: i + 1, at: i, provider: "p", model: "m", verdict: "client" },
  read: i % 3 === 0 ? 2000 : 100,
  before: i % 3 === 2
    ? undefined
    : { at: i, input: 1, cacheRead: 1500, cacheWrite: 500 },
}));

const reader = {
  cacheTurns: (
    { after, limit, since = 0 }: {
      readonly after: number;
      readonly limit: number;
      readonly since?: number | undefined;
    },
  ) =>
    TURNS.filter(({ seq, at }) => seq > after && at >= since).slice(0, limit),
};

function row(requests: number, ...tokens: readonly number[]) {
  const [expected_tokens, read_tokens, missed_tokens] = tokens;
  return { requests, expected_tokens, read_tokens, missed_tokens };
}

Deno.test("cacheReport adds up every turn once, or those since a time", () => {
  const report = cacheReport(reader);
  assert.deepEqual([...report], [
    ["hit", row(4000, 8e6, 8e6, 0)],
    ["first", row(4000, 0, 4e5, 0)],
    ["client", row(4000, 8e6, 4e5, 7.6e6)],
  ]);
  assert.equal(cacheReport(reader, 11_998).get("hit"), undefined);
  assert.equal(cacheReport(reader, 11_998).get("first")?.requests, 1);
});

Deno.test("cacheTable shows the same rows to people and to programs", () => {
  const report = cacheReport(reader);
  const table = cacheTable(report, "/l.db", undefined);
  const text = table.text(80);
  assert.match(text, /^PROMPT CACHE +REQUESTS +EXPECTED +READ +MISSED/);
  assert.match(text, /changed by the client +4,000 +8,000,000 +400,000 +7,600/);
  assert.match(text, /\ntotal +12,000 /);
  const client = { name: "client", ...row(4000, 8e6, 4e5, 7.6e6) };
  assert.partialDeepStrictEqual(table.json, {
    path: "/l.db",
    since: null,
    rows: [{ name: "hit" }, { name: "first" }, client],
  });
  assert.deepEqual(table.rows[2], client);
  assert.deepEqual(table.rows[3], {
    name: "total",
    ...row(12_000, 16e6, 8.8e6, 7.6e6),
  });
});

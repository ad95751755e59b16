import assert from "node:assert/strict";
import fc from "fast-check";
import type { CacheOutcome } from "../../src/core/cache_outcome.ts";
import { livesIn, LivesTable } from "../../src/telemetry/lives_table.ts";

const MINUTE = 60_000;
const TURN = { provider: "p", model: "m", verdict: "extended" } as const;
const hit = (idleMs: number, parts: Partial<CacheOutcome> = {}) => ({
  ...{ cause: "hit" as const, idleMs, lifeMs: 5 * MINUTE, isOwn: true },
  ...{ expected: 5000, read: 5000 },
  ...parts,
});

Deno.test("LivesTable learns the longest pause after which a prompt was read, for the time that was asked for", () => {
  const table = new LivesTable();
  for (const minutes of [3, 12, 8]) table.add(TURN, hit(minutes * MINUTE));
  assert.equal(table.longest("p", "m", 5 * MINUTE), 12 * MINUTE);
  assert.equal(table.longest("p", "m", 60 * MINUTE), 60 * MINUTE);
  assert.equal(table.longest("p", "other", 5 * MINUTE), 5 * MINUTE);
  table.add(TURN, hit(MINUTE, { cause: "unknown" }));
  table.add(TURN, hit(40 * MINUTE, { cause: "cold" }));
  const [row] = JSON.parse(table.text()).rows;
  assert.deepEqual(row, {
    ...{ provider: "p", model: "m", ttl_ms: 5 * MINUTE, hits: 3, misses: 2 },
    longest_hit_ms: 12 * MINUTE,
    shortest_miss_ms: MINUTE,
  });
});

Deno.test("LivesTable learns nothing from what proves nothing", () => {
  const table = new LivesTable();
  table.add(TURN, hit(9 * MINUTE, { isOwn: false }));
  table.add(TURN, hit(9 * MINUTE, { lifeMs: undefined }));
  table.add(TURN, hit(25 * 60 * MINUTE));
  table.add({ ...TURN, verdict: "client" }, hit(MINUTE, { cause: "unknown" }));
  table.add(TURN, hit(9 * MINUTE, { cause: "client" }));
  assert.deepEqual(JSON.parse(table.text()).rows, []);
});

Deno.test("LivesTable never answers with less than the provider says, and reads what it wrote", () => {
  const name = fc.constantFrom("a", "b", "\u{1F600}");
  fc.assert(fc.property(
    fc.array(fc.tuple(name, fc.nat(9e7), fc.constantFrom(3e5, 36e5))),
    fc.nat(1e6),
    (seen, counted) => {
      const table = new LivesTable();
      table.counted = counted;
      for (const [model, idle, lifeMs] of seen) {
        table.add({ ...TURN, model }, hit(idle, { lifeMs }));
      }
      const again = livesIn(table.text());
      assert.equal(again.counted, counted);
      assert.equal(again.text(), table.text());
      for (const [model, , lifeMs] of seen) {
        assert.ok(again.longest("p", model, lifeMs) >= lifeMs);
      }
    },
  ));
});

Deno.test("LivesTable keeps the models that were seen last", () => {
  const table = new LivesTable();
  for (let i = 0; i < 700; i++) {
    table.add({ ...TURN, model: `${i}` }, hit(9 * MINUTE));
  }
  assert.equal(table.longest("p", "199", 5 * MINUTE), 5 * MINUTE);
  assert.equal(table.longest("p", "699", 5 * MINUTE), 9 * MINUTE);
});

Deno.test("livesIn refuses what is no table, and repeats nothing of it", () => {
  const row = { provider: "p", model: "m", ttl_ms: 1, hits: 1, misses: 0 };
  const whole = { ...row, longest_hit_ms: 5, shortest_miss_ms: null };
  const table = (...rows: unknown[]) =>
    JSON.stringify({ version: 1, counted: 3, rows });
  assert.equal(livesIn(table(whole)).longest("p", "m", 1), 5);
  for (
    const text of [
      "",
      "secret",
      "[]",
      "null",
      '{"version":2,"counted":0,"rows":[]}',
      '{"version":1,"counted":-1,"rows":[]}',
      '{"version":1,"counted":0,"rows":{}}',
      table(null),
      table(row),
      table({ ...whole, longest_hit_ms: 1e300 }),
      table({ ...whole, longest_hit_ms: -1 }),
      table({ ...whole, shortest_miss_ms: "x" }),
      table({ ...whole, model: "m".repeat(201) }),
    ]
  ) {
    assert.throws(() => livesIn(text), {
      message: "Cannot use it: no table of cache lifetimes",
    }, text);
  }
});

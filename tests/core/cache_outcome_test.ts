import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CACHE_CAUSES,
  cacheOutcome,
  type CacheTurn,
} from "../../src/core/cache_outcome.ts";
import { FORMATS } from "../pipeline/harness.ts";

const MINUTE = 60_000;
const BEFORE = { at: 0, input: 5, cacheRead: 4000, cacheWrite: 1000 };

function causeOf(
  turn: Partial<CacheTurn>,
  before: Partial<NonNullable<CacheTurn["before"]>> = {},
) {
  return cacheOutcome({
    ...{ seq: 1, at: MINUTE, provider: "p", model: "m" },
    read: 5000,
    verdict: "extended",
    before: { ...BEFORE, ...before },
    ...turn,
  }).cause;
}

Deno.test("cacheOutcome calls it a hit when most of what was left is read, however long that took", () => {
  assert.equal(causeOf({}), "hit");
  assert.equal(causeOf({ read: 4000, at: 90 * MINUTE }), "hit");
  assert.equal(causeOf({ read: 3999 }), "unknown");
  assert.equal(causeOf({ read: 9000, verdict: "client" }), "hit");
});

Deno.test("cacheOutcome names the cause of a miss, the time that passed first", () => {
  assert.equal(causeOf({ before: undefined }), "first");
  assert.equal(causeOf({ read: undefined }), "not_reported");
  const verdicts = ["extended", "first", "client", "decided", "ours"] as const;
  const missed = (at: number) =>
    verdicts.map((verdict) => causeOf({ read: 0, at, verdict }));
  assert.deepEqual(missed(5 * MINUTE), [
    "unknown",
    "unknown",
    "client",
    "declared",
    "svc",
  ]);
  assert.deepEqual(new Set(missed(5 * MINUTE + 1)), new Set(["cold"]));
  assert.equal(causeOf({ read: 0, verdict: undefined }), "unknown");
  // A clock that went back is no pause.
  assert.equal(causeOf({ read: 0, at: -9e9 }), "unknown");
});

Deno.test("cacheOutcome says why there was nothing to read", () => {
  const none = { cacheRead: 0, cacheWrite: 0 };
  assert.equal(causeOf({ read: 0 }, { ...none, input: 1023 }), "below_minimum");
  assert.equal(causeOf({ read: 0 }, { ...none, input: 1024 }), "not_cached");
  assert.equal(causeOf({ read: 0 }, { ...none, input: 0 }), "below_minimum");
});

Deno.test("cacheOutcome takes the time from the bill: an hour where all was written for one", () => {
  const cold = (at: number, before: object) =>
    causeOf({ read: 0, at }, before) === "cold";
  const hour = { cacheWrite1h: 1000 };
  assert.deepEqual([60, 61].map((at) => cold(at * MINUTE, hour)), [
    false,
    true,
  ]);
  assert.equal(cold(6 * MINUTE, { cacheWrite1h: 999 }), true);
  // A request that wrote nothing does not say for how long it is held.
  assert.equal(cold(59 * MINUTE, { cacheWrite: 0 }), false);
});

Deno.test("cacheOutcome expects a cache without writes to hold the whole prompt for as long as its format says", () => {
  const { cacheWrite: _, ...automatic } = BEFORE;
  const outcome = (read: number, at: number, input = 5) =>
    cacheOutcome({
      ...{ seq: 1, at, provider: "p", model: "m", verdict: "extended", read },
      before: { ...automatic, input },
    });
  // 4,005 tokens, of which whole blocks of 128 are held.
  assert.equal(outcome(3968, 50 * MINUTE).cause, "hit");
  assert.equal(outcome(0, 61 * MINUTE).cause, "cold");
  const none = new Uint8Array(0);
  assert.equal(
    outcome(0, 0).lifeMs,
    FORMATS["responses"]!.promptCache.lifeMs(none),
  );
  assert.equal(
    cacheOutcome({
      ...{ seq: 1, at: 0, provider: "p", model: "m", verdict: "extended" },
      read: 0,
      before: BEFORE,
    }).lifeMs,
    FORMATS["messages"]!.promptCache.lifeMs(none),
  );
});

Deno.test("cacheOutcome has one known cause for any turn, and no number that is none", () => {
  const count = fc.option(fc.nat(100_000), { nil: undefined });
  fc.assert(fc.property(
    fc.record({
      at: fc.integer({ min: -1e13, max: 1e13 }),
      read: count,
      verdict: fc.constantFrom("first", "extended", "client", undefined),
      before: fc.option(
        fc.record({
          at: fc.integer({ min: -1e13, max: 1e13 }),
          input: count,
          cacheRead: count,
          cacheWrite: count,
          cacheWrite1h: count,
        }, { requiredKeys: ["at"] }),
        { nil: undefined },
      ),
    }),
    (turn) => {
      const outcome = cacheOutcome(
        { seq: 1, provider: "", model: "", ...turn } as CacheTurn,
      );
      assert.ok(CACHE_CAUSES.includes(outcome.cause));
      assert.ok(outcome.idleMs >= 0 && outcome.expected >= 0);
      assert.ok(Number.isFinite(outcome.read));
    },
  ));
});

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  believedSpan,
  isBelieved,
  periodEnd,
  periodStart,
  reservationOf,
} from "../../src/ledger/budget_rule.ts";

Deno.test("periodStart and periodEnd cut time at hours, days and months in UTC", () => {
  const text = (ms: number) => new Date(ms).toISOString();
  const cases = [
    ["hourly", "2026-12-31T23:59:59.999Z", "2026-12-31T23", "2027-01-01T00"],
    ["daily", "2026-12-31T23:59:59.999Z", "2026-12-31T00", "2027-01-01T00"],
    ["daily", "2028-02-28T24:00:00.000Z", "2028-02-29T00", "2028-03-01T00"],
    ["monthly", "2026-12-31T23:59:59.999Z", "2026-12-01T00", "2027-01-01T00"],
    ["monthly", "2028-02-29T00:00:00.000Z", "2028-02-01T00", "2028-03-01T00"],
  ] as const;
  for (const [period, at, start, end] of cases) {
    const now = Date.parse(at);
    assert.equal(text(periodStart(period, now)), `${start}:00:00.000Z`);
    assert.equal(text(periodEnd(period, now)), `${end}:00:00.000Z`);
  }
});

Deno.test("periods follow each other without a gap", () => {
  fc.assert(fc.property(
    fc.integer({ min: 0, max: 4e12 }),
    fc.constantFrom("hourly" as const, "daily" as const, "monthly" as const),
    (now, period) => {
      const [start, end] = [periodStart(period, now), periodEnd(period, now)];
      assert.ok(start <= now && now < end);
      assert.equal(periodStart(period, end), end);
      assert.equal(periodEnd(period, end - 1), end);
    },
  ));
});

Deno.test("reservationOf reserves something whole, whatever it is told", () => {
  const given = [0, -5, 0.2, 7, 7.1, NaN, Infinity];
  assert.deepEqual(given.map(reservationOf), [1, 1, 1, 7, 8, 1, 1]);
});

Deno.test("isBelieved and believedSpan agree", () => {
  const [first, last] = believedSpan(1e12);
  const times = [first - 1, first, last, last + 1];
  assert.deepEqual(times.map((at) => isBelieved(at, 1e12)), [
    false,
    true,
    true,
    false,
  ]);
});

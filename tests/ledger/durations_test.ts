import assert from "node:assert/strict";
import fc from "fast-check";
import { DurationCounts } from "../../src/ledger/durations.ts";

function counted(...samples: readonly number[]): DurationCounts {
  const counts = new DurationCounts();
  for (const sample of samples) counts.add(sample);
  return counts;
}

Deno.test("no samples give zeros and an empty histogram", () => {
  const counts = counted();
  assert.ok(Object.values(counts.report()).every((value) => value === 0));
  assert.ok(counts.buckets().every(({ requests }) => requests === 0));
});

Deno.test("durations have mean, extremes and count", () => {
  const { sum_ms, average_ms, min_ms, max_ms, total_requests } = counted(
    10,
    31,
  ).report();
  assert.deepEqual(
    [sum_ms, average_ms, min_ms, max_ms, total_requests],
    [41, 20.5, 10, 31, 2],
  );
});

Deno.test("percentiles are within 2.5 % of the exact ones, and rise", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.02, max: 1e6, noNaN: true }), {
        minLength: 1,
        maxLength: 300,
      }),
      (samples) => {
        const sorted = samples.toSorted((a, b) => a - b);
        const report = counted(...samples).report();
        const found = [
          report.p50_ms,
          report.p90_ms,
          report.p95_ms,
          report.p99_ms,
        ];
        [0.5, 0.9, 0.95, 0.99].forEach((share, i) => {
          const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
          const off = Math.abs(found[i]! - exact);
          assert.ok(off <= exact * 0.025 + 0.005, `${found[i]} for ${exact}`);
        });
        assert.deepEqual(found, found.toSorted((a, b) => a - b));
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("buckets count samples up to each bound, the bound included", () => {
  const buckets = counted(0.5, 0.51, 5, 4000, 60_000).buckets();
  const upTo = (ms: number) =>
    buckets.find(({ le_ms }) => le_ms === ms)?.requests;
  assert.deepEqual([0.5, 1, 5, 5000].map(upTo), [1, 2, 3, 4]);
});

Deno.test("what is no duration counts as 0, and a huge one holds no memory", () => {
  const counts = counted(NaN, -5, Infinity, 1e300);
  const { total_requests, min_ms, max_ms } = counts.report();
  assert.deepEqual([total_requests, min_ms, max_ms], [4, 0, 1e300]);
});

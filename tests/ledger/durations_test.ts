import assert from "node:assert/strict";
import fc from "fast-check";
import {
  binOf,
  durationBuckets,
  durationFields,
  durationReport,
  middleOfBin,
} from "../../src/ledger/durations.ts";
import { type Fields, RunSums } from "../../src/ledger/run_sums.ts";

function counted(...samples: readonly number[]): Fields {
  const sums = new RunSums();
  for (const sample of samples) sums.add("t", "", durationFields(sample));
  return sums.of("t");
}

Deno.test("no samples give zeros and an empty histogram", () => {
  const counts = counted();
  assert.ok(
    Object.values(durationReport(counts)).every((value) => value === 0),
  );
  assert.ok(durationBuckets(counts).every(({ requests }) => requests === 0));
});

Deno.test("durations have mean, extremes and count", () => {
  const { sum_ms, average_ms, min_ms, max_ms, total_requests } = durationReport(
    counted(10, 31),
  );
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
        const report = durationReport(counted(...samples));
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
  const buckets = durationBuckets(counted(0.5, 0.51, 5, 4000, 60_000));
  const upTo = (ms: number) =>
    buckets.find(({ le_ms }) => le_ms === ms)?.requests;
  assert.deepEqual([0.5, 1, 5, 5000].map(upTo), [1, 2, 3, 4]);
});

Deno.test("a negative duration counts as 0, and a huge one takes no space", () => {
  const counts = counted(-5, 1e300);
  const { total_requests, min_ms, max_ms } = durationReport(counts);
  assert.deepEqual([total_requests, min_ms, max_ms], [2, 0, 1e300]);
});

Deno.test("middleOfBin is at most 10 % off what is in the bin", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 1e7, noNaN: true }), (ms) => {
      const middle = middleOfBin(binOf(ms));
      assert(Math.abs(middle / ms - 1) < 0.1, `${ms} ${middle}`);
    }),
    { examples: [[0.1], [0.118], [0.1189208]] },
  );
  assert.deepEqual([-1, 0, 0.09].map(binOf), [0, 0, 0]);
  assert.equal(middleOfBin(0), 0.1);
});

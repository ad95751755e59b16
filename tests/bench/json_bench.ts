/**
 * Speed of the JSON compressor without token counting.
 * Usage: `deno run tests/bench/json_bench.ts`. Prints megabytes of text per second, the best of several runs.
 * @module
 */
import { jsonCompressor } from "../../src/compressors/json/compressor.ts";

const RUNS = 30;

/** Same sequence on every run: a linear congruential generator. */
function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const random = randomSource(1);

function logRow(i: number): object {
  return {
    id: 1_000 + i,
    time: new Date(1_700_000_000_000 + i * 60_000).toISOString(),
    level: random(10) === 0 ? "warn" : "info",
    host: `worker-${random(20)}`,
    latency_ms: 50 + random(20),
    message: `handled request ${i} for user ${random(10_000)}`,
  };
}

function userRow(i: number): object {
  return {
    id: i,
    name: `user ${i}`,
    email: `u${i}@example.com`,
    active: i % 3 === 0,
    score: i * 1.5,
    tags: ["a", "b"],
    address: { street: `${random(900)} Main Street`, city: "Springfield" },
    url: `https://api.example.com/users/${i}`,
  };
}

const rows = (make: (i: number) => object, count: number) =>
  Array.from({ length: count }, (_, i) => make(i));

const samples = {
  "logs 200 KB": JSON.stringify(rows(logRow, 1_400)),
  "logs 1 MB": JSON.stringify(rows(logRow, 7_000)),
  "users 1 MB": JSON.stringify(rows(userRow, 5_500)),
  "users 1 MB, indent 2": JSON.stringify(rows(userRow, 3_500), null, 2),
  "JSON Lines 1 MB": rows(logRow, 7_000).map((row) => JSON.stringify(row))
    .join("\n"),
};

for (const [name, text] of Object.entries(samples)) {
  for (const mayElide of [true, false]) {
    const context = {
      query: "why is worker-17 slow",
      mayElide,
      countTokens: (counted: string) => counted.length >> 2,
    };
    let best = Infinity;
    let kept = text.length;
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      const outcome = jsonCompressor.compress(text, context);
      best = Math.min(best, performance.now() - start);
      if (outcome.type !== "unchanged") kept = outcome.text.length;
    }
    const speed = (text.length / best / 1_000).toFixed(0).padStart(4);
    const share = (100 * kept / text.length).toFixed(1).padStart(5);
    // deno-lint-ignore no-console
    console.log(
      `${speed} MB/s, ${share} % left: ${name}${mayElide ? "" : ", lossless"}`,
    );
  }
}

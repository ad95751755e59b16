import assert from "node:assert/strict";
import { clockSteps } from "../../../src/compressors/log/clock.ts";
import { indexLines } from "../../../src/text/lines.ts";

const START = Date.UTC(2026, 2, 2, 9);

/** Times one to three seconds apart, but for steps of other lengths before given lines. */
function times(steps: Readonly<Record<number, number>>): string[] {
  let ms = START;
  return Array.from({ length: 200 }, (_, i) => {
    ms += steps[i] ?? 1000 + (i * 737) % 2000;
    return new Date(ms).toISOString();
  });
}

function stepsIn(lines: readonly string[]): number[] {
  return [...clockSteps(indexLines(lines.join("\n")))].sort((a, b) => a - b);
}

/** How a time of `toISOString` may be written. */
const SPELLINGS: readonly ((time: string) => string)[] = [
  (time) => time,
  (time) => `[${time.slice(0, 19).replace("T", " ")},123] INFO`,
  (time) =>
    `Mar ${String(Number(time.slice(8, 10))).padStart(2)} ${
      time.slice(11, 19)
    } host`,
  (time) => `worker-1  | ${time.slice(11, 19)}`,
  (time) =>
    `10.0.0.5 - - [${time.slice(8, 10)}/Mar/2026:${
      time.slice(11, 19)
    } +0000] "GET /"`,
  (time) => `${Date.parse(time) / 1000} INFO`,
  (time) => `[${Date.parse(time)}] INFO`,
  (time) =>
    `[${((Date.parse(time) - START) / 1000).toFixed(6).padStart(12)}] usb 1-1:`,
];

Deno.test("clockSteps finds the lines around a gap and around a step back", () => {
  for (const spell of SPELLINGS) {
    const lines = times({ 120: 3_600_000, 160: -900_000 })
      .map((time, i) => `${spell(time)} tick ${i}`);
    assert.deepEqual(stepsIn(lines), [119, 120, 159, 160], `${lines[0]}`);
  }
});

Deno.test("clockSteps goes on at midnight where times have no date", () => {
  const lines = times({ 100: 14.95 * 3_600_000 - 60_000 })
    .map((time) => `${time.slice(11, 19)} tick`);
  assert.deepEqual(stepsIn(lines), [99, 100]);
});

Deno.test("clockSteps finds nothing in steady times, in mixed ones and in texts without", () => {
  assert.deepEqual(stepsIn(times({})), []);
  const mixed = times({}).map((_, i, all) => all[(i * 61) % 200] ?? "");
  assert.deepEqual(stepsIn(mixed), []);
  const rare = times(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i * 10, 900_000])),
  );
  assert.deepEqual(stepsIn(rare), []);
  assert.deepEqual(stepsIn(["a", "b"]), []);
  const numbers = times({ 100: 3_600_000 })
    .map((time) => `${Date.parse(time)}00 rows`);
  assert.deepEqual(stepsIn(numbers), []);
});

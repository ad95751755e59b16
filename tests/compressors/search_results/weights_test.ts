import assert from "node:assert/strict";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";
import { searchWeights } from "../../../src/compressors/search_results/weights.ts";
import { STAYS } from "../../../src/engine/choose.ts";

/** Indexes of the lines that stay. */
function staying(lines: readonly string[]): number[] {
  const view = parseSearch(lines.join("\n"), "Grep");
  assert(view !== undefined);
  return [...searchWeights(view, "").entries()]
    .filter(([, weight]) => weight === STAYS).map(([line]) => line);
}

/** Every fourth row of code speaks of an error, each in other words. */
const GO = Array.from({ length: 500 }, (_, i) => {
  const name = String.fromCharCode(97 + i % 26, 97 + (i >> 4) % 26);
  return i % 4 === 0
    ? `pkg/error_handler.go:${
      i + 1
    }:\treturn fmt.Errorf("cannot ${name}: %w", err)`
    : `pkg/store_${name}.go:${i + 1}:\tuse${name}(ctx)`;
});

Deno.test("searchWeights takes code that speaks of errors for no failures", () => {
  assert.ok(staying(GO).length < 10, `${staying(GO).length}`);
});

Deno.test("searchWeights keeps what a program wrote among code that speaks of errors", () => {
  const lines = GO.slice();
  const needles = [
    "logs/app.log:7:2026-11-19 10:00:01 ERROR could not connect (pool)",
    "docs/run.md:31:exit status 2",
    "ci/out.txt:8:error: linking with `cc` failed;",
    'tests/golden.go:9:time=12:01 level=error msg="lost {x}"',
  ];
  for (const [i, needle] of needles.entries()) {
    lines.splice(50 + 100 * i, 0, needle);
  }
  const kept = staying(lines).map((line) => lines[line]);
  for (const needle of needles) assert.ok(kept.includes(needle), needle);
});

Deno.test("searchWeights keeps failing rows of logs, the first and the last of many alike", () => {
  const lines = Array.from(
    { length: 300 },
    (_, i) => `logs/a.log:${i + 1}:10:00:${i % 60} GET /a status=200 id=${i}`,
  );
  for (const line of [40, 90, 140]) {
    lines[line] = lines[line]!.replace("200", "502");
  }
  const kept = staying(lines);
  assert.ok(kept.includes(40) && kept.includes(140), `${kept}`);
});

Deno.test("searchWeights ranks matches before their context, and what answers the question first", () => {
  const text = Array.from(
    { length: 40 },
    (_, i) =>
      `src/a.ts-${9 * i}-  before();\nsrc/a.ts:${9 * i + 1}:  call${i}();`,
  ).join("\n--\n");
  const view = parseSearch(text);
  assert(view !== undefined);
  const weights = searchWeights(view, "where is call17 used?");
  assert.equal(weights[3 * 17 + 1], STAYS);
  assert.ok(weights[0]! < weights[1]!);
});

Deno.test("searchWeights keeps a short result but for rows like earlier ones", () => {
  const rows = [
    'src/a.ts:1:import { call } from "./b.ts";',
    "src/a.ts:8:  call(1);",
    "src/a.ts:9:  call(2);",
    "src/b.ts:3:export function call(n: number) {",
    "src/c.ts:7:  const x = call;",
  ];
  assert.deepEqual(staying(rows), [0, 1, 3, 4]);
});

Deno.test("searchWeights keeps rows of a log that did not pass, and rare values of it among code", () => {
  const code = Array.from(
    { length: 90 },
    (_, i) =>
      `src/a${i}.ts:${i + 1}:  // what is ${"abcdefgh"[i % 8]}${
        "xyz"[i % 3]
      }(${i})`,
  );
  const log = Array.from({ length: 24 }, (_, i) => [
    `logs/a.log:${i + 1}:node web-${i} is ready`,
    `logs/test.log:${i + 1}:--- PASS: TestReads${i} (0.01s)`,
  ]).flat();
  log[20] = "logs/a.log:11:node web-3 is cordoned";
  log.push(...Array.from(
    { length: 20 },
    (_, i) => `logs/mocha.log:${i}:    ${i === 9 ? "3)" : "✓"} takes ${i}`,
  ));
  log[31] = "logs/test.log:16:--- SKIP: TestReads7 (0.01s)";
  const rows = [...code, ...log];
  const kept = staying(rows).map((line) => rows[line]);
  assert.ok(kept.includes("logs/mocha.log:9:    3) takes 9"));
  assert.ok(kept.includes(log[20]) && kept.includes(log[31]), kept.join("\n"));
});

Deno.test("searchWeights keeps a status among failures that differ in their numbers only", () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) =>
      `logs/a.log:${i + 1}:error: could not read block ${i}, exit status ${
        i === 17 ? 2 : 0
      }`,
  );
  assert.ok(staying(rows).includes(17));
});

Deno.test("searchWeights gives all context of few matches some weight", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) =>
      i === 14 || i === 15
        ? `src/a.ts:${i}:  call();`
        : `src/a.ts-${i}-  const x = ${i};`,
  ).join("\n");
  const view = parseSearch(text);
  assert(view !== undefined);
  assert.ok(searchWeights(view, "").every((weight) => weight > 0));
});

Deno.test("searchWeights keeps an extreme number at the end of rows that say different things", () => {
  const rows = Array.from(
    { length: 90 },
    (_, i) =>
      `src/a${i}.ts:${i + 1}:  use${i}(b) (${
        i === 33 ? 48210 : 20 + i % 9
      } ms)`,
  );
  assert.ok(staying(rows).includes(33));
});

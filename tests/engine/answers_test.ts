import assert from "node:assert/strict";
import { keepAnswers } from "../../src/engine/answers.ts";
import { indexLines } from "../../src/text/lines.ts";

const LINES = indexLines(
  Array.from({ length: 60 }, (_, i) => `GET /items/${i} served`)
    .concat(["payment for order 77 was late", "payment for order 78 was late"])
    .concat(["payment for order 79 was late"])
    .join("\n"),
);

function kept(question: Parameters<typeof keepAnswers>[1]): number[] {
  const weights = new Uint8Array(LINES.count);
  keepAnswers(LINES, question, weights);
  return [...weights].flatMap((weight, i) => weight > 0 ? i : []);
}

Deno.test("keepAnswers keeps the lines that fit the question, at most two of a group", () => {
  const query = "which payment was late?";
  assert.deepEqual(kept({ query }), [60, 61, 62]);
  const groups = new Int32Array(LINES.count).fill(5);
  assert.equal(kept({ query, groups }).length, 2);
});

Deno.test("keepAnswers keeps nothing without words that tell lines apart, or that may not answer", () => {
  assert.deepEqual(kept({ query: "" }), []);
  assert.deepEqual(kept({ query: "zebra" }), []);
  assert.deepEqual(kept({ query: "payment", mayAnswer: () => false }), []);
});

Deno.test("keepAnswers raises the weight of lines that fit and need not stay", () => {
  const weights = new Uint8Array(LINES.count).fill(9);
  const groups = new Int32Array(LINES.count).fill(5);
  keepAnswers(LINES, { query: "late payment", groups, fits: 40 }, weights);
  assert.deepEqual([...weights.slice(59)], [9, 255, 255, 40]);
});

import assert from "node:assert/strict";
import { jsonEnd } from "../../../src/compressors/mixed/json_block.ts";

const value = JSON.stringify({
  list: Array.from({ length: 60 }, (_, i) => `${i}]}`),
});
const end = (text: string, start = 0) =>
  jsonEnd(text, start, { left: 10 * text.length });

Deno.test("jsonEnd finds the bracket that closes, brackets in strings aside", () => {
  assert.equal(end(value), value.length);
  assert.equal(end(`a\n${value}\nb`, 2), value.length + 2);
});

Deno.test("jsonEnd refuses short, broken, cut off and trailing values, and words in brackets", () => {
  const texts = [
    "[1]",
    value.slice(0, -1),
    value.replace(":", ""),
    `${value} and so on`,
    `[info] ${"x".repeat(300)}]`,
  ];
  for (const text of texts) {
    assert.equal(end(text), undefined, text.slice(0, 20));
  }
});

Deno.test("jsonEnd looks at no more than its budget allows over many openings", () => {
  const text = "[1,\n".repeat(20_000);
  const budget = { left: 3 * text.length };
  let looks = 0;
  for (let at = 0; at < text.length; at += 4) {
    const before = budget.left;
    assert.equal(jsonEnd(text, at, budget), undefined);
    if (budget.left < before) looks++;
  }
  assert.ok(looks < 20, `${looks} looks`);
});

import assert from "node:assert/strict";
import { indexLines } from "../../src/text/lines.ts";
import {
  bestLines,
  queryTerms,
  stemOf,
  wordForms,
} from "../../src/text/relevance.ts";

function best(text: string, query: string, k: number): number[] {
  return bestLines(indexLines(text), queryTerms(query), k)
    .map(({ line }) => line);
}

Deno.test("queryTerms drops stop words and cuts identifiers into parts", () => {
  assert.deepEqual(
    queryTerms(
      "Why did the payment_timeout fire in retryQueue for IOErrors 8812?",
    ),
    ["payment", "fire", "retry", "queue", "io", "error", "8812"],
  );
  assert.deepEqual(queryTerms('{"command":"the"}'), []);
});

Deno.test("queryTerms is bounded", () => {
  const long = Array.from({ length: 9000 }, (_, i) => `word${i}x`).join(" ");
  assert.ok(queryTerms(long).length <= 48);
});

Deno.test("bestLines prefers the line with the rarer terms", () => {
  const text = Array.from(
    { length: 200 },
    (_, i) =>
      i === 50
        ? "tenant acme renamed"
        : i % 20 === 0
        ? "tenant x opened"
        : "noise",
  ).join("\n");
  assert.equal(best(text, "which tenant was renamed", 3)[0], 50);
});

Deno.test("bestLines does not return lines that have only common terms", () => {
  const text = "request handled\n".repeat(100);
  assert.deepEqual(best(text, "which request was handled", 5), []);
});

Deno.test("bestLines breaks ties by position and returns at most k", () => {
  const text = Array.from(
    { length: 100 },
    (_, i) => i % 10 === 3 ? "needle" : "hay",
  ).join("\n");
  assert.deepEqual(best(text, "needle", 3), [3, 13, 23]);
});

Deno.test("bestLines needs terms", () => {
  assert.deepEqual(best("a\nb", "", 3), []);
  assert.deepEqual(best("", "needle", 3), []);
});

Deno.test("wordForms gives the forms of a word, all with one stem", () => {
  const cases = [
    ["evict", "evicts", "evicted", "eviction", "evicting"],
    ["retry", "retries", "retried", "retrying"],
    ["throw", "throws", "thrown", "throwing"],
    ["fail", "failed", "failure", "fails", "failing"],
    ["cache", "caches", "cached", "caching"],
  ];
  for (const words of cases) {
    assert.equal(new Set(words.map(stemOf)).size, 1, words.join());
    const [first = "", ...others] = words;
    const forms = wordForms(first);
    for (const one of others.filter((word) => !word.endsWith("s"))) {
      assert.ok(forms.includes(one), one);
    }
  }
  assert.equal(stemOf("retrie"), stemOf("retry"));
  const long = "xa".repeat(200_000) + "ing";
  assert.equal(stemOf(long), long);
  for (const word of ["string", "ring", "key", "class", "need"]) {
    assert.equal(stemOf(word), word);
  }
});

Deno.test("bestLines takes several forms of a word for one", () => {
  const lines = indexLines(
    "an eviction\n" + "a line\n".repeat(20) + "evicts\n",
  );
  const found = bestLines(lines, [["evict", "eviction"]], 9);
  assert.deepEqual(found.map(({ line }) => line).sort((a, b) => a - b), [
    0,
    21,
  ]);
});

import assert from "node:assert/strict";
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";

Deno.test("CONTENT is asked from the strictest recogniser to the loosest", () => {
  assert.deepEqual(Object.keys(CONTENT), [
    "json",
    "diff",
    "search_results",
    "log",
  ]);
});

Deno.test("CONTENT has one compressor per kind, each with its own id", () => {
  const ids = Object.values(CONTENT).map((entry) => entry.compressor.id);
  assert.equal(new Set(ids).size, ids.length);
});

for (
  const [kind, text] of [
    ["json", JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id })))],
    [
      "diff",
      "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    [
      "search_results",
      Array.from({ length: 20 }, (_, i) => `src/a.ts:${i + 1}:const a = ${i};`)
        .join("\n"),
    ],
    [
      "log",
      Array.from(
        { length: 40 },
        (_, i) => `2024-03-05T10:00:${10 + i % 50}Z INFO request ${i} done`,
      ).join("\n"),
    ],
  ] as const
) {
  Deno.test(`CONTENT recognises ${kind} and nothing before it does`, () => {
    assert.equal(makeDetector(CONTENT).detect(text), kind);
  });
}

Deno.test("CONTENT leaves prose alone", () => {
  const prose = "It rained all day. Nobody minded, for the garden was dry.\n";
  assert.equal(makeDetector(CONTENT).detect(prose.repeat(20)), undefined);
  assert.equal(makeDetector(CONTENT).detect(""), undefined);
});

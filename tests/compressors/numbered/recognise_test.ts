import assert from "node:assert/strict";
import { recogniseNumbered } from "../../../src/compressors/numbered/recognise.ts";

const numbered = (count: number, line = "const a = 1;") =>
  Array.from({ length: count }, (_, i) => `${`${i + 1}`.padStart(6)}→${line}`)
    .join("\n");

Deno.test("recogniseNumbered claims numbered lines, however many", () => {
  for (
    const text of [
      numbered(8),
      numbered(5000),
      `Here is a.ts:\n${numbered(40)}`,
    ]
  ) {
    assert.equal(recogniseNumbered(text), 1);
  }
});

Deno.test("recogniseNumbered leaves lists, search results, times and one long line to others", () => {
  const others = [
    "1. one\n2. two\n3. three\n4. four\n5. five\n6. six\n7. seven\n8. eight\n9. nine",
    Array.from({ length: 20 }, (_, i) => `${i * 3}: found`).join("\n"),
    Array.from({ length: 20 }, (_, i) => `12:00:${10 + i} started`).join("\n"),
    numbered(1, "x".repeat(10_000)),
    "",
  ];
  for (const text of others) {
    assert.equal(recogniseNumbered(text), 0, text.slice(0, 20));
  }
});

Deno.test("recogniseNumbered takes no key and no column of a table for a line number", () => {
  const keys = Array.from({ length: 20 }, (_, i) => `${i + 1}: value ${i}`);
  assert.equal(recogniseNumbered(keys.join("\n"), { path: "codes.yaml" }), 0);
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i + 1}\tname ${i}\t${i}`,
  );
  const table = ["id\tname\tscore", ...rows].join("\n");
  assert.equal(recogniseNumbered(table), 0);
  assert.equal(recogniseNumbered(rows.join("\n"), { path: "rows.tsv" }), 0);
});

Deno.test("recogniseNumbered wants one run of numbers to the end, not two files behind each other", () => {
  assert.equal(recogniseNumbered(`${numbered(400)}\n${numbered(400)}`), 0);
});

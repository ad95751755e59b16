import assert from "node:assert/strict";
import { numberedKind } from "../../../src/compressors/numbered/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import type { CompressOutcome } from "../../../src/core/compressor.ts";
import { contextOf, inputOf, testGoldens } from "../goldens.ts";

const { compressor, recognise } = entryOf(numberedKind);

testGoldens(compressor, { folder: "numbered" });

const context = contextOf(true);
const input = inputOf("numbered/read_arrow");
const lines = input.trimEnd().split("\n");

function within(part: CompressOutcome) {
  return compressor.compress(input, {
    ...context,
    path: "/a/b.log",
    compressPart: (text, hint) => {
      assert.deepEqual(hint, { firstLine: 1, isWhole: true, path: "/a/b.log" });
      assert.equal(text.split("\n").length, lines.length);
      return part;
    },
  });
}

Deno.test("numberedKind uses the form of the lines' own kind where it is clearly smaller", () => {
  const omitted = { count: 3, total: 9, unit: "lines" };
  const outcome = within({ type: "elided", text: "short", omitted });
  assert(outcome.type === "elided");
  assert.equal(
    outcome.text,
    `[lines 1-${lines.length} without numbers]\nshort\n`,
  );
  assert.deepEqual(outcome.omitted, omitted);
  const long = within({
    type: "elided",
    text: "x".repeat(input.length - 99),
    omitted,
  });
  assert.equal(long.type, "reformatted");
});

Deno.test("numberedKind turns a reformatted form of the lines back, numbers included", () => {
  const inner = input.trimEnd().split("\n").map((line) => line.slice(7)).join(
    "\n",
  );
  const outcome = within({
    type: "reformatted",
    text: "form",
    restore: (form) => form === "form" ? inner : "wrong",
  });
  assert(outcome.type === "reformatted");
  assert.equal(
    outcome.text,
    `[lines 1-${lines.length} without numbers]\nform\n`,
  );
  assert.equal(outcome.restore?.(outcome.text), input);
});

const numbered = (count: number, line = "const a = 1;") =>
  Array.from({ length: count }, (_, i) => `${`${i + 1}`.padStart(6)}→${line}`)
    .join("\n");

Deno.test("numberedKind claims numbered lines, however many", () => {
  for (
    const text of [
      numbered(8),
      numbered(5000),
      `Here is a.ts:\n${numbered(40)}`,
    ]
  ) {
    assert.equal(recognise(text), 1);
  }
});

Deno.test("numberedKind leaves lists, search results, times and one long line to others", () => {
  const others = [
    "1. one\n2. two\n3. three\n4. four\n5. five\n6. six\n7. seven\n8. eight\n9. nine",
    Array.from({ length: 20 }, (_, i) => `${i * 3}: found`).join("\n"),
    Array.from({ length: 20 }, (_, i) => `12:00:${10 + i} started`).join("\n"),
    numbered(1, "x".repeat(10_000)),
    "",
  ];
  for (const text of others) {
    assert.equal(recognise(text), 0, text.slice(0, 20));
  }
});

Deno.test("numberedKind takes no key and no column of a table for a line number", () => {
  const keys = Array.from({ length: 20 }, (_, i) => `${i + 1}: value ${i}`);
  assert.equal(recognise(keys.join("\n"), { path: "codes.yaml" }), 0);
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i + 1}\tname ${i}\t${i}`,
  );
  const table = ["id\tname\tscore", ...rows].join("\n");
  assert.equal(recognise(table), 0);
  assert.equal(recognise(rows.join("\n"), { path: "rows.tsv" }), 0);
});

Deno.test("numberedKind wants one run of numbers to the end, not two files behind each other", () => {
  assert.equal(recognise(`${numbered(400)}\n${numbered(400)}`), 0);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { sectionsOf } from "../../../src/compressors/mixed/sections.ts";

const json = JSON.stringify(
  Array.from({ length: 12 }, (_, id) => ({ id, name: `row ${id}` })),
  null,
  1,
);

/** Kind and text of each section. */
function cut(text: string): [string, string][] {
  return sectionsOf(text).map(({ kind, start, end }) => [
    kind,
    text.slice(start, end),
  ]);
}

Deno.test("sectionsOf cuts fences, tables and JSON out of prose", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
  const text =
    `Intro.\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\nThen:\n${json}\nand\n${table}End.`;
  assert.deepEqual(cut(text), [
    ["rest", "Intro.\n\n"],
    ["frame", "```ts\n"],
    ["fence", "const a = 1;\n"],
    ["frame", "```\n"],
    ["rest", "Then:\n"],
    ["json", `${json}\n`],
    ["rest", "and\n"],
    ["table", table],
    ["rest", "End."],
  ]);
  assert.equal(sectionsOf(text)[2]?.language, "ts");
  assert.equal(sectionsOf(text)[2]?.line, 3);
});

Deno.test("sectionsOf leaves a fence that never closes and JSON that is cut off in the rest", () => {
  for (
    const text of [
      "a\n```js\nb\nc",
      `a\n${json.slice(0, -5)}\nb`,
      "[x] done\n".repeat(40),
    ]
  ) {
    assert.deepEqual(cut(text), [["rest", text]]);
  }
});

Deno.test("sectionsOf covers any text without a gap, in order", () => {
  const line = fc.constantFrom(
    "```",
    "```py",
    "~~~",
    "| a | b |",
    "|---|---|",
    "{",
    '{"a":1}',
    json,
    "text",
    "",
  );
  fc.assert(fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
    const text = lines.join("\n");
    assert.equal(cut(text).map(([, part]) => part).join(""), text);
    const counted = sectionsOf(text).map(({ start }) =>
      text.slice(0, start).split("\n").length - 1
    );
    assert.deepEqual(sectionsOf(text).map((section) => section.line), counted);
  }));
});

Deno.test("sectionsOf takes no code within a line for a fence, and a longer fence for the end of a shorter one", () => {
  const text = "```x``` is code\n```js\na\n`````\nb\n";
  assert.deepEqual(cut(text), [
    ["rest", "```x``` is code\n"],
    ["frame", "```js\n"],
    ["fence", "a\n"],
    ["frame", "`````\n"],
    ["rest", "b\n"],
  ]);
});

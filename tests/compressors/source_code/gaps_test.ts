import assert from "node:assert/strict";
import {
  isWorthwhile,
  renderOutline,
  savedBy,
  weigh,
} from "../../../src/compressors/source_code/gaps.ts";
import { indexLines } from "../../../src/text/lines.ts";

const STYLE = { comment: "//", firstLine: 1 } as const;

Deno.test("renderOutline writes a note in place of each gap and nothing else anew", () => {
  const lines = indexLines("a\nb\nc\nd\ne\nf");
  const gaps = [
    { from: 1, to: 2, lead: "  " },
    { from: 4, to: 5, lead: " * ", inText: true },
  ];
  assert.equal(
    renderOutline(lines, gaps, STYLE).text,
    "a\n  // … lines 2-3 omitted\nd\n * … lines 5-6 omitted",
  );
  assert.equal(renderOutline(lines, [], STYLE).text, lines.text);
});

Deno.test("renderOutline puts a statement in where one is needed, and counts from the first line", () => {
  assert.equal(
    renderOutline(
      indexLines("def f():\n    a()\n    b()\n"),
      [{ from: 1, to: 2, lead: "    ", needsStatement: true }],
      { comment: "#", firstLine: 41 },
    ).text,
    "def f():\n    ...  # … lines 42-43 omitted\n",
  );
});

Deno.test("renderOutline keeps the line endings of what it replaces", () => {
  const lines = indexLines("a\r\nb\r\nc\r\nd\r\n");
  assert.equal(
    renderOutline(lines, [{ from: 1, to: 2, lead: "" }], STYLE).text,
    "a\r\n// … lines 2-3 omitted\r\nd\r\n",
  );
});

Deno.test("renderOutline names classes of errors that are left out, three at most", () => {
  const lines = indexLines(
    "throw new A.BadName(1);\nthrow error;\nthrow RangeError();\nthrow new std::Third;\nthrow new Fourth();\n",
  );
  assert.equal(
    renderOutline(lines, [{ from: 0, to: 4, lead: "" }], STYLE).text,
    "// … lines 1-5 omitted; throws A.BadName, RangeError, std::Third\n",
  );
});

Deno.test("weigh counts a quarter of a token for each character and nothing for indentation", () => {
  const lines = indexLines("abcd\n\t  abcd\n\nab");
  assert.deepEqual([...weigh(lines)], [0, 8, 16, 20, 26]);
});

Deno.test("savedBy is the weight of a gap without that of its note", () => {
  const weights = weigh(indexLines(`${"x".repeat(96)}\n`.repeat(3)));
  assert.equal(savedBy(weights, { from: 1, to: 2, lead: "" }), 160);
});

Deno.test("isWorthwhile demands more than the note costs", () => {
  const weights = weigh(
    indexLines(`${"x".repeat(80)}\n${"x".repeat(80)}\nx\ny\n`),
  );
  assert.ok(isWorthwhile(weights, { from: 0, to: 1, lead: "" }));
  assert.ok(!isWorthwhile(weights, { from: 0, to: 0, lead: "" }));
  assert.ok(!isWorthwhile(weights, { from: 2, to: 3, lead: "" }));
});

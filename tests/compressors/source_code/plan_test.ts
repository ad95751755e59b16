import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { grammarOf } from "../../../src/compressors/source_code/grammars.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { nodeTable } from "../../../src/compressors/source_code/node_kinds.ts";
import { planGaps } from "../../../src/compressors/source_code/plan.ts";
import { wantedOf } from "../../../src/compressors/source_code/wanted.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { loadAll, parsed } from "./samples.ts";

await loadAll();

/** Ranges left out, lines counted from 1. */
function rangesOf(
  language: LanguageId,
  text: string,
  { query = "", bodiesOnly = false } = {},
): [number, number][] {
  const lines = indexLines(text);
  const table = nodeTable(language, grammarOf(language)!);
  const root = parsed(
    { id: language, text },
    (tree) => blocksOf(tree, lines, { table, named: true }),
  );
  return planGaps(root, {
    lines,
    wanted: wantedOf(lines, query),
    needsStatements: language === "python",
    bodiesOnly,
  }).map(({ from, to }) => [from + 1, to + 1]);
}

/** Statements, one per line. */
function calls(count: number, indent: string): string {
  return Array.from(
    { length: count },
    (_, i) => `${indent}doSomethingWith(argument${i}, other${i});\n`,
  ).join("");
}

/** Small functions that leave room for others. */
const FILLING = `function g() {\n${calls(80, "  ")}}\n`;

Deno.test("planGaps leaves short bodies and last returns where there is room", () => {
  const short = `function f() {\n${calls(5, "  ")}}\n`;
  assert.deepEqual(rangesOf("javascript", short), [[2, 6]]);
  assert.deepEqual(rangesOf("javascript", short + FILLING), [[9, 88]]);
  const long = `function f() {\n${calls(8, "  ")}  return x;\n}\n`;
  assert.deepEqual(rangesOf("javascript", long), [[2, 9]]);
  assert.deepEqual(rangesOf("javascript", long + FILLING), [[2, 9], [13, 92]]);
});

Deno.test("planGaps keeps what branches and leaves in a function that is most of the text", () => {
  const text = `function f() {\n${calls(20, "  ")}  if (a) {\n${
    calls(9, "    ")
  }    return b;\n  }\n${calls(9, "  ")}}\n`;
  assert.deepEqual(rangesOf("javascript", text), [
    [2, 21],
    [23, 31],
    [34, 42],
  ]);
});

Deno.test("planGaps keeps the first and the last line of a long string, and values put in whole", () => {
  const rows = "  some words of a text that goes on\n".repeat(8);
  const text = `const x = \`first\n${rows}last\`;\n`;
  assert.deepEqual(rangesOf("typescript", text), [[2, 9]]);
  assert.deepEqual(rangesOf("typescript", text, { bodiesOnly: true }), []);
  const cut = text.replace("some words", "${some(");
  assert.deepEqual(rangesOf("typescript", cut.replace("last", ")}last")), []);
});

Deno.test("planGaps keeps the heads of functions in a suite, a factory or a module function", () => {
  const suite = `describe("a", () => {\n  it("b", () => {\n${
    calls(9, "    ")
  }  });\n  it("c", () => {\n${calls(9, "    ")}  });\n});\n`;
  assert.deepEqual(rangesOf("javascript", suite), [[3, 11], [14, 22]]);
  const factory = `function make() {\n  return {\n    a() {\n${
    calls(9, "      ")
  }    },\n    b: () => {\n${calls(20, "      ")}    },\n  };\n}\n`;
  assert.deepEqual(rangesOf("javascript", factory), [[4, 12], [15, 34]]);
});

Deno.test("planGaps opens the statements on the way to a wanted line only", () => {
  const text = `function f() {\n${calls(4, "  ")}  if (a) {\n${
    calls(4, "    ")
  }    findZebra(1);\n${calls(4, "    ")}  }\n${calls(4, "  ")}}\n`;
  assert.deepEqual(rangesOf("javascript", text, { query: "zebra" }), [
    [2, 5],
    [17, 20],
  ]);
});

Deno.test("planGaps shortens long values to the first three and the last, unless bodies only", () => {
  const rows = Array.from({ length: 20 }, (_, i) => `  "value ${i}",\n`);
  const text = `const x = [\n${rows.join("")}];\n`;
  assert.deepEqual(rangesOf("typescript", text), [[5, 20]]);
  assert.deepEqual(rangesOf("typescript", text, { bodiesOnly: true }), []);
  const wanted = text.replace("value 9", "zebra");
  assert.deepEqual(rangesOf("typescript", wanted, { query: "zebra" }), [
    [5, 10],
    [12, 20],
  ]);
});

Deno.test("planGaps keeps conditional definitions and code of a module", () => {
  const body = "    do_something_with(argument, other)\n".repeat(8);
  const text = `if FAST:\n    import a\n    def f():\n${
    body.replaceAll(/^/gm, "    ").trimEnd()
  }\nelse:\n${body}`;
  assert.deepEqual(rangesOf("python", text), [[4, 11]]);
});

Deno.test("planGaps leaves no block of Python without a statement", () => {
  const lines = indexLines(
    `def f():\n${"    do_something_with(argument, other)\n".repeat(8)}`,
  );
  const table = nodeTable("python", grammarOf("python")!);
  const root = parsed(
    { id: "python", text: lines.text },
    (tree) => blocksOf(tree, lines, { table, named: false }),
  );
  const gaps = planGaps(root, {
    lines,
    wanted: wantedOf(lines, ""),
    needsStatements: true,
    bodiesOnly: false,
  });
  assert.deepEqual(gaps.map(({ needsStatement }) => needsStatement), [true]);
});

Deno.test("planGaps never touches a line that holds anything else", () => {
  const text = `function f() { first(1,\n  2); /* a\n  b */ second();\n${
    calls(7, "  ")
  }  last(1); } third();\n`;
  assert.deepEqual(rangesOf("javascript", text), [[4, 10]]);
});

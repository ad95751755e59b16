import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import type { CommentSign } from "../../../src/compressors/source_code/recognise.ts";
import {
  isImport,
  unitsOf,
} from "../../../src/compressors/source_code/units.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { indexLines } from "../../../src/text/lines.ts";

function weightsOf(
  text: string,
  { query = "", sign = "//" as CommentSign } = {},
): number[] {
  return [...unitsOf(blocksOf(layoutOf(text, sign)), query).weights];
}

/** A long body, so that it counts as none that is short. */
const LONG = "  step();\n".repeat(8);

Deno.test("unitsOf keeps declarations, and of a body nothing but what leaves it", () => {
  const weights = weightsOf(`function f(a) {\n${LONG}  return a;\n}\n`);
  assert.equal(weights[0], STAYS);
  assert.deepEqual(weights.slice(1, 9), new Array(8).fill(0));
  const [leaves = 0] = weights.slice(9);
  assert.ok(leaves > 0 && leaves < STAYS);
  assert.equal(weights[10], STAYS);
});

Deno.test("unitsOf weighs the sentence of a function above imports, and those above a short body", () => {
  const [sentence = 0, , body = 0, , , from = 0] = weightsOf(
    "/** Adds. */\nfunction f() {\n  a();\n  b();\n}\nimport { c } from 'c';\n",
  );
  assert.ok(sentence > from && from > body && body > 0);
});

Deno.test("unitsOf shortens long values, strings and comments", () => {
  const values = Array.from({ length: 20 }, (_, i) => `  ${i},\n`).join("");
  const data = weightsOf(`const a = [\n${values}];\n`);
  assert.deepEqual(
    data.map((weight) => weight === STAYS ? 1 : 0).join(""),
    `1111${"0".repeat(16)}11`,
  );
  const text = weightsOf("const a = `b\nc\nd\ne\n`;\n");
  assert.deepEqual(text, [STAYS, 0, 0, 0, STAYS]);
  const comment = weightsOf(
    "/**\n * Adds.\n *\n * More\n * words.\n */\nconst a = 1;\n",
  );
  assert.deepEqual(comment.map((weight) => weight > 0), [
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
});

Deno.test("unitsOf keeps remarks in bodies while there is room", () => {
  const weights = weightsOf(
    `void f(void) {\n${LONG}  // SAFETY: checked\n${LONG}}\n`,
  );
  const [remark = 0] = weights.slice(9);
  assert.ok(remark > 0 && remark < STAYS);
});

Deno.test("unitsOf keeps what the question asks for", () => {
  const text =
    `function fill() {\n${LONG}}\nfunction g() {\n${LONG}  zebra();\n}\n`;
  const named = weightsOf(text, { query: "what does fill() do?" });
  assert.ok(named.slice(0, 10).every((weight) => weight === STAYS));
  const asked = weightsOf(text, { query: "where is the zebra?" });
  assert.equal(asked[19], STAYS);
  assert.equal(asked[1], 0);
});

Deno.test("unitsOf bundles the lines of a sentence and of a short body", () => {
  const text = "/**\n * Adds\n * up.\n */\nfunction f() {\n  a();\n  b();\n}\n";
  const { bundles } = unitsOf(blocksOf(layoutOf(text, "//")), "");
  assert.deepEqual([...bundles ?? []], [1, 1, 1, 1, 0, 6, 6, 0]);
});

Deno.test("isImport knows lines that bring something in", () => {
  for (
    const line of [
      "import a from 'a';",
      "from a import b",
      "use a::b;",
      "#include <a.h>",
      "const a = require('a');",
      "export * from './a.ts';",
    ]
  ) assert.ok(isImport(indexLines(line), 0), line);
  for (const line of ["important();", "const a = b();", "user = 1"]) {
    assert.ok(!isImport(indexLines(line), 0), line);
  }
});

Deno.test("unitsOf keeps a short comment of one line: a note costs as much", () => {
  const long = "words ".repeat(20);
  const weights = weightsOf(
    `// Adds.\nconst a = 1;\n// ${long}\nconst b = 2;\n`,
  );
  assert.equal(weights[0], STAYS);
  assert.ok((weights[2] ?? 0) < STAYS);
});

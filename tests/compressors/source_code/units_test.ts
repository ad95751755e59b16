import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import type { CommentSign } from "../../../src/text/code_path.ts";
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

Deno.test("unitsOf keeps declarations, and nothing of a long body", () => {
  const weights = weightsOf(`function f(a) {\n${LONG}  return a;\n}\n`);
  assert.equal(weights[0], STAYS);
  assert.deepEqual(weights.slice(1, 10), new Array(9).fill(0));
  assert.equal(weights[10], STAYS);
});

Deno.test("unitsOf weighs the sentence of a function above a body of one line, and those above imports", () => {
  const [sentence = 0, , body = 0, , from = 0] = weightsOf(
    `/** ${
      "Adds. ".repeat(20)
    }*/\nfunction f() {\n  a();\n}\nimport { c } from 'c';\n`,
  );
  assert.ok(STAYS > sentence && sentence > body && body > from && from > 0);
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

Deno.test("unitsOf bundles the lines of a sentence, and leaves short bodies out", () => {
  const text = "/**\n * Adds\n * up.\n */\nfunction f() {\n  a();\n  b();\n}\n";
  const { bundles, weights } = unitsOf(blocksOf(layoutOf(text, "//")), "");
  assert.deepEqual([...bundles], [1, 1, 1, 1, 0, 0, 0, 0]);
  assert.deepEqual([...weights.slice(4)], [STAYS, 0, 0, STAYS]);
});

Deno.test("unitsOf takes the end of a docstring for no comment of its own", () => {
  const rest = "    More words.\n".repeat(3);
  const text = `def f():\n    """Adds.\n\n${rest}    """\n${
    "    step()\n".repeat(8)
  }`;
  const { bundles } = unitsOf(blocksOf(layoutOf(text, "#")), "");
  assert.deepEqual([...bundles.slice(1, 7)], [2, 0, 0, 0, 0, 2]);
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

/** A function of `count` lines. */
function functionOf(name: string, count: number, inside = ""): string {
  const steps = Array.from(
    { length: count },
    (_, i) => `  ${name}.step${i}(first, second, third);\n`,
  );
  return `function ${name}() {\n${steps.join("")}${inside}}\n\n`;
}

Deno.test("unitsOf keeps the bodies that handle errors for a question about them", () => {
  const text = functionOf("plain", 16) +
    functionOf(
      "tick",
      16,
      "  try {\n    run();\n  } catch (e) {\n    g(e);\n  }\n",
    ) +
    functionOf("delay", 16, "  throw new RangeError();\n") +
    functionOf("retry", 16) + functionOf("last", 16);
  const shown = (query: string) => {
    const weights = weightsOf(text, { query });
    const lines = text.split("\n");
    return ["plain", "tick", "delay", "retry", "last"].filter((name) => {
      const first = lines.indexOf(`function ${name}() {`);
      return weights.slice(first, first + 18).every((one) => one === STAYS);
    });
  };
  assert.deepEqual(shown("what happens when a job throws?"), [
    "tick",
    "delay",
    "retry",
  ]);
  assert.deepEqual(shown("where are failures caught?"), [
    "tick",
    "delay",
    "retry",
  ]);
  assert.deepEqual(shown("how fast is it?"), []);
});

Deno.test("unitsOf keeps all bodies of a short text of which a question names no part", () => {
  const short = functionOf("f", 8) + functionOf("fill", 8);
  const isWhole = (text: string, query: string) =>
    weightsOf(text, { query }).slice(1, 9).every((one) => one === STAYS);
  assert.ok(isWhole(short, "what did the first version look like?"));
  assert.ok(!isWhole(short, "what does fill() do?"));
  assert.ok(!isWhole(short, ""));
  const long = short + functionOf("h", 90);
  assert.ok(!isWhole(long, "what did the first version look like?"));
});

Deno.test("unitsOf shows no part of a comment without its opening and its end", () => {
  const tags = " * @param first the first\n".repeat(20);
  for (const last of [" * @throws ZebraError if late\n", " * TODO: later\n"]) {
    for (const more of [" *\n", tags]) {
      const comment = `/**\n * Adds a job.\n *\n${more}${last} */\n`;
      const text = functionOf("f", 90) + comment + functionOf("g", 20);
      const lines = text.split("\n");
      const { weights, bundles } = unitsOf(
        blocksOf(layoutOf(text, "//")),
        "when is a zebra late?",
      );
      const first = lines.indexOf("/**");
      const said = lines.indexOf(last.trimEnd());
      for (const at of [first, said + 1]) {
        const isTied = bundles[at] === bundles[said] &&
          weights[at] === weights[said] && (weights[at] ?? 0) > 0;
        assert.ok(weights[at] === STAYS || isTied, `${last}${lines[at]}`);
      }
    }
  }
});

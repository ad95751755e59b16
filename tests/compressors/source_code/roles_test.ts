import assert from "node:assert/strict";
import {
  type Block,
  blocksOf,
  type Unit,
} from "../../../src/compressors/source_code/blocks.ts";
import { grammarOf } from "../../../src/compressors/source_code/grammars.ts";
import { nodeTable } from "../../../src/compressors/source_code/node_kinds.ts";
import {
  isHeld,
  isHolder,
  isShortLeave,
  isTypeName,
  lastOfRun,
  lastStatement,
} from "../../../src/compressors/source_code/roles.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { loadAll, parsed } from "./samples.ts";

await loadAll();

function rootOf(text: string): Block {
  const table = nodeTable("javascript", grammarOf("javascript")!);
  const lines = indexLines(text);
  return parsed(
    { id: "javascript", text },
    (tree) => blocksOf(tree, lines, { table, named: false }),
  );
}

/** Units of the body of a function, without its brackets. */
function unitsOf(body: string): Unit[] {
  const [block] = rootOf(`function f() {\n${body}}\n`).units[0]!.blocks;
  return block!.units.slice(1, -1);
}

Deno.test("isTypeName knows the constructor of a type in the text", () => {
  const lines = indexLines(
    "public class Tree {\n  Tree() {}\n  Leaf leaf;\n}\n",
  );
  assert.ok(isTypeName(lines, "Tree"));
  assert.ok(!isTypeName(lines, "Leaf"));
});

Deno.test("lastOfRun goes on over comments of one line in lines that follow", () => {
  const units = unitsOf("// a\n// b\n\n// c\n/* d\n */\n");
  assert.deepEqual(units.map((_, i) => lastOfRun(units, i)), [1, 1, 2, 3]);
});

Deno.test("lastStatement passes comments over", () => {
  assert.equal(lastStatement(unitsOf("a();\nb();\n// c\n")), 1);
  assert.equal(lastStatement(unitsOf("// c\n")), -1);
});

Deno.test("isHolder tells a suite of functions from one that does something", () => {
  const inner = "it(() => {\n  a();\n  b();\n  c();\n});\n".repeat(3);
  const body = (text: string) =>
    rootOf(`describe(() => {\n${text}});\n`).units[0]!.blocks[0]!;
  assert.ok(isHolder(body(inner)));
  assert.ok(!isHolder(body(inner + "d();\n".repeat(30))));
});

Deno.test("isHeld keeps functions in a holder, and branches where they count", () => {
  const [call, branch] = unitsOf(
    "it(() => {\n  a();\n});\nif (b) {\n  c();\n}\n",
  );
  assert.ok(isHeld(call!, "functions") && !isHeld(branch!, "functions"));
  assert.ok(isHeld(branch!, "branches") && !isHeld(call!, "branches"));
  assert.ok(!isHeld(call!, "none") && !isHeld(branch!, "none"));
});

Deno.test("isShortLeave is for one line that returns or throws", () => {
  const units = unitsOf(
    `return a;\nthrow b;\nc();\nreturn {\n  d,\n};\nreturn "${
      "e".repeat(120)
    }";\n`,
  );
  assert.deepEqual(units.map(isShortLeave), [true, true, false, false, false]);
});

import assert from "node:assert/strict";
import {
  type Block,
  blocksOf,
} from "../../../src/compressors/source_code/blocks.ts";
import { grammarOf } from "../../../src/compressors/source_code/grammars.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { nodeTable } from "../../../src/compressors/source_code/node_kinds.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { golden, loadAll, parsed } from "./samples.ts";

await loadAll();

function walk(language: LanguageId, text: string): Block {
  const table = nodeTable(language, grammarOf(language)!);
  return parsed(
    { id: language, text },
    (tree) => blocksOf(tree, indexLines(text), { table, named: true }),
  );
}

/** Blocks in the order of the text. */
function allOf(block: Block): Block[] {
  return [
    block,
    ...block.units.flatMap(({ blocks }) => blocks).flatMap(allOf),
  ];
}

function namesOf(language: LanguageId): string[] {
  return allOf(walk(language, golden(language).input))
    .filter(({ kind }) => kind === "function")
    .map(({ name }) => name)
    .filter((name) => name !== "");
}

Deno.test("blocksOf finds functions with their names in every language", () => {
  assert.deepEqual(namesOf("c").slice(0, 3), [
    "round_up",
    "ring_new",
    "ring_free",
  ]);
  assert.ok(namesOf("cpp").includes("add_road"));
  assert.ok(namesOf("go").includes("Height"));
  assert.ok(namesOf("java").includes("priceFor"));
  assert.ok(namesOf("rust").includes("load_children"));
  assert.ok(namesOf("tsx").includes("InvoiceTable"));
  const names = namesOf("javascript");
  for (const name of ["onIdle", "backoff", "retry", "add"]) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(namesOf("python").includes("parse"));
});

Deno.test("blocksOf groups neighbours that share a line and fixes brackets", () => {
  const [, body] = allOf(
    walk("javascript", "function f() {\n  a(); b(); // c\n  d();\n}\n"),
  );
  assert.deepEqual(
    body!.units.map(({ from, to, isFixed }) => [from, to, isFixed]),
    [[0, 0, true], [1, 1, false], [2, 2, false], [3, 3, true]],
  );
});

Deno.test("blocksOf counts the lines of the functions in a unit, outermost only", () => {
  const text = "f(() => {\n  g(() => {\n    a();\n    b();\n  });\n});\n";
  const root = walk("javascript", text);
  assert.equal(root.units[0]!.functionLines, 6);
  const [, outer] = allOf(root);
  assert.equal(outer!.units[1]!.functionLines, 4);
});

Deno.test("blocksOf marks a block with something that does not parse", () => {
  const blocks = allOf(
    walk(
      "go",
      "package a\n\nfunc f() {\n\tx := )(\n\ty()\n}\n\nfunc g() {\n\ta()\n\tb()\n}\n",
    ),
  );
  const broken = blocks.filter(({ kind }) => kind === "function")
    .map(({ name, isBroken }) => [name, isBroken]);
  assert.deepEqual(broken, [["f", true], ["g", false]]);
});

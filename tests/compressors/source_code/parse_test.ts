import assert from "node:assert/strict";
import {
  countErrors,
  editTree,
  hasLongComments,
  isForeign,
  isUnparsable,
  withTree,
} from "../../../src/compressors/source_code/parse.ts";
import type { Tree } from "web-tree-sitter";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { grammarOf } from "../../../src/compressors/source_code/grammars.ts";
import { nodeTable } from "../../../src/compressors/source_code/node_kinds.ts";
import { planGaps } from "../../../src/compressors/source_code/plan.ts";
import { wantedOf } from "../../../src/compressors/source_code/wanted.ts";
import { renderOutline } from "../../../src/compressors/source_code/gaps.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { golden, GOLDENS, loadAll, parsed } from "./samples.ts";

await loadAll();

Deno.test("countErrors finds none in sound code and counts up to its limit in other text", () => {
  for (const { name, language, input } of GOLDENS) {
    assert.equal(
      parsed({ id: language, text: input }, (tree) => countErrors(tree, 9)),
      0,
      name,
    );
  }
  const broken = "def f(:\n    x = = 1\n".repeat(20);
  const count = (limit: number) =>
    parsed(
      { id: "python", text: broken },
      (tree) => countErrors(tree, limit),
    );
  assert.ok(count(1000) > 5);
  assert.equal(count(3), 3);
});

Deno.test("withTree deletes the tree also when its user throws", () => {
  let deleted = 0;
  assert.throws(() =>
    parsed({ id: "c", text: "int x;\n" }, (tree) => {
      const remove = tree.delete.bind(tree);
      tree.delete = () => {
        deleted++;
        remove();
      };
      throw new Error("no");
    }), /no/);
  assert.equal(deleted, 1);
});

Deno.test("withTree gives up on a parse of many steps, and parses the next text all the same", () => {
  const use = (tree: Tree) => tree.rootNode.childCount;
  const text = "a<b<c>> d(e);\n".repeat(10_000);
  assert.equal(withTree({ id: "cpp", text }, use), undefined);
  assert.equal(withTree({ id: "cpp", text: "int a;\nint b;\n" }, use), 2);
});

Deno.test("editTree makes the parse of an outline equal to one from the start", () => {
  const shape = (language: LanguageId, text: string, before?: Tree) =>
    parsed(
      { id: language, text, ...(before && { before }) },
      (tree) => tree.rootNode.toString(),
    );
  for (const { name, language, input } of GOLDENS) {
    const needsStatements = language === "python";
    const style = {
      comment: needsStatements ? "#" : "//",
      firstLine: 1,
    } as const;
    for (const text of [input, `${input}ä`, input.replaceAll("\n", "\r\n")]) {
      const lines = indexLines(text);
      const wanted = wantedOf(lines, "");
      const [made, edited] = parsed({ id: language, text }, (tree) => {
        const table = nodeTable(language, grammarOf(language)!);
        const root = blocksOf(tree, lines, { table, named: false });
        const input = { lines, wanted, needsStatements, bodiesOnly: false };
        const made = renderOutline(lines, planGaps(root, input), style);
        editTree(tree, lines, made.edits);
        return [made.text, shape(language, made.text, tree)];
      });
      assert.equal(edited, shape(language, made), name);
    }
  }
});

Deno.test("editTree takes an edit at the end of a text without a newline", () => {
  const lines = indexLines("int a;\nint b;\nint c;");
  const gaps = [{ from: 1, to: 2, lead: "" }];
  const made = renderOutline(lines, gaps, { comment: "//", firstLine: 1 });
  const shape = parsed({ id: "c", text: lines.text }, (tree) => {
    editTree(tree, lines, made.edits);
    return parsed(
      { id: "c", text: made.text, before: tree },
      (tree) => tree.rootNode.toString(),
    );
  });
  assert.match(shape, /^\(translation_unit \(declaration .*\) \(comment\)\)$/);
});

Deno.test("hasLongComments refuses thousands of comments in a row only", () => {
  const comments = (count: number) => "    # a b c\n\n".repeat(count);
  const of = (text: string) => hasLongComments(indexLines(text));
  assert.ok(!of(comments(300)));
  assert.ok(of(comments(3000)));
  assert.ok(of(`def f():\n${comments(3000)}    y()\n`));
  assert.ok(!of(`${comments(20)}    y()\n`.repeat(150)));
});

Deno.test("isUnparsable refuses long lines and deep nesting only", () => {
  for (const { input } of GOLDENS) {
    assert.ok(!isUnparsable(indexLines(input.repeat(20))));
  }
  assert.ok(isUnparsable(indexLines("a".repeat(20_001))));
  assert.ok(isUnparsable(indexLines("[\n".repeat(2_001))));
  assert.ok(!isUnparsable(indexLines("[]\n".repeat(20_000))));
});

Deno.test("isForeign tells large code from large prose", () => {
  const prose = "The quick brown fox, it's said: jumps (over\nthe lazy dog.\n";
  const code = golden("javascript").input.repeat(20);
  assert.ok(!isForeign("javascript", indexLines(code)));
  assert.ok(isForeign("javascript", indexLines(prose.repeat(2_000))));
  assert.ok(!isForeign("javascript", indexLines(prose)));
});

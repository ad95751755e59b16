import assert from "node:assert/strict";
import { findFrames } from "../../../src/compressors/table/find_frames.ts";
import { cellText } from "../../../src/compressors/table/table.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "./samples.ts";

Deno.test("findFrames finds tables between other lines and knows their style", () => {
  const [table, ...others] = findFrames(
    indexLines(inputOf("fold_mysql_index")),
  );
  assert.deepEqual(others, []);
  assert.equal(table!.layout.name, "mysql table");
  assert.deepEqual([table!.from, table!.to, table!.rows], [1, 10, 6]);
  assert.equal(cellText(table!, 1, 2), "PRIMARY");
  assert.equal(cellText(table!, 1, 6), "");
  assert.ok(!table!.plain.includes(1));
});

Deno.test("findFrames marks rows with more or fewer cells, and wrongly padded ones", () => {
  const text =
    "| a   | b   |\n| --- | --- |\n| 1   | 2   |\n| 3 |\n| 4 | 5   |\n| 6   | 7   |\n";
  const [table] = findFrames(indexLines(text));
  assert.deepEqual([...table!.plain], [0, 0, 1, 1, 0]);
});

Deno.test("findFrames keeps an escaped bar in its cell", () => {
  const [table] = findFrames(
    indexLines("| a | b |\n| --- | --- |\n| x\\|y | z |\n| 1 | 2 |\n"),
  );
  assert.equal(cellText(table!, 1, 0), "x\\|y");
});

Deno.test("findFrames needs the last line of a closed frame unless the text is cut", () => {
  const lines = inputOf("fold_mysql_index").split("\n").slice(0, 7).join("\n");
  assert.equal(findFrames(indexLines(lines)).length, 0);
  assert.equal(findFrames(indexLines(lines), true).length, 1);
});

Deno.test("findFrames leaves lists, rules and code alone", () => {
  for (
    const text of [
      "- a\n- b\n---\nmore\n",
      "Title\n-----\ntext | with bar\n",
      "a || b\n|| c\n",
      "+++ a.ts\n--- b.ts\n+ x\n",
      "----+----\n".repeat(50),
    ]
  ) assert.deepEqual(findFrames(indexLines(text)), [], text);
});

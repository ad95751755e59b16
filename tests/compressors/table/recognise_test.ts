import assert from "node:assert/strict";
import { recogniseTable } from "../../../src/compressors/table/recognise.ts";
import { GOLDENS as LOGS } from "../log/samples.ts";
import { GOLDENS as SEARCHES } from "../search_results/samples.ts";
import { GOLDENS, inputOf, orderLines } from "./samples.ts";
import { costRatio } from "../../cpu_time.ts";

/** Confidence that wins. */
const WINS = 0.8;

Deno.test("recogniseTable knows every golden table, with and without its last newline", () => {
  for (const { name, input } of GOLDENS) {
    assert.ok(recogniseTable(input) >= WINS, name);
    assert.ok(recogniseTable(input.trimEnd()) >= WINS, name);
    assert.ok(recogniseTable(input.replaceAll(/\r?\n/g, "\r\n")) >= WINS, name);
  }
  assert.ok(recogniseTable(orderLines(4000).join("\n")) >= WINS);
});

Deno.test("recogniseTable leaves texts of other kinds alone", () => {
  for (const { name, input } of [...LOGS, ...SEARCHES]) {
    assert.equal(recogniseTable(input), 0, name);
  }
  const texts = [
    "",
    "\n",
    "one line, with a comma",
    "src/a.ts\nsrc/b.ts\nsrc/c.ts\n",
    "# Title\n\nSome text, and more.\n\n- a  b\n- c  d\n",
    "export const A = 1,\n  B = 2,\n  C = 3;\nfoo(A, B, C);\n",
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    "[a]\nkey = 1, 2\nother = 3, 4\nthird = 5, 6\n",
    "efe3e25 Test that failures have one shape\n7f6d0fe Remove what nothing reads\ndb6115d Record responses\n",
    "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-a, b\n+a, c\n d, e\n",
    "FROM x AS a\nRUN y && z\nCOPY a b\nCMD c d\n",
    "NAME\n    ls - list\n\nSYNOPSIS\n    ls [OPTION]  [FILE]\n",
  ];
  for (const text of texts) assert.equal(recogniseTable(text), 0, text);
});

Deno.test("recogniseTable leaves documents with a small table to others", () => {
  const table = inputOf("fold_markdown_settings");
  const prose = "A sentence about what follows, and why.\n".repeat(30);
  assert.equal(recogniseTable(`# T\n\n${prose}\n${table}`), 0);
  assert.equal(recogniseTable(`${table}\n${prose.repeat(3)}`), 0);
  assert.equal(recogniseTable(`## Settings\n\n${table}`), 0);
  assert.equal(
    recogniseTable(
      "|  |  |\n| --- | --- |\n| page | menu |\n| text | more |\n",
    ),
    0,
  );
});

Deno.test("recogniseTable looks at a bounded part of a large text", async () => {
  for (
    const part of [
      "a",
      ",",
      "|",
      '"',
      " ",
      "a,b",
      "| a | b |\n",
      "|---|\n",
      "A  B\n",
    ]
  ) {
    const [small, large] = [50_000, 2_000_000].map((size) =>
      part.repeat(size / part.length)
    );
    const ratio = await costRatio({
      work: () => recogniseTable(large!),
      base: () => recogniseTable(small!),
    }, 5);
    assert.ok(ratio <= 5, `${part}: ${ratio} times the CPU time`);
  }
});

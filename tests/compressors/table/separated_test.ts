import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CELLS,
  cellText,
  PLAIN,
  RULE,
  textsOf,
} from "../../../src/compressors/table/layout.ts";
import { findFramed } from "../../../src/compressors/table/framed.ts";
import {
  findDelimited,
  readRecord,
} from "../../../src/compressors/table/separated.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "../goldens.ts";
import { orderLines } from "./samples.ts";

const find = (text: string, path?: string) =>
  findDelimited(indexLines(text), path)[0];

Deno.test("findDelimited sees CSV, TSV, semicolons and bars", () => {
  const lines = orderLines(12);
  for (const delimiter of [",", "\t", ";", "|"]) {
    const text = lines.join("\n").replaceAll(",", delimiter);
    assert.equal(find(text)?.columns, 6, delimiter);
    assert.equal(find(text.replaceAll("\n", "\r\n"))?.columns, 6, delimiter);
  }
  const pairs = "name,count\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\n";
  assert.equal(find(pairs)?.columns, 2);
});

Deno.test("findDelimited leaves prose, code, messages and lists with commas alone", () => {
  const texts = [
    "Dear all,\nthank you, it works.\nBest, Ada\nand, well, Bob\nso, yes, fine\n",
    "foo(a, b, c)\nbar(d, e, f)\nbaz(g, h, i)\nqux(j, k, l)\n",
    "const a = [\n  1, 2, 3,\n  4, 5, 6,\n  7, 8, 9,\n];\n",
    "import a, b from x\nimport c, d from y\nimport e, f from z\n",
    "2026-01-01 10:00:00,123 INFO started\n2026-01-01 10:00:01,456 INFO ready\n2026-01-01 10:00:02,789 INFO done\n",
    '{"a":1,"b":2}\n{"a":3,"b":4}\n{"a":5,"b":6}\n',
    "red,green\nblue,yellow\nblack,white\n",
    "a;\nb;\nc;\nd;\n",
    "lag    meter\tkwh\tday\n1      m-1\t5.1\t4\n0      m-2\t8.9\t6\n9      m-3\t1.2\t8\n",
    "  12\tlet a = 1;\n  13\tlet b = 2;\n  14\tlet c = 3;\n  15\t\n  16\tend\n  17\tx\n",
    "one,two,three\nit was, as they said, late, and cold\nso we went, all of us, home, at last\nand then, of course, it rained, a lot\n",
    ",".repeat(100_000),
  ];
  for (const text of texts) assert.equal(find(text), undefined, text);
});

Deno.test("findDelimited needs fewer signs of a file with a telling name", () => {
  const text = "red,green\nblue,yellow\nblack,white\n";
  assert.equal(find(text, "notes.txt"), undefined);
  assert.equal(find(text, "data/colours.csv")?.columns, 2);
});

Deno.test("findDelimited gives the last column what rows have beyond their names", () => {
  const agents = ["curl/8.4.0", "Mozilla/5.0 (KHTML, like Gecko) X, Y"];
  const rows = Array.from(
    { length: 20 },
    (_, i) => `10:00:${10 + i},/items/${i},200,${agents[i % 2]}`,
  );
  const table = find(["time,path,status,agent", ...rows].join("\n"))!;
  assert.equal(table.columns, 4);
  assert.ok(table.states.every((state) => state === CELLS));
  assert.equal(cellText(table, 2, 3), agents[1]);
});

Deno.test("findDelimited keeps rows with other cells, and lines around the table, apart", () => {
  const lines = orderLines(40);
  lines[20] = "a line that is no row";
  const table = find(["$ cat x", ...lines, "", "done"].join("\n"))!;
  assert.equal(table.rowLine[0], 1);
  assert.equal(table.rowLine.at(-1), 42);
  assert.deepEqual(
    [...table.states].flatMap((s, i) => s === PLAIN ? [i] : []),
    [
      20,
    ],
  );
});

function cellsOf(text: string): [string[], number] {
  const cells: number[] = [];
  const lines = indexLines(text);
  const cut = { lines, cells, delimiter: "," };
  const next = readRecord(cut, 0);
  return [textsOf(lines, cells), next];
}

Deno.test("readRecord reads quoted cells, newlines in them, and a lone quote", () => {
  assert.deepEqual(cellsOf('a,"b, ""c""",d\nx'), [
    ["a", '"b, ""c"""', "d"],
    1,
  ]);
  assert.deepEqual(cellsOf('a,"b\nc",d\nx'), [["a", '"b\nc"', "d"], 2]);
  assert.deepEqual(cellsOf('a,5" disk,d\nx'), [["a", '5" disk', "d"], 1]);
  assert.deepEqual(cellsOf('a,"b\nc\nd'), [[], 1]);
  assert.deepEqual(cellsOf("a,,\r\nx"), [["a", "", ""], 1]);
});

Deno.test("readRecord cuts what is joined", () => {
  const cell = fc.string().filter((text) => !/[,"\n\r]/.test(text));
  fc.assert(fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
    assert.deepEqual(cellsOf(cells.join(","))[0], cells);
  }));
});

Deno.test("findFramed finds tables of all styles", () => {
  const styles: readonly (readonly [text: string, form: string])[] = [
    ["| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n", "markdown"],
    [" a | b \n---+---\n 1 | 2\n 3 | 4\n(2 rows)\n", "framed"],
    [
      "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n| 3 | 4 |\n+---+---+\n",
      "framed",
    ],
    [
      "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n│ 3 │ 4 │\n└───┴───┘\n",
      "framed",
    ],
    [
      "╒═══╤═══╕\n│ a │ b │\n╞═══╪═══╡\n│ 1 │ 2 │\n├───┼───┤\n│ 3 │ 4 │\n╘═══╧═══╛\n",
      "framed",
    ],
    [
      "┏━━━┳━━━┓\n┃ a ┃ b ┃\n┡━━━╇━━━┩\n│ 1 │ 2 │\n│ 3 │ 4 │\n└───┴───┘\n",
      "framed",
    ],
    ["a|b\n:--|--:\n1|2\n3|4\n---|---\n4|6\n", "framed"],
    [
      "----|----\na   | b  \n----|----\n1   | 2  \n3   | 4  \n----|----\n",
      "framed",
    ],
  ];
  for (const [text, form] of styles) {
    const [table] = findFramed(indexLines(text));
    assert.equal(table?.form, form, text);
    assert.deepEqual(table.names, ["a", "b"], text);
    const body = [...table.states.keys()].filter((row) =>
      table.states[row] === CELLS && row > table.head
    );
    assert.equal(cellText(table, body[1]!, 1), "4", text);
  }
});

Deno.test("findFramed reads escaped bars, and knows the lines of dashes", () => {
  const text = "| a | b |\n| --- | --- |\n| x \\| y | 2 |\n| 3 | 4 |\n";
  const [table] = findFramed(indexLines(text));
  assert.equal(cellText(table!, 2, 0), "x \\| y");
  assert.equal(table!.states[1], RULE);
});

Deno.test("findFramed leaves rules, headings and diffs alone", () => {
  const texts = [
    "Title\n=====\n\ntext\n",
    "a | b\nc | d\n",
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    "a\n---\nb\n---\n",
    "|---|\n|---|\n|---|\n",
  ];
  for (const text of texts) {
    assert.deepEqual(findFramed(indexLines(text)), [], text);
  }
  assert.equal(findFramed(indexLines(inputOf("table/psql_orders"))).length, 1);
});

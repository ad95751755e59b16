import assert from "node:assert/strict";
import { looksDelimited } from "../../../src/compressors/table/delimited_signs.ts";
import { orderLines } from "./samples.ts";

Deno.test("looksDelimited sees CSV, TSV, semicolons and bars", () => {
  const lines = orderLines(12);
  for (const delimiter of [",", "\t", ";", "|"]) {
    const text = lines.join("\n").replaceAll(",", delimiter);
    assert.ok(looksDelimited(text), delimiter);
    assert.ok(looksDelimited(text.replaceAll("\n", "\r\n")), delimiter);
  }
  assert.ok(looksDelimited("name,count\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\n"));
});

Deno.test("looksDelimited leaves prose, code, messages and lists with commas alone", () => {
  const texts = [
    "Dear all,\nthank you, it works.\nBest, Ada\nand, well, Bob\nso, yes, fine\n",
    "foo(a, b, c)\nbar(d, e, f)\nbaz(g, h, i)\nqux(j, k, l)\n",
    "const a = [\n  1, 2, 3,\n  4, 5, 6,\n  7, 8, 9,\n];\n",
    "import a, b from x\nimport c, d from y\nimport e, f from z\n",
    "2026-01-01 10:00:00,123 INFO started\n2026-01-01 10:00:01,456 INFO ready\n2026-01-01 10:00:02,789 INFO done\n",
    '{"a":1,"b":2}\n{"a":3,"b":4}\n{"a":5,"b":6}\n',
    "red,green\nblue,yellow\nblack,white\n",
    "a;\nb;\nc;\nd;\n",
    "  12\tlet a = 1;\n  13\tlet b = 2;\n  14\tlet c = 3;\n  15\t\n  16\tend\n  17\tx\n",
    ",".repeat(100_000),
  ];
  for (const text of texts) assert.ok(!looksDelimited(text), text.slice(0, 60));
});

Deno.test("looksDelimited needs fewer signs of a file with a telling name", () => {
  const text = "red,green\nblue,yellow\nblack,white\n";
  assert.ok(!looksDelimited(text, "notes.txt"));
  assert.ok(looksDelimited(text, "data/colours.csv"));
});

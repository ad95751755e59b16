import assert from "node:assert/strict";
import { findFixed } from "../../../src/compressors/table/find_fixed.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf, podLines } from "./samples.ts";

Deno.test("findFixed finds the table below a prompt and before a closing line", () => {
  const text = [
    "$ kubectl get pods",
    ...podLines(12),
    "these pods are all that are there in the cluster at this time.",
  ].join("\n");
  const [table] = findFixed(indexLines(text));
  assert.deepEqual([table!.from, table!.to], [1, 14]);
  assert.deepEqual(table!.names, [
    "NAME",
    "READY",
    "STATUS",
    "RESTARTS",
    "AGE",
  ]);
  assert.equal(table!.layout.gap, 3);
  assert.ok(table!.layout.columns.every(({ place }) => place === undefined));
});

Deno.test("findFixed finds every block of a text", () => {
  const block = podLines(5).join("\n");
  const tables = findFixed(indexLines(`${block}\n\nother\n\n${block}\n`));
  assert.deepEqual(tables.map(({ from, to }) => [from, to]), [[0, 6], [9, 15]]);
});

Deno.test("findFixed takes a line of dashes as wide as the columns out of the rows", () => {
  const [table] = findFixed(indexLines(inputOf("pip_list")));
  assert.equal(table!.layout.rule, "-");
  assert.deepEqual(table!.names, ["Package", "Version"]);
  assert.equal(table!.rows, table!.to - table!.from - 1);
});

Deno.test("findFixed leaves code, prose, help and lists alone", () => {
  for (
    const text of [
      "type A struct {\n\tName   string\n\tAge    int\n\tMail   string\n}\n",
      "The Quick Start\nshows how to begin with it\nin a few steps and\nnothing else\n",
      "Usage: x [options]\n\n  -a  all\n  -b  both\n  -c  none\n",
      "A B C\nsome words in a line\nother words in it too\nthen more of them\n",
      "total 3\n",
    ]
  ) assert.deepEqual(findFixed(indexLines(text)), [], text);
});

import assert from "node:assert/strict";
import { middleOf, shareAffixes } from "../../../src/compressors/json/affix.ts";
import type { Affix } from "../../../src/compressors/json/column.ts";
import { columnIn, gridIn, tapeOfValue } from "./tapes.ts";

function affixOf(values: readonly unknown[], others = {}): Affix | undefined {
  const rows = values.map((value, i) => ({ n: i * 3, value, ...others }));
  return columnIn(gridIn(tapeOfValue(rows)), "value").affix;
}

Deno.test("shareAffixes takes the common start and end of links, cut at separators", () => {
  const links = [130, 131, 139].map((n) => `https://example.com/i/${n}/labels`);
  assert.deepEqual(affixOf(links), {
    prefix: "https://example.com/i/",
    suffix: "/labels",
    source: undefined,
  });
});

Deno.test("shareAffixes names the column that the middle repeats", () => {
  const links = [0, 3, 6].map((n) => `https://example.com/i/${n}`);
  assert.deepEqual(affixOf(links), {
    prefix: "https://example.com/i/",
    suffix: "",
    source: "n",
  });
});

Deno.test("shareAffixes leaves other text, few rows and unsafe middles alone", () => {
  assert.equal(
    affixOf(["common start 1", "common start 2", "common x"]),
    undefined,
  );
  assert.equal(affixOf(["/very/long/path/a", "/very/long/path/b"]), undefined);
  const middles = ["a,b", "", "item 1", '"x', " a"];
  for (const middle of middles) {
    const paths = ["x", middle, "y"].map((part) => `/very/long/path/${part}`);
    assert.equal(affixOf(paths), undefined, middle);
  }
  assert.equal(
    affixOf(["/very/long/path/a", null, "/very/long/path/b"]),
    undefined,
  );
});

Deno.test("shareAffixes never makes two columns depend on each other", () => {
  const rows = [1, 2, 3].map((n) => ({ a: `x${n}`, b: `x${n}`, c: `x${n}` }));
  const { columns } = gridIn(tapeOfValue(rows));
  const [a, b, c] = columns.map(({ affix }) => affix?.source);
  assert.deepEqual([a, b, c], ["b", undefined, "b"]);
});

Deno.test("shareAffixes does nothing twice", () => {
  const tape = tapeOfValue([1, 2, 3].map((n) => ({ n, v: `/files/of/${n}` })));
  const { columns } = gridIn(tape);
  const before = columns.map(({ affix }) => affix);
  shareAffixes(tape, columns, 3);
  assert.deepEqual(columns.map(({ affix }) => affix), before);
});

Deno.test("middleOf is what stands between the affixes", () => {
  const tape = tapeOfValue(["/files/7.txt"]);
  const affix = { prefix: "/files/", suffix: ".txt", source: undefined };
  assert.equal(middleOf(tape, 2, affix), "7");
});

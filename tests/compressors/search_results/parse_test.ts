import assert from "node:assert/strict";
import {
  directoryLength,
  parseSearch,
} from "../../../src/compressors/search_results/parse.ts";

/** `path number mark` of each row; other lines as `?`. */
function rowsOf(text: string): string[] {
  return parseSearch(text).items.flatMap((item) =>
    "rows" in item
      ? item.rows.map((row) =>
        `${item.path} ${row.number}${
          row.number === 0 ? "" : row.isMatch ? ":" : "-"
        }`
      )
      : ["?"]
  );
}

Deno.test("parseSearch reads matches, context and separators", () => {
  assert.deepEqual(
    rowsOf("a/b.ts-3-x\na/b.ts:4:y\n--\na/b.ts:9:z\nc.ts:1:\n"),
    ["a/b.ts 3-", "a/b.ts 4:", "a/b.ts 0", "a/b.ts 9:", "c.ts 1:"],
  );
});

Deno.test("parseSearch finds the path of a context line by the matches around", () => {
  assert.deepEqual(
    rowsOf(
      "a-12-b.ts:3:x\na-12-b.ts-4-y:9:z\nplain.ts:1:q\nplain.ts-2-k:7:m\n",
    ),
    ["a-12-b.ts 3:", "a-12-b.ts 4-", "plain.ts 1:", "plain.ts 2-"],
  );
});

Deno.test("parseSearch knows drive letters", () => {
  assert.deepEqual(rowsOf("C:\\src\\a.cs:12:x\nC:\\src\\a.cs:13:y\n"), [
    "C:\\src\\a.cs 12:",
    "C:\\src\\a.cs 13:",
  ]);
});

Deno.test("parseSearch tells paths apart that begin alike", () => {
  assert.deepEqual(
    rowsOf("a.ts:3:x\na.ts:44:y\na.tsx:1:q\nb.ts:5:z\né.ts:1:\né.ts:2:\n"),
    ["a.ts 3:", "a.ts 44:", "a.tsx 1:", "b.ts 5:", "é.ts 1:", "é.ts 2:"],
  );
});

Deno.test("parseSearch reads headings", () => {
  const view = parseSearch("src/a.ts\n1:x\n2-y\n\nsrc/b.ts\n7:z\n");
  assert.equal(view.layout, "heading");
  assert.deepEqual(
    rowsOf("src/a.ts\n1:x\n2-y\n\nsrc/b.ts\n7:z\n"),
    ["src/a.ts 1:", "src/a.ts 2-", "?", "src/b.ts 7:"],
  );
});

Deno.test("parseSearch reads counts", () => {
  const view = parseSearch("src/a.ts:3\nsrc/b.ts:0\n");
  assert.equal(view.layout, "counts");
  assert.deepEqual(view.counts, [{ line: 0, count: 3 }, { line: 1, count: 0 }]);
});

Deno.test("parseSearch keeps the offset of the body", () => {
  const text = "é/b.ts:4:y";
  const [item] = parseSearch(text).items;
  assert(item !== undefined && "rows" in item);
  assert.equal(text.slice(item.rows[0]!.bodyAt), "4:y");
});

Deno.test("directoryLength includes the last slash of either kind", () => {
  assert.equal(directoryLength("a/b/c.ts"), 4);
  assert.equal(directoryLength("C:\\a\\c.ts"), 5);
  assert.equal(directoryLength("c.ts"), 0);
});

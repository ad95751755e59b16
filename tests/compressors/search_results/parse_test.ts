import assert from "node:assert/strict";
import {
  bodyOf,
  CONTEXT,
  directoryLength,
  HEADING,
  MATCH,
  OTHER,
  parseSearch,
  type SearchView,
  SEPARATOR,
} from "../../../src/compressors/search_results/parse.ts";

const SIGNS: Readonly<Record<number, string>> = {
  [OTHER]: "?",
  [MATCH]: ":",
  [CONTEXT]: "-",
  [SEPARATOR]: "--",
  [HEADING]: "#",
};

function viewOf(text: string): SearchView {
  const view = parseSearch(text, "Grep");
  assert(view !== undefined);
  return view;
}

/** `path number sign` of each line; `?` for a line that is nothing. */
function rowsOf(text: string): string[] {
  const { forms, files, numbers, paths } = viewOf(text);
  return [...forms].map((form, line) =>
    `${paths[files[line] ?? 0]} ${numbers[line]}${SIGNS[form]}`
  );
}

Deno.test("parseSearch reads matches, context and separators", () => {
  assert.deepEqual(
    rowsOf("a/b.ts-3-x\na/b.ts:4:y\n--\na/b.ts:9:z\nc.ts:1:\n"),
    ["a/b.ts 3-", "a/b.ts 4:", "a/b.ts 0--", "a/b.ts 9:", "c.ts 1:"],
  );
});

Deno.test("parseSearch finds the path of a context line by the matches around", () => {
  assert.deepEqual(
    rowsOf(
      "a-12-b.ts:3:x\na-12-b.ts-4-y:9:z\nplain.ts-6-k:7:m\nplain.ts:7:q\nplain.ts-8-k:7:m\n",
    ),
    [
      "a-12-b.ts 3:",
      "a-12-b.ts 4-",
      "plain.ts 6-",
      "plain.ts 7:",
      "plain.ts 8-",
    ],
  );
});

Deno.test("parseSearch reads the lines of functions that `git grep -p` prints as context", () => {
  assert.deepEqual(
    rowsOf(
      "a.ts=2=function f() {\na.ts:4:  g();\nb.ts=1=class B {\nb.ts:9:g\n",
    ),
    ["a.ts 2-", "a.ts 4:", "b.ts 1-", "b.ts 9:"],
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

Deno.test("parseSearch takes neither times nor messages for rows", () => {
  const rows = "a.ts:1:x\n".repeat(9);
  const others = ["10:20:30 x", "[web:1:x", "grep: b: denied", 'see "a:1:2"'];
  for (const other of others) {
    assert.equal(rowsOf(`${rows}${other}\n`).at(-1), " 0?");
  }
});

Deno.test("parseSearch reads headings, and rows of one file that is not named", () => {
  const text = "src/a.ts\n1:x\n2-y\n\nsrc/b.ts\n7:z\n";
  assert.equal(viewOf(text).layout, "heading");
  assert.deepEqual(rowsOf(text), [
    "src/a.ts 0#",
    "src/a.ts 1:",
    "src/a.ts 2-",
    " 0?",
    "src/b.ts 0#",
    "src/b.ts 7:",
  ]);
  assert.deepEqual(rowsOf("1-x\n2:y\n--\n7:z\n8-z\n"), [
    " 1-",
    " 2:",
    " 0--",
    " 7:",
    " 8-",
  ]);
});

Deno.test("parseSearch reads counts", () => {
  const text = "src/a.ts:3\nsrc/b.ts:0\nc.ts:1\nd/e.ts:9\nd/f.ts:12\n";
  const { layout, numbers, paths } = viewOf(text);
  assert.equal(layout, "counts");
  assert.deepEqual([...numbers], [3, 0, 1, 9, 12]);
  assert.deepEqual(paths.slice(1, 3), ["src/a.ts", "src/b.ts"]);
});

Deno.test("parseSearch reads rows without numbers, with their context", () => {
  assert.deepEqual(
    rowsOf("src/a.ts-x\nsrc/a.ts:y: 1\n--\nsrc/a.ts:z\nsrc/a.tsx:q\n"),
    [
      "src/a.ts 0-",
      "src/a.ts 0:",
      "src/a.ts 0--",
      "src/a.ts 0:",
      "src/a.tsx 0:",
    ],
  );
});

Deno.test("bodyOf is a row without its path", () => {
  const view = viewOf("é/b.ts:4:y\né/b.ts:5:z");
  assert.equal(bodyOf(view, 0), "4:y\n");
  assert.equal(bodyOf(view, 1), "5:z");
});

Deno.test("directoryLength includes the last slash of either kind", () => {
  assert.equal(directoryLength("a/b/c.ts"), 4);
  assert.equal(directoryLength("C:\\a\\c.ts"), 5);
  assert.equal(directoryLength("c.ts"), 0);
});

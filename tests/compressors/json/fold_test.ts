import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldJson,
  linesOf,
  MAX_DEPTH,
  startsWithBracket,
  unfold,
  viewOf,
} from "../../../src/compressors/json/fold.ts";
import { anyDocument, anyRows, print, STYLES } from "./json_text.ts";

/** The fold of a text, after its inverse has been run. */
function folded(text: string, isEdited = false): string | undefined {
  const view = viewOf(text);
  assert.ok(view !== undefined, text);
  const fold = foldJson(view, { isEdited });
  if (fold !== undefined) assert.equal(fold.restore(fold.text), text);
  return fold?.text;
}

const rows = Array.from({ length: 6 }, (_, i) => ({ id: i, name: `user${i}` }));
const anyStyle = fc.constantFrom(...Object.values(STYLES));
const anyEnd = fc.constantFrom("", "\n", "\n\n", " ");

Deno.test("unfold gives back any document in any layout", () => {
  let folds = 0;
  fc.assert(
    fc.property(anyDocument, anyStyle, anyEnd, (value, style, end) => {
      if (folded(print(value, style) + end) !== undefined) folds++;
    }),
    { numRuns: 400 },
  );
  assert.ok(folds > 300, `${folds}`);
});

Deno.test("unfold gives back JSON Lines in any layout", () => {
  const anyLines = anyRows
    .map((lines) => lines.filter((row) => typeof row !== "string"))
    .filter((lines) => lines.length > 1);
  fc.assert(
    fc.property(anyLines, anyStyle, anyEnd, (lines, style, end) => {
      folded(lines.map((row) => print(row, style)).join("\n") + end);
    }),
    { numRuns: 300 },
  );
});

Deno.test("unfold refuses what is no form", () => {
  for (
    const form of [
      "[2 rows: a,b\n1,2\n3\n]",
      '["a',
      '{"a":text in the next 9 lines:\nx',
    ]
  ) {
    assert.throws(() => unfold(form), SyntaxError, form);
  }
});

Deno.test("foldJson writes similar values as tables, wherever they are", () => {
  assert.match(
    folded(JSON.stringify({ total: 6, items: rows, next: null }, null, 2)) ??
      "",
    /^\/\/ minified JSON, was indent 2\n\{"total":6,"items":\[6 rows: id,name\n0,user0\n[^]*\n5,user5\n\],"next":null\}$/,
  );
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  assert.match(folded(lines) ?? "", /^\/\/ JSON Lines\n\[6 rows: id,name\n/);
  const many = [...rows, ...rows];
  const pages = [{ page: 1, rows: many }, {
    page: 2,
    rows: many.map((row) => ({ ...row, id: -row.id })),
  }];
  assert.equal(folded(JSON.stringify(pages))?.match(/\[12 rows: /g)?.length, 2);
});

Deno.test("foldJson leaves small, short and mixed containers as JSON", () => {
  for (const value of [[{ a: 1 }, { a: 2 }], [1, 2, 3], [rows[0], "x", "y"]]) {
    assert.equal(folded(JSON.stringify(value)), JSON.stringify(value));
  }
});

Deno.test("foldJson changes nothing but the white space of a file that is edited", () => {
  assert.equal(
    folded(JSON.stringify(rows, null, 2) + "\n", true),
    `// minified JSON, was indent 2\n${JSON.stringify(rows)}\n`,
  );
});

Deno.test("foldJson shows what is in long strings: JSON, or lines of text", () => {
  const body = JSON.stringify(rows, null, 1);
  assert.match(
    folded(JSON.stringify({ ok: true, body, code: 0 })) ?? "",
    /^\{"ok":true,"body":string\(\/\/ minified JSON, was indent 1\n\[6 rows: id,name\n0,user0\n[^]*\]\),"code":0\}$/,
  );
  const out = Array.from({ length: 40 }, (_, i) => `step "${i}" done`).join(
    "\n",
  );
  assert.equal(
    folded(JSON.stringify({ out, code: 0 })),
    `{"out":text in the next 40 lines:\n${out}\nend of text,"code":0}`,
  );
  const bell = JSON.stringify({ out: out + "\u0007" });
  assert.equal(folded(bell), bell);
});

Deno.test("foldJson finds no form for irregular white space", () => {
  assert.equal(folded('{"a": 1,"b":2}'), undefined);
});

Deno.test("viewOf takes JSON up to a depth, and nothing else", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.ok(viewOf(nested(MAX_DEPTH)) !== undefined);
  for (const text of [nested(MAX_DEPTH + 1), "[1] x", "[1", "", "1"]) {
    assert.equal(viewOf(text), undefined, text.slice(0, 20));
  }
});

Deno.test("startsWithBracket looks past white space", () => {
  assert.deepEqual(["{", " \n[", "x[", ""].map(startsWithBracket), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("linesOf counts the lines", () => {
  assert.equal(
    linesOf("a\nb", ", shortened"),
    "text in the next 2 lines, shortened:\na\nb\nend of text",
  );
});

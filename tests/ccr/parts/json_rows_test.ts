import assert from "node:assert/strict";
import fc from "fast-check";
import {
  JsonRows,
  matchRows,
  type Standing,
} from "../../../src/ccr/parts/json_rows.ts";
import type { Piece } from "../../../src/ccr/parts/piece.ts";
import { findJson } from "../../../src/text/json/find.ts";

/** Places and texts of all rows. */
function rowsOf(text: string, standing?: Standing): string[] {
  const rows = new JsonRows(findJson(text)!, standing);
  const places = rows.places(rows.starts.map((_, i) => i));
  return places.map((place, i) =>
    `${place}=${text.slice(rows.from[i]!, rows.to[i]!)}`
  );
}

Deno.test("JsonRows takes a document apart down to the elements of arrays of containers", () => {
  assert.deepEqual(
    rowsOf('{"total": 2, "items": [{"a": 1}, {"a": [2]}], "tags": ["x", "y"]}'),
    ["total=2", 'items[0]={"a": 1}', 'items[1]={"a": [2]}', 'tags=["x", "y"]'],
  );
  assert.deepEqual(rowsOf("[1,2]"), ["[0]=1", "[1]=2"]);
});

Deno.test("JsonRows takes long values apart", () => {
  const long = { a: "x".repeat(1500), b: "y".repeat(1500) };
  const rows = rowsOf(JSON.stringify([long, { c: 1 }]));
  assert.deepEqual(rows.map((row) => row.slice(0, 8)), [
    '[0].a="x',
    '[0].b="y',
    '[1]={"c"',
  ]);
  const text = JSON.stringify({ a: "lorem ipsum ".repeat(400) });
  const stretch = rowsOf(text)[3]!;
  const [, from, to] = /^a, characters (\d+)-(\d+)=/.exec(stretch)!;
  assert.equal(
    stretch.slice(stretch.indexOf("=") + 1),
    text.slice(5).slice(Number(from) - 1, Number(to)),
  );
});

Deno.test("JsonRows counts documents from 1, and elements within a range on from its start", () => {
  assert.deepEqual(rowsOf('{"a":1}\n{"a":2}'), ['[1]={"a":1}', '[2]={"a":2}']);
  assert.deepEqual(rowsOf("[7,8]", { place: "items", firstRow: 5 }), [
    "items[5]=7",
    "items[6]=8",
  ]);
});

Deno.test("JsonRows begins a row before its key and the keys that lead to it", () => {
  const text = '{"a": 1, "errors": [{"b": 2}, {"b": 3}]}';
  const rows = new JsonRows(findJson(text)!);
  assert.deepEqual(rows.starts.map((start) => text.slice(start, start + 3)), [
    '"a"',
    '"er',
    '{"b',
  ]);
});

Deno.test("JsonRows has rising starts and texts that are values, for any document", () => {
  const documents = fc.array(fc.jsonValue({ maxDepth: 6 }), { maxLength: 20 });
  fc.assert(fc.property(documents, (value) => {
    const text = JSON.stringify(value);
    const rows = new JsonRows(findJson(text)!);
    for (let i = 0; i < rows.count; i++) {
      if (i > 0) assert.ok(rows.starts[i]! > rows.starts[i - 1]!);
      JSON.parse(text.slice(rows.from[i]!, rows.to[i]!));
    }
  }));
});

Deno.test("JsonRows stays flat in deep nesting", () => {
  const text = "[".repeat(100_000) + "]".repeat(100_000);
  const rows = new JsonRows(findJson(text)!);
  assert.match(rows.places([5])[0]!, /^…(?:\[0\]){40}, characters \d+-\d+$/);
});

/** What a search gives. */
function match(text: string, query: string) {
  const piece: Piece = { text, way: "json", items: 0, said: [] };
  const found = matchRows(piece, findJson(text)!, query);
  return [found.text, found.items, found.said.join("; ")] as const;
}

const ROWS =
  '{"items": [{"id": 1.0, "s": "paid"}, {"id": 2, "s": "refunded"}], "errors": [{"s": "say \\"hi\\""}]}';

Deno.test("matchRows gives matching rows as they are written, behind their places", () => {
  assert.deepEqual(match(ROWS, "refunded"), [
    'items[1]: {"id": 2, "s": "refunded"}\n',
    1,
    '1 of 3 rows match "refunded"',
  ]);
  assert.equal(match(ROWS, "1.0")[0], 'items[0]: {"id": 1.0, "s": "paid"}\n');
});

Deno.test("matchRows finds a row by the key that leads to it, and text with escapes", () => {
  assert.equal(match(ROWS, "errors")[0], 'errors[0]: {"s": "say \\"hi\\""}\n');
  assert.equal(match(ROWS, 'say "hi"')[1], 1);
});

Deno.test("matchRows gives nothing for an empty document or a query that is nowhere", () => {
  assert.deepEqual(match("{}", "{"), ["", 0, '0 of 0 rows match "{"']);
  assert.deepEqual(match(ROWS, "nowhere")[0], "");
});

Deno.test("matchRows does not search around the document", () => {
  assert.equal(match(`needle\n${ROWS}\nneedle`, "needle")[1], 0);
});

Deno.test("matchRows finds a query that only escapes tell from the text", () => {
  assert.equal(match('[{"s": "xa\\"by"}]', 'a"b')[1], 1);
});

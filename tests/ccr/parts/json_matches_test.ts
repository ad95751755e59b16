import assert from "node:assert/strict";
import { matchRows } from "../../../src/ccr/parts/json_matches.ts";
import { findJson } from "../../../src/ccr/parts/json_scan.ts";
import type { Piece } from "../../../src/ccr/parts/piece.ts";

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

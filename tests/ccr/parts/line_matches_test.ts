import assert from "node:assert/strict";
import { matchLines } from "../../../src/ccr/parts/line_matches.ts";
import type { Piece } from "../../../src/ccr/parts/piece.ts";

/** What a search gives. */
function match(text: string, query: string, more: Partial<Piece> = {}) {
  const piece: Piece = { text, way: "lines", items: 0, said: [], ...more };
  const found = matchLines(piece, query);
  return [found.text, found.items, found.said.join("; ")] as const;
}

const LETTERS = [..."abcdefghijklmnopqrst"].join("\n");

Deno.test("matchLines shows matches as grep -n does, two lines around each", () => {
  assert.deepEqual(match(LETTERS, "e"), [
    "3-c\n4-d\n5:e\n6-f\n7-g\n",
    1,
    '1 of 20 lines match "e"',
  ]);
  const two = LETTERS.replace("d", "hit 1").replace("p", "hit 2");
  assert.equal(
    match(two, "hit")[0],
    "2-b\n3-c\n4:hit 1\n5-e\n6-f\n--\n14-n\n15-o\n16:hit 2\n17-q\n18-r\n",
  );
});

Deno.test("matchLines gives empty content when nothing matches", () => {
  assert.deepEqual(match(LETTERS, "nowhere"), [
    "",
    0,
    '0 of 20 lines match "nowhere"',
  ]);
});

Deno.test("matchLines numbers lines as the piece does", () => {
  const numbers = Uint32Array.of(0, 41, 42);
  assert.equal(
    match("head\nhit\nrest", "hit", { numbers })[0],
    "head\n41:hit\n42-rest\n",
  );
});

Deno.test("matchLines shows stretches of a long line, neighbours as one", () => {
  const line = "word ".repeat(100) + "needle " + "word ".repeat(300);
  const [text, items, said] = match(line, "needle");
  const [, from, to, shown] = /^characters (\d+)-(\d+) of 2007: ([^\n]*)\n$/
    .exec(text)!;
  assert.equal(line.slice(Number(from) - 1, Number(to)), shown);
  assert.ok(shown!.includes("needle"));
  assert.equal(items, 1);
  assert.equal(said, '1 of 11 parts match "needle"');
  const both = match(`short\n${line}\nneedle`, "needle")[0].split("\n");
  assert.match(both[1]!, /^2:characters 405-606 of 2007: /);
  assert.equal(both[2], "3:needle");
});

Deno.test("matchLines cuts long lines around a match short", () => {
  const text = match(`hit\n${"x".repeat(900)}`, "hit")[0];
  assert.equal(text, `1:hit\n2-${"x".repeat(200)} … 700 more characters\n`);
});

Deno.test("matchLines shows rows of a table below its head", () => {
  const csv = "id,name\n1,ada\n2,bob\n3,ada\n";
  assert.deepEqual(match(csv, "ada", { way: "table" }), [
    "id,name\n1,ada\n3,ada\n",
    2,
    '2 of 3 rows match "ada"',
  ]);
  assert.equal(match(csv, "name", { way: "table" })[1], 0);
  const ruled = "| id | name |\n|----|------|\n| 1 | ada |\n| 2 | bob |\n";
  assert.equal(
    match(ruled, "bob", { way: "table" })[0],
    "| id | name |\n|----|------|\n| 2 | bob |\n",
  );
});

Deno.test("matchLines gives the best 40 of many", () => {
  const text = "hit\nmiss\n".repeat(130);
  assert.equal(match(text, "hit")[2], "best 40 of 130 matching lines of 260");
});

Deno.test("matchLines cuts no character of lines around a match", () => {
  const text = match(`hit\n${"x".repeat(199)}😀${"x".repeat(9)}`, "hit")[0];
  assert.equal(text, `1:hit\n2-${"x".repeat(199)} … 11 more characters\n`);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { codesOf } from "../../../src/text/lines.ts";
import { oddRows, shapeOf } from "../../../src/text/signs/cell_shapes.ts";
import { groupsOf } from "../../../src/text/signs/columns.ts";

const shape = (text: string) => shapeOf(codesOf(text), 0, text.length);
function odd(cells: readonly string[]): number[] {
  const shapes = Int32Array.from(cells, shape);
  const groups = groupsOf(shapes, (one) => one);
  return groups === undefined
    ? []
    : oddRows(groups, (row) => shapes[row] ?? 0).map(({ row }) => row);
}
const numbers = Array.from({ length: 100 }, (_, i) => `${(i * 37) % 90}`);

Deno.test("shapeOf tells numbers, words, quotes and forms of dates apart", () => {
  const different = [
    "",
    "12",
    "2.5",
    '"12"',
    "free",
    '"free"',
    "2026-11-28",
    "28.11.2026",
    "12%",
  ];
  assert.equal(new Set(different.map(shape)).size, different.length);
  const same = [["12", "-7"], ["a-b", "x9-c"], ["0.5", "-3.25"], [
    '"0803256652466129"',
    '"80325665246612ab"',
  ]];
  for (const [a = "", b = ""] of same) assert.equal(shape(a), shape(b), a);
});

Deno.test("oddRows finds the cell that is none of the usual ones", () => {
  for (const other of ["null", "free", '"87"', "", "2.5", "28.11.2026"]) {
    assert.deepEqual(odd(numbers.with(61, other)), [61], other);
  }
});

Deno.test("oddRows takes a whole number among fractions for usual, and finds none where nothing is", () => {
  const fractions = numbers.map((one) => `${one}.25`);
  assert.deepEqual(odd(fractions.with(61, "7")), []);
  const words = numbers.map((one, i) => i % 3 === 0 ? one : "word");
  assert.deepEqual(odd(words.with(61, "a-b")), []);
  assert.deepEqual(odd(numbers), []);
});

Deno.test("oddRows gives at most three rows, and shapeOf ends for every text", () => {
  fc.assert(fc.property(
    fc.array(fc.string(), { maxLength: 100 }),
    (cells) => assert.ok(odd(cells).length <= 3),
  ));
});

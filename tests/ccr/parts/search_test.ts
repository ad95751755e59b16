import assert from "node:assert/strict";
import fc from "fast-check";
import { findUnits } from "../../../src/ccr/parts/search.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** Lines that fit. */
function find(
  lines: readonly string[],
  query: string,
  spellings: string[] = [],
) {
  const text = lines.join("\n");
  const { starts } = indexLines(text);
  const { count, best } = findUnits({ text, starts }, query, spellings);
  return { count, best: best.map((i) => lines[i]) };
}

Deno.test("findUnits always gives units with the whole query, in any case, also where it is common", () => {
  const lines = ["Error one", "an ERROR two", "fine", "error three"];
  assert.deepEqual(find(lines, "error").best, [
    "Error one",
    "an ERROR two",
    "error three",
  ]);
  assert.deepEqual(find(lines, "rro").count, 3);
});

Deno.test("findUnits ranks by words where the whole query is nowhere", () => {
  const filler = Array.from({ length: 40 }, (_, i) => `GET /health ${i}`);
  const lines = [...filler, "payment timeout for order 7", "refund of payment"];
  assert.deepEqual(
    find(lines, "which payment had a timeout").best[0],
    "payment timeout for order 7",
  );
});

Deno.test("findUnits falls back to parts of words", () => {
  const lines = ["alpha", "sockettimeoutexception", "beta"];
  assert.deepEqual(find(lines, "kettime xyz").best, ["sockettimeoutexception"]);
});

Deno.test("findUnits gives nothing when nothing fits or is asked", () => {
  for (const query of ["nowhere", "", "  ", "?"]) {
    assert.deepEqual(find(["one", "two"], query), { count: 0, best: [] });
  }
  assert.deepEqual(findUnits({ text: "a", starts: Uint32Array.of(2) }, "a"), {
    count: 0,
    best: [],
  });
});

Deno.test("findUnits gives at most 40 units and 8,000 characters, in order, at least one", () => {
  const many = find(Array.from({ length: 90 }, (_, i) => `hit ${i}`), "hit");
  assert.equal(many.count, 90);
  assert.equal(many.best.length, 40);
  const long = find(Array.from({ length: 9 }, () => "hit ".repeat(500)), "hit");
  assert.equal(long.best.length, 3);
  assert.equal(find(["hit ".repeat(9000)], "hit").best.length, 1);
});

Deno.test("findUnits marks every unit that a match reaches into", () => {
  assert.deepEqual(find(["end of a", "b starts", "c"], "a\nb").best, [
    "end of a",
    "b starts",
  ]);
});

Deno.test("findUnits looks for other spellings too, and only from the first unit on", () => {
  assert.deepEqual(
    find(['say \\"hi\\"', "x"], 'say "hi"', ['say \\"hi\\"']).count,
    1,
  );
  const text = "head\nbody";
  assert.equal(
    findUnits({ text, starts: Uint32Array.of(5, 10) }, "head").count,
    0,
  );
});

Deno.test("findUnits finds all that includes finds", () => {
  const word = fc.string({
    unit: fc.constantFrom("a", "b", "B"),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      word,
      (lines, query) => {
        const expected = lines.filter((line) =>
          line.toLowerCase().includes(query.toLowerCase())
        );
        const { best } = find(lines, query);
        for (const line of expected) assert.ok(best.includes(line));
      },
    ),
  );
});

Deno.test("findUnits is linear in a query that nearly matches everywhere", () => {
  const text = "a".repeat(1_000_000);
  const starts = Uint32Array.of(0, text.length + 1);
  assert.equal(findUnits({ text, starts }, "a".repeat(9_999) + "b").count, 0);
});

Deno.test("findUnits begins anew behind a match", () => {
  const starts = Uint32Array.of(0, 2, 4);
  assert.deepEqual(findUnits({ text: "abb", starts }, "ab").best, [0]);
});

import assert from "node:assert/strict";
import { chooseGaps } from "../../../src/compressors/source_code/budget.ts";
import { weigh } from "../../../src/compressors/source_code/gaps.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** Lines of a hundred quarters of a token. */
function weightsOf(count: number): Uint32Array {
  return weigh(indexLines(`${"x".repeat(96)}\n`.repeat(count)));
}

function gap(from: number, to: number) {
  return { from, to, lead: "" };
}

Deno.test("chooseGaps leaves bodies whole while the outline is small, the cheapest first", () => {
  const given = gap(60, 99);
  const bodies = [gap(25, 59), gap(0, 19), gap(20, 24)].map((all) => ({
    forms: [[all], []],
  }));
  const gaps = chooseGaps(weightsOf(100), [given], bodies);
  assert.deepEqual(gaps, [given, gap(25, 59)]);
});

Deno.test("chooseGaps leaves nothing whole in an outline that is large already", () => {
  const bodies = [{ forms: [[gap(0, 2)], []] }];
  assert.deepEqual(chooseGaps(weightsOf(20), [], bodies), [gap(0, 2)]);
});

Deno.test("chooseGaps keeps the gaps it is given, and each step after the one before it", () => {
  const last = [gap(0, 3)];
  const bodies = [{ forms: [[gap(0, 4)], last, []] }];
  const given = gap(10, 99);
  assert.deepEqual(chooseGaps(weightsOf(100), [given], bodies), [given]);
  const dear = [{ forms: [[gap(0, 40)], [gap(0, 10)], []] }];
  assert.deepEqual(chooseGaps(weightsOf(60), [], dear), [gap(0, 40)]);
});

Deno.test("chooseGaps keeps a short last line longer than a whole body", () => {
  const weights = weigh(
    indexLines(`${"x".repeat(96)}\n`.repeat(99) + "return x;\n"),
  );
  const bodies = [{ forms: [[gap(50, 99)], [gap(50, 98)], []] }];
  assert.deepEqual(chooseGaps(weights, [], bodies), [gap(50, 98)]);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Units } from "../../src/core/kind.ts";
import {
  chooseUnits,
  gapsIn,
  isToldIn,
  STAYS,
} from "../../src/engine/choose.ts";
import { TOKEN } from "../../src/engine/price.ts";

/** Units of equal price. */
function unitsOf(weights: readonly number[], more: Partial<Units> = {}): {
  units: Units;
  prices: Uint32Array;
} {
  const starts = Uint32Array.from(
    { length: weights.length + 1 },
    (_, i) => 100 * i,
  );
  const prices = new Uint32Array(weights.length).fill(20 * TOKEN);
  const units = { starts, weights: Uint8Array.from(weights), ...more };
  return { units, prices };
}

Deno.test("chooseUnits keeps what must stay and nothing of weight 0", () => {
  const { units, prices } = unitsOf([0, STAYS, 0, 1, STAYS], { share: 0 });
  assert.deepEqual([...chooseUnits(units, prices)], [0, 1, 0, 0, 1]);
});

Deno.test("chooseUnits takes the heaviest first, and of equal weight the first and last of a group", () => {
  const groups = Int32Array.of(7, 7, 7, 7, 9);
  const { units, prices } = unitsOf([5, 5, 5, 5, 9], { groups, share: 0.6 });
  assert.deepEqual([...chooseUnits(units, prices)], [1, 0, 0, 1, 1]);
});

Deno.test("chooseUnits keeps the parents of what it keeps", () => {
  const parents = Int32Array.of(-1, 0, 1, -1);
  const { units, prices } = unitsOf([0, 0, STAYS, 0], { parents, share: 0 });
  assert.deepEqual([...chooseUnits(units, prices)], [1, 1, 1, 0]);
});

Deno.test("gapsIn keeps what a note would not pay for, and drops cheap light units between two gaps", () => {
  const { units, prices } = unitsOf([STAYS, 0, STAYS, 0, 1, 0, STAYS]);
  prices[1] = 2 * TOKEN;
  prices[4] = 2 * TOKEN;
  const keep = Uint8Array.of(1, 0, 1, 0, 1, 0, 1);
  assert.deepEqual(gapsIn(units, prices, keep), [{ from: 3, to: 6 }]);
  assert.deepEqual([...keep], [1, 1, 1, 0, 0, 0, 1]);
});

Deno.test("gapsIn and chooseUnits agree for any weights: gaps are what is not kept, and what must stay is kept", () => {
  const weight = fc.constantFrom(0, 1, 90, 200, STAYS);
  fc.assert(fc.property(
    fc.array(fc.record({ weight, price: fc.nat(400), group: fc.nat(3) }), {
      maxLength: 40,
    }),
    fc.boolean(),
    (rows, hasParents) => {
      const parents = Int32Array.from(rows, (_, i) => i % 5 === 0 ? -1 : i - 1);
      const { units } = unitsOf(rows.map((row) => row.weight), {
        groups: Int32Array.from(rows, (row) => row.group),
        ...hasParents && { parents },
      });
      const prices = Uint32Array.from(rows, (row) => row.price);
      const keep = chooseUnits(units, prices);
      const gaps = gapsIn(units, prices, keep);
      const open = new Uint8Array(rows.length).fill(1);
      for (const { from, to } of gaps) open.fill(0, from, to);
      assert.deepEqual(open, keep);
      rows.forEach((row, i) => {
        if (row.weight === STAYS) assert.equal(keep[i], 1);
        if (hasParents && keep[i] === 1 && parents[i]! >= 0) {
          assert.equal(keep[parents[i]!], 1);
        }
      });
    },
  ));
});

Deno.test("gapsIn closes what a parent that came back cut off, where a note would not pay for it", () => {
  // Unit 1 is a heading that its last child brings back; unit 0 alone is worth no note.
  const { units } = unitsOf([0, 0, 0, 0, 0, STAYS, 0], {
    parents: Int32Array.of(-1, -1, 1, 1, 1, -1, 1),
  });
  const prices = Uint32Array.of(6, 6, 20, 20, 20, 6, 6)
    .map((tokens) => tokens * TOKEN);
  const keep = chooseUnits(units, prices);
  assert.deepEqual(gapsIn(units, prices, keep), [{ from: 2, to: 5 }]);
});

Deno.test("gapsIn leaves out cheap units of which a kept one tells: they get no note", () => {
  const told = Uint8Array.of(0, 1, 1, 0, 0);
  const { units } = unitsOf([STAYS, 0, 0, STAYS, 0], { told });
  const prices = Uint32Array.of(9, 4, 4, 9, 8).map((tokens) => tokens * TOKEN);
  const keep = chooseUnits(units, prices);
  const gaps = gapsIn(units, prices, keep);
  assert.deepEqual(gaps, [{ from: 1, to: 3 }]);
  assert.ok(isToldIn(units, { from: 1, to: 3 }));
  assert.ok(!isToldIn(units, { from: 2, to: 4 }));
  assert.ok(
    !isToldIn({ ...units, told: new Uint8Array(5) }, { from: 1, to: 3 }),
  );
});

Deno.test("chooseUnits keeps a bundle whole or not at all", () => {
  const bundles = Int32Array.of(1, 1, 2, 2, 0);
  const enough = unitsOf([7, 7, 5, 5, 3], { bundles, share: 0.6 });
  assert.deepEqual(
    [...chooseUnits(enough.units, enough.prices)],
    [1, 1, 0, 0, 1],
  );
  const little = unitsOf([7, 7, 5, 5, 3], { bundles, share: 0.2 });
  assert.deepEqual(
    [...chooseUnits(little.units, little.prices)],
    [0, 0, 0, 0, 1],
  );
});

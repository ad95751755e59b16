import assert from "node:assert/strict";
import fc from "fast-check";
import { filled, RunSums } from "../../src/ledger/run_sums.ts";
import { bookOf, sumsOfTasks } from "./counted.ts";
import { traffic } from "./traffic.ts";
import { countTask } from "../../src/ledger/count_row.ts";
import { formsIn } from "./counted.ts";

const again = (sums: RunSums) => new RunSums(JSON.stringify(sums));

Deno.test("RunSums go on from their JSON, wherever they were interrupted", () => {
  const tasks = traffic(3, 100).map(bookOf);
  const all = JSON.stringify(sumsOfTasks(tasks));
  fc.assert(
    fc.property(fc.nat({ max: 100 }), (at) => {
      const forms = formsIn(new Set());
      let sums = new RunSums();
      for (const [i, task] of tasks.entries()) {
        if (i === at) sums = again(sums);
        countTask(sums, task, forms);
      }
      assert.equal(JSON.stringify(sums), all);
    }),
    { numRuns: 30 },
  );
});

Deno.test("RunSums keep 200 names apart, cut them, and count the rest together", () => {
  const sums = new RunSums();
  sums.add("t", "__proto__", { n: 1 });
  for (let i = 500; i > 0; i--) sums.add("t", `${i}`, { n: 1, m: 2 });
  const table = again(sums).table("t", ({ n = 0, m = 0 }) => [n, m]);
  assert.equal(Object.keys(table).length, 201);
  assert.deepEqual(
    Object.entries(table).find(([name]) => name === "__proto__"),
    ["__proto__", [1, 0]],
  );
  assert.deepEqual(table["(other)"], [301, 602]);
  const long = new RunSums();
  for (const end of ["a", "b"]) long.add("t", "x".repeat(300) + end, { n: 1 });
  assert.deepEqual(Object.values(long.table("t", ({ n }) => n)), [2]);
});

Deno.test("RunSums keep extremes, the note of the first largest and of the last, and no number that is none", () => {
  const sums = new RunSums();
  for (const [max, last] of [[3, 9], [5, 8], [5, 7], [4, NaN]] as const) {
    sums.add("x", "", { min: max });
    sums.add("x", "", { max }, `${max} ${last}`);
    sums.add("y", "", { last }, `last ${last}`);
  }
  assert.deepEqual(sums.of("x"), { max: 5, min: 3 });
  assert.deepEqual(sums.of("y"), { last: 7 });
  assert.deepEqual([sums.note("x"), sums.note("y")], ["5 8", "last 7"]);
  assert.deepEqual(sums.of("z"), {});
});

Deno.test("filled has the members of the zeros", () => {
  assert.deepEqual(filled({ a: 0, b: 0 }, { b: 2, c: 3 }), { a: 0, b: 2 });
});

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import {
  ADD_LINE,
  filled,
  RunSums,
  type SumLine,
} from "../../src/ledger/run_sums.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { bookOf, sumsOfTasks } from "./counted.ts";
import { anyRecord } from "./records.ts";
import { traffic } from "./traffic.ts";

function linesOf(sums: RunSums): readonly SumLine[] {
  return [...sums.lines()];
}

/** Writes batches to the table, and reads what became of them. */
function written(batches: readonly RunSums[]): RunSums {
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS);
  const add = db.prepare(ADD_LINE);
  for (const { topic, name, field, value, note } of batches.flatMap(linesOf)) {
    add.run("r", topic, name, field, value, note);
  }
  const lines = db.prepare(
    "SELECT topic, name, field, value, note FROM run_sums ORDER BY rowid",
  ).all();
  return new RunSums(lines as unknown as SumLine[]);
}

const byKey = (a: SumLine, b: SumLine) =>
  `${a.topic} ${a.name} ${a.field}` < `${b.topic} ${b.name} ${b.field}`
    ? -1
    : 1;
/** Sums of fractions depend on their order. */
const rounded = (sums: RunSums) =>
  linesOf(sums).map((line) => ({ ...line, value: +line.value.toFixed(6) }))
    .sort(byKey);

Deno.test("RunSums written batch by batch are those of all at once", () => {
  const requests = fc.array(anyRecord, { maxLength: 20 });
  fc.assert(
    fc.property(requests, fc.nat({ max: 20 }), (records, at) => {
      const tasks = records.map((entry) =>
        bookOf({ ...entry, forms: [], blocks: [] })
      );
      const batches = [tasks.slice(0, at), tasks.slice(at)].map(sumsOfTasks);
      assert.deepEqual(rounded(written(batches)), rounded(sumsOfTasks(tasks)));
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

Deno.test("RunSums are the same from their lines, names in their order", () => {
  const sums = sumsOfTasks(traffic(3, 100).map(bookOf));
  const again = new RunSums(sums.lines());
  assert.deepEqual(linesOf(again), linesOf(sums));
  assert.equal(again.note("compressed"), sums.note("compressed"));
});

Deno.test("RunSums keep 200 names apart, cut them, and count the rest together, in the table too", () => {
  const batches = Array.from({ length: 5 }, (_, batch) => {
    const sums = new RunSums();
    if (batch === 0) sums.add("t", "__proto__", { n: 1 });
    for (let i = 0; i < 100; i++) {
      sums.add("t", `${batch}:${i}`, { n: 1, m: 2 });
    }
    return sums;
  });
  const all = new RunSums();
  for (const { topic, name, field, value } of batches.flatMap(linesOf)) {
    all.add(topic, name, { [field]: value });
  }
  for (const sums of [written(batches), all]) {
    const table = sums.table("t", ({ n = 0, m = 0 }) => [n, m]);
    assert.equal(Object.keys(table).length, 201);
    assert.equal(Object.keys(table)[0], "__proto__");
    assert.deepEqual(table["(other)"], [301, 602]);
  }
  const long = new RunSums();
  for (const end of ["a", "b"]) long.add("t", "x".repeat(300) + end, { n: 1 });
  assert.deepEqual(Object.values(long.table("t", ({ n }) => n)), [2]);
});

Deno.test("RunSums keep extremes, the note of the first largest and of the last", () => {
  const batch = (max: number, last: number) => {
    const sums = new RunSums();
    sums.add("x", "", { max, min: max }, `max ${max}`);
    sums.add("y", "", { last }, `last ${last}`);
    return sums;
  };
  const sums = written([batch(3, 9), batch(5, 8), batch(4, 7)]);
  assert.deepEqual(sums.of("x"), { max: 5, min: 3 });
  assert.deepEqual(sums.of("y"), { last: 7 });
  assert.deepEqual([sums.note("x"), sums.note("y")], ["max 5", "last 7"]);
  assert.deepEqual(sums.of("z"), {});
});

Deno.test("filled has the members of the zeros", () => {
  assert.deepEqual(filled({ a: 0, b: 0 }, { b: 2, c: 3 }), { a: 0, b: 2 });
});

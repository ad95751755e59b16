import assert from "node:assert/strict";
import { failuresOf } from "../../../src/compressors/json/failure.ts";
import { gridOf } from "../../../src/compressors/json/columns.ts";
import { hitsOfQuery } from "../../../src/compressors/json/query.ts";
import { sampleRows } from "../../../src/compressors/json/sample.ts";
import { childrenOf } from "../../../src/compressors/json/tape.ts";
import { tapeOfValue } from "./tapes.ts";

function kept(
  values: readonly unknown[],
  query = "",
  asTable = true,
): number[] {
  const tape = tapeOfValue(values);
  const rows = childrenOf(tape, 1);
  const grid = gridOf(tape, rows);
  const { keep } = sampleRows(tape, rows, {
    grid,
    asTable: asTable && grid !== undefined,
    failures: failuresOf(tape),
    hits: hitsOfQuery(tape, query),
  });
  return [...keep.keys()].filter((i) => keep[i] === 1);
}

const ENDS = [0, 1, 2, 3, 4, 98, 99];
const row = (i: number): Record<string, unknown> => ({
  id: i,
  state: "open",
  size: i * 31 % 17,
  text: `entry number ${i} of the list with some text in it`,
});
const list = (at: number, change: object) =>
  Array.from(
    { length: 100 },
    (_, i) => i === at ? { ...row(i), ...change } : row(i),
  );

Deno.test("sampleRows keeps both ends", () => {
  assert.deepEqual(kept(list(-1, {})), ENDS);
});

Deno.test("sampleRows keeps a row that stands out, wherever it is", () => {
  const changes = {
    "error word": { text: "Error: broken pipe" },
    "failed flag": { ok: false },
    "outlier": { size: 4_000 },
    "rare value": { state: "merged" },
    "unusual text": { text: "maintenance window announced" },
    "unusual member": { retired: true },
    "other type": { size: null },
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const at of [7, 50, 93]) {
      assert.ok(kept(list(at, change)).includes(at), `${name} at ${at}`);
    }
  }
});

Deno.test("sampleRows keeps every failure", () => {
  const values = Array.from(
    { length: 100 },
    (_, i) => i % 3 === 0 ? { ...row(i), text: `failed ${i}` } : row(i),
  );
  const rows = new Set(kept(values));
  for (let i = 0; i < 100; i += 3) assert.ok(rows.has(i), `${i}`);
});

Deno.test("sampleRows keeps no row for a failure that the first line of a table shows", () => {
  const shared = list(-1, {}).map((one) => ({ ...one, topic: "error report" }));
  assert.deepEqual(kept(shared), ENDS);
  const linked = list(-1, {}).map((one, i) => ({
    ...one,
    link: `/docs/errors/${i}x`,
  }));
  assert.deepEqual(kept(linked), ENDS);
});

Deno.test("sampleRows keeps the failures of all rows where no table shows them", () => {
  const shared = list(-1, {}).map((one) => ({ ...one, topic: "error report" }));
  assert.equal(kept(shared, "", false).length, 100);
});

Deno.test("sampleRows keeps a failure between shared ends of a column that has one there", () => {
  const linked = list(-1, {}).map((one, i) => ({
    ...one,
    link: `/docs/errors/${i === 40 ? "panic" : `${i}x`}`,
  }));
  assert.deepEqual(kept(linked), [...ENDS, 40].sort((a, b) => a - b));
});

Deno.test("sampleRows keeps a row for a failure that another column shares", () => {
  const values = list(40, { text: "error" }).map((one) => ({
    ...one,
    topic: "error",
  }));
  assert.ok(kept(values).includes(40));
});

Deno.test("sampleRows keeps what the query asks for", () => {
  assert.ok(kept(list(61, {}), "what is entry 61x").length === ENDS.length);
  const values = list(61, {
    text: "entry number 61 of the list with zeppelin in it",
  });
  assert.ok(kept(values, "find the zeppelin").includes(61));
});

Deno.test("sampleRows works on strings, numbers, lists and mixed items", () => {
  const times = <T>(make: (i: number) => T) =>
    Array.from({ length: 100 }, (_, i) => make(i));
  assert.ok(kept(times((i) => i === 50 ? 9_999 : i % 7)).includes(50));
  assert.ok(
    kept(
      times((i) =>
        i === 50
          ? "build failed here and nowhere else, in this very long line"
          : `src/components/file_${i}/index.ts and more of the name`
      ),
    )
      .includes(50),
  );
  assert.ok(
    kept(
      times((
        i,
      ) => [
        i,
        i === 50 ? 9_999 : i % 7,
        "a text that makes the row longer than a note",
      ]),
    ).includes(50),
  );
  assert.ok(
    kept(times((i) => i === 50 ? { a: "error" } : i % 2 ? i : `s${i}`))
      .includes(50),
  );
});

Deno.test("sampleRows leaves no gap that is shorter than a note", () => {
  assert.deepEqual(kept(Array.from({ length: 20 }, (_, i) => i)).length, 20);
});

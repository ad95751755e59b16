import assert from "node:assert/strict";
import { type List, listOf } from "../../../src/compressors/json/list.ts";
import { reformat, Tables } from "../../../src/compressors/json/reformat.ts";
import { signalsOf } from "../../../src/compressors/json/sample.ts";
import { hexOf, integrityOf } from "./digest_text.ts";
import { tapeOfValue } from "./tapes.ts";

function listIn(value: unknown, { brief = false, inLine = false } = {}): List {
  const tape = tapeOfValue(value);
  const tables = new Tables(tape);
  reformat(tape, { tables });
  const signals = signalsOf(tape, "");
  const detail = { brief, depth: Infinity };
  return listOf(tape, 1, { tables, detail, signals, inLine });
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

Deno.test("listOf samples long lists but keeps every package of a lock file", () => {
  const row = (i: number) => ({
    version: `1.${i}.0`,
    integrity: integrityOf(i),
  });
  const lock = listIn(
    Object.fromEntries(times(90, (i) => [`node_modules/p${i}`, row(i)])),
  );
  assert.equal(lock.sample, undefined);
  assert.match(lock.table!.note, /^… omitted: integrity/);
  const keyed = listIn(
    Object.fromEntries(
      times(90, (i) => [`p${i}@1.${i}.0`, { sha256: hexOf(i), n: i }]),
    ),
  );
  assert.equal(keyed.sample, undefined);
  const files = listIn(times(90, (i) => ({ path: `p${i}`, sum: hexOf(i) })));
  assert.ok(files.sample);
});

Deno.test("listOf makes a table that is short only without its digests", () => {
  const rows = times(3, (i) => ({ path: `p${i}`, sum: hexOf(i) }));
  assert.ok(listIn(rows).table);
  assert.equal(listIn(rows, { inLine: true }).table, undefined);
  const plain = times(3, (i) => ({ a: i }));
  assert.equal(listIn(plain).table, undefined);
});

Deno.test("listOf covers the digests of a list that is no table", () => {
  const { table, cover } = listIn(times(6, hexOf).concat("end"));
  assert.equal(table, undefined);
  assert.equal(cover.covered.length, 6);
});

Deno.test("listOf shows the first rows whole when others are brief", () => {
  const rows = times(
    8,
    (i) => ({ name: `name ${i}`, parts: times(20, (k) => `part ${i} ${k}`) }),
  );
  assert.deepEqual([...listIn(rows, { brief: true }).whole!], [0, 1]);
  assert.equal(listIn(rows).whole, undefined);
});

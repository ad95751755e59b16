import assert from "node:assert/strict";
import { FieldStore } from "../../../src/text/signs/field_store.ts";

Deno.test("FieldStore gives the same field for the same hash, and none when there are too many", () => {
  const store = new FieldStore();
  const fields = new Set<number>();
  for (let i = 0; i < 10_000; i++) {
    fields.add(store.fieldOf(Math.imul(i, 7919)));
  }
  assert.ok(fields.has(-1));
  assert.ok(fields.size <= 2049);
  assert.equal(store.fieldOf(0), store.fieldOf(0));
});

Deno.test("FieldStore gives a rare value between usual ones, not a change that lasts", () => {
  const valuesOf = (value: (line: number) => number) => {
    const store = new FieldStore();
    const field = store.fieldOf(1);
    for (let line = 0; line < 100; line++) {
      store.count(field, value(line), line);
    }
    return store.unusual().map(({ line }) => line);
  };
  assert.deepEqual(valuesOf((line) => line === 40 ? 2 : 1), [40]);
  assert.deepEqual(valuesOf((line) => line > 97 ? 2 : 1), []);
  assert.deepEqual(valuesOf((line) => line % 10), []);
  assert.deepEqual(valuesOf((line) => line % 9 === 4 ? 2 : 1), []);
});

Deno.test("FieldStore gives extreme numbers, and none of a field that has mostly other values", () => {
  const store = new FieldStore();
  const times = store.fieldOf(1);
  const ids = store.fieldOf(2);
  for (let line = 0; line < 1000; line++) {
    const value = line === 500 ? 48210 : 40 + (line * 7919) % 160;
    store.count(times, value, line);
    store.measure(times, value, line);
    store.count(ids, line, line);
    if (line % 10 === 0) store.measure(ids, value, line);
  }
  assert.deepEqual(store.unusual().map(({ line }) => line), [500]);
});

import assert from "node:assert/strict";
import { profilesOf } from "../../../src/compressors/table/profile.ts";
import { standoutRows } from "../../../src/compressors/table/standout.ts";
import { tableOf } from "./samples.ts";

function standout(values: readonly (number | string)[]): number[] {
  const rows = values.map((value, i) => `r${i},${value},x`);
  const table = tableOf(["name,value,kind", ...rows].join("\n"));
  return [...new Set(standoutRows(profilesOf(table)))].sort((a, b) => a - b);
}

const CALM = Array.from({ length: 80 }, (_, i) => 20 + (i * 7) % 5);

Deno.test("standoutRows finds the extremes and outliers of a column of numbers", () => {
  const values: number[] = CALM.slice();
  values[33] = 900;
  values[50] = -7;
  const rows = standout(values);
  assert.ok(rows.includes(34) && rows.includes(51), `${rows}`);
});

Deno.test("standoutRows finds where a level changes, also beside an outlier", () => {
  const values: number[] = CALM.map((value, i) => i < 40 ? value : value + 60);
  assert.ok(standout(values).includes(41));
  values[10] = 9000;
  assert.ok(standout(values).includes(41));
});

Deno.test("standoutRows finds rare values among frequent ones, none where all are rare", () => {
  const states = CALM.map((_, i) => i === 23 ? "odd" : i % 2 ? "on" : "off");
  assert.deepEqual(standout(states), [24]);
  assert.deepEqual(standout(CALM.map(() => "same")), []);
});

import assert from "node:assert/strict";
import {
  formOf,
  readStat,
  readTree,
} from "../../../src/compressors/paths/forms.ts";
import { plainLine } from "../../../src/compressors/paths/parse.ts";
import { inputOf } from "../goldens.ts";

Deno.test("readTree gives whole paths and prints what was there", () => {
  for (
    const [name, read] of [
      ["tree_two", readTree],
      ["tree_cut", readTree],
    ] as const
  ) {
    const lines = inputOf(`paths/${name}`).trimEnd().split("\n");
    const { rows, form } = read(lines)!;
    assert.ok(rows.some((row) => /^\w+\/.*\/\w/.test(plainLine(row))), name);
    assert.deepEqual(form.print(rows), lines);
  }
});

Deno.test("formOf prints the rows of a list by what its heading says alone", () => {
  for (
    const [name, read] of [
      ["tree_two", readTree],
      ["tree_cut", readTree],
      ["diff_stat", readStat],
    ] as const
  ) {
    const lines = inputOf(`paths/${name}`).trimEnd().split("\n");
    const { rows, form } = read(lines)!;
    assert.deepEqual(formOf(form.label).print(rows), lines, name);
  }
});

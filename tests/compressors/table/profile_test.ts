import assert from "node:assert/strict";
import { endRows, profilesOf } from "../../../src/compressors/table/profile.ts";
import { tableOf } from "./samples.ts";

/** The profile of the second of two columns. */
function profileOf(values: readonly string[], name = "value") {
  const rows = values.map((value, i) => `${"xyz"[i % 3]}${i},${value}`);
  const table = tableOf(
    [`key,${name},z`, ...rows.map((row) => `${row},a`)].join("\n"),
  );
  return profilesOf(table)[1]!;
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

Deno.test("profilesOf reads numbers, quoted ones and those with units", () => {
  const cells = ["-12", "1.5", '"7"', "85%", "4.0K", "23Gi", "41ms", "12d"];
  const { numbers } = profileOf([...cells, "3"]);
  assert.deepEqual([...numbers!].slice(1), [
    -12,
    1.5,
    7,
    85,
    4096,
    23 * 2 ** 30,
    41,
    12 * 86_400_000,
    3,
  ]);
});

Deno.test("profilesOf takes words, ids and what only rises for no measure", () => {
  assert.equal(profileOf(range(9).map((i) => `a${i}`)).numbers, undefined);
  assert.equal(profileOf(range(9).map(String)).numbers, undefined);
  const falling = range(9).map((i) => `${9 - i}`);
  assert.ok(profileOf(falling).numbers !== undefined);
  assert.equal(profileOf(falling, "user_id").numbers, undefined);
  assert.equal(profileOf(falling, "PID").numbers, undefined);
});

Deno.test("endRows gives the rows of the least and the largest number", () => {
  const profile = profileOf(["5", "2", "9", "4", "2", "9"]);
  assert.deepEqual(endRows(profile), [2, 3]);
  assert.deepEqual(endRows(profileOf(["5", "5", "5", "5"])), []);
  assert.deepEqual(endRows(profileOf(["a", "b", "c", "d"])), []);
});

Deno.test("profilesOf gives the first row of values that few rows have", () => {
  const values = range(60).map((i) => i === 31 ? "lost" : `s${i % 2}`);
  assert.deepEqual(profileOf(values).rare, [32]);
  assert.deepEqual(profileOf(range(60).map((i) => `s${i % 7}`)).rare, []);
});

Deno.test("profilesOf gives the rows of a column of numbers that have none", () => {
  const values = range(60).map((i) => i === 31 ? "NaN" : `${(i * 37) % 50}`);
  assert.deepEqual(profileOf(values).rare, [32]);
});

Deno.test("profilesOf finds all rows of a value that few have, and the first of one that more have", () => {
  const modes: string[] = range(1_000)
    .map((i) => i % 3 === 0 ? "lrwx" : "-rwx");
  const few = [90, 311, 402, 640, 888];
  for (const row of few) modes[row] = "-rws";
  for (let row = 7; row < 1_000; row += 60) modes[row] = "drwx";
  const { rare } = profileOf(modes, "mode");
  for (const row of few) assert.ok(rare.includes(row + 1), `row ${row}`);
  assert.deepEqual(rare.filter((row) => modes[row - 1] === "drwx"), [8]);
});

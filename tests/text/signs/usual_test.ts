import assert from "node:assert/strict";
import { Usual } from "../../../src/text/signs/usual.ts";

function settled(values: readonly (number | undefined)[]): number[] {
  const usual = new Usual();
  values.forEach((value, line) => {
    if (value === undefined) usual.count(1);
    else usual.fail({ kind: 1, line }, value, 1);
  });
  const flags = new Uint8Array(values.length);
  usual.settle(flags);
  return [...flags.keys()].filter((line) => flags[line] === 1);
}

Deno.test("Usual keeps each failing value that is not the usual one", () => {
  const values = Array.from({ length: 30 }, (_, i) => i % 3 ? undefined : 5);
  assert.equal(settled(values).length, 10);
  assert.deepEqual(settled(Array(9).fill(5)).length, 9);
});

Deno.test("Usual keeps the first two and the last of a value that is usual", () => {
  assert.deepEqual(settled(Array(40).fill(5)), [0, 1, 39]);
  const mixed = Array.from({ length: 40 }, (_, i) => i === 20 ? 6 : 5);
  assert.deepEqual(settled(mixed), [0, 1, 20, 39]);
});

Deno.test("Usual keeps a failing value that only some lines have, though their key has no other", () => {
  const values = Array.from({ length: 60 }, (_, i) => i % 3 ? 5 : 0);
  const usual = new Usual();
  values.forEach((value, line) => {
    if (value !== 0) usual.fail({ kind: 1, line }, value, 1);
  });
  const flags = new Uint8Array(values.length);
  usual.settle(flags);
  assert.equal(flags.filter((flag) => flag === 1).length, 40);
});

Deno.test("Usual loses no line where the values are too many to tell apart", () => {
  const values = Array.from({ length: 6000 }, (_, i) => i);
  assert.equal(
    settled([...values, ...Array(6000).fill(undefined)]).length,
    6000,
  );
});

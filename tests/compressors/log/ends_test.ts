import assert from "node:assert/strict";
import { endsOfGroups } from "../../../src/compressors/log/ends.ts";

const wanted = [0, 2, 3, 5, 8, 9, 11];
const keys = Int32Array.of(1, 1, 2, 1, 1, 2, 1);

Deno.test("endsOfGroups takes the first and the last of each group", () => {
  assert.deepEqual(endsOfGroups(wanted, keys, { first: 1, last: 1 }), [
    ...[0, 11],
    ...[3, 9],
  ]);
  assert.deepEqual(endsOfGroups(wanted, keys, { first: 2, last: 1 }), [
    ...[0, 2, 11],
    ...[3, 9],
  ]);
});

Deno.test("endsOfGroups gives nothing of groups beyond the limit", () => {
  const ends = { first: 1, last: 1, maxGroups: 1 };
  assert.deepEqual(endsOfGroups(wanted, keys, ends), [0, 11]);
  assert.deepEqual(endsOfGroups([], new Int32Array(0), ends), []);
});

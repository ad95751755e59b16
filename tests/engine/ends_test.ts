import assert from "node:assert/strict";
import { endsOfGroups } from "../../src/engine/ends.ts";

Deno.test("endsOfGroups takes the first and last few of each group, in order", () => {
  const wanted = [3, 5, 6, 8, 9, 12, 20];
  const keys = Int32Array.of(1, 2, 1, 1, 1, 2, 1);
  assert.deepEqual(
    endsOfGroups(wanted, keys, { first: 1, last: 1 }).toSorted((a, b) => a - b),
    [3, 5, 12, 20],
  );
  assert.deepEqual(
    endsOfGroups(wanted, keys, { first: 2, last: 1 }).toSorted((a, b) => a - b),
    [3, 5, 6, 12, 20],
  );
});

Deno.test("endsOfGroups takes nothing of groups beyond the most", () => {
  const keys = Int32Array.of(1, 2, 3);
  assert.deepEqual(
    endsOfGroups([0, 1, 2], keys, { first: 1, last: 1, maxGroups: 2 }),
    [0, 1],
  );
  assert.deepEqual(endsOfGroups([], keys, { first: 1, last: 1 }), []);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { concat } from "../../src/bytes/concat.ts";

Deno.test("concat gives the bytes of all parts in order", () => {
  fc.assert(fc.property(fc.array(fc.uint8Array()), (parts) => {
    assert.deepEqual([...concat(parts)], parts.flatMap((part) => [...part]));
  }));
});

Deno.test("concat gives an empty array for no parts", () => {
  assert.deepEqual(concat([]), new Uint8Array(0));
});

Deno.test("concat gives a single part back without a copy", () => {
  const part = new Uint8Array([1, 2]);
  assert.equal(concat([part]), part);
});

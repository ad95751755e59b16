import assert from "node:assert/strict";
import { parseHeaderList } from "../../src/settings/header_list.ts";

Deno.test("names and values are read in order, values percent-decoded", () => {
  assert.deepEqual(parseHeaderList("X", " a=1, b=x%20y ,c=a=b,"), [
    ["a", "1"],
    ["b", "x y"],
    ["c", "a=b"],
  ]);
  assert.deepEqual(parseHeaderList("X", ""), []);
});

Deno.test("a value that is no percent-encoding stays as it is", () => {
  assert.deepEqual(parseHeaderList("X", "a=100%"), [["a", "100%"]]);
});

Deno.test("a part without a name is refused, and no value is repeated", () => {
  for (const raw of ["sesame", "=sesame", "a=1,sesame"]) {
    assert.throws(
      () => parseHeaderList("X", raw),
      (error: RangeError) =>
        error.message === 'Cannot use X="***": must be name=value,name=value',
    );
  }
});

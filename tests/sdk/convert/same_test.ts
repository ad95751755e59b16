import assert from "node:assert/strict";
import fc from "fast-check";
import { isSame } from "../../../src/sdk/convert/same.ts";

Deno.test("isSame holds for every JSON value and its copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = structuredClone(value);
      assert(isSame(value, copy));
      assert(!isSame([value], [copy, 1]));
      assert(!isSame({ value }, { value, more: undefined }));
    }),
  );
});

Deno.test("isSame tells what JSON or its bytes would tell apart", () => {
  for (
    const [a, b] of [
      [0, -0],
      [[], {}],
      [null, {}],
      [undefined, null],
      [{ a: 1, b: 2 }, { b: 2, a: 1 }],
      [{ a: 1 }, { a: 1, [Symbol("s")]: 1 }],
      [new Date(0), new Date(0)],
      [new Uint8Array(1), new Uint8Array(1)],
    ]
  ) assert(!isSame(a, b), `${JSON.stringify([a, b])}`);
  const bytes = new Uint8Array(1);
  assert(isSame({ bytes }, { bytes }));
});

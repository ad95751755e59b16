import assert from "node:assert/strict";
import fc from "fast-check";
import { partsOf } from "../../../src/compressors/paths/parts.ts";
import { rowsOf } from "./samples.ts";

Deno.test("partsOf covers all rows in their order, a directory before its entries", () => {
  const path = fc.constantFrom(
    ..."src src/a.ts src/b.ts src/net src/net/x.ts src/net/y.md lib/z.c lib/ lib/q README.md"
      .split(" "),
  );
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 30 }), (paths) => {
      const rows = rowsOf(paths.join("\n"));
      let next = 0;
      for (const part of partsOf(rows, [0, paths.length], 0)) {
        assert.equal(part.from - (part.self ? 1 : 0), next);
        assert.ok(part.to > part.from);
        next = part.to;
      }
      assert.equal(next, paths.length);
    }),
  );
});

Deno.test("partsOf finds the directory that a shared line starts with", () => {
  const paths = [..."abcd"].map((name) => `pkg/${name}/package.json`);
  const rows = rowsOf(paths.join("\n"));
  assert.deepEqual(partsOf(rows, [0, 4], 0), [
    { from: 0, to: 4, head: "pkg/".length, self: false, hoist: true },
  ]);
});

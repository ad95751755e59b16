import assert from "node:assert/strict";
import { PART_NAMES, partNamed } from "../../src/compute/parts.ts";

Deno.test({
  name: "partNamed loads every part without a permission",
  permissions: "none",
  async fn() {
    assert.equal(PART_NAMES.length, 2);
    for (const name of PART_NAMES) {
      const part = await partNamed(name) as Record<string, unknown>;
      const lengths = Object.values(part).map((text) => String(text).length);
      assert(Math.max(...lengths) > 10_000, name);
    }
  },
});

Deno.test("partNamed refuses any other name", async () => {
  for (const name of ["", "toString", "../main.ts"]) {
    await assert.rejects(
      partNamed(name),
      /^Error: Cannot load .*: no such part/,
    );
  }
});

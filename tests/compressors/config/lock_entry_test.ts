import assert from "node:assert/strict";
import { newEntry } from "../../../src/compressors/config/lock_entry.ts";

Deno.test("newEntry knows a name and one line", () => {
  const entry = newEntry("a 1.0", "a", 7);
  assert.equal(entry.said, "a 1.0");
  assert.deepEqual([entry.from, entry.to], [7, 8]);
  assert.deepEqual([entry.source, entry.needs, entry.remarks], ["", [], []]);
});

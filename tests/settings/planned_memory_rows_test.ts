import assert from "node:assert/strict";
import { PLANNED_MEMORY_ROWS } from "../../src/settings/planned_memory_rows.ts";
import type { SettingRow } from "../../src/settings/row.ts";

Deno.test("PLANNED_MEMORY_ROWS are under one heading, and none is in this version", () => {
  const rows: readonly SettingRow<unknown>[] = Object.values(
    PLANNED_MEMORY_ROWS,
  );
  assert.equal(rows.length, 7);
  for (const { group, available } of rows) {
    assert.deepEqual([group, available], ["Memory", false]);
  }
});

import assert from "node:assert/strict";
import { PLANNED_ROWS } from "../../src/settings/planned_rows.ts";
import { ROWS } from "../../src/settings/registry.ts";
import type { SettingRow } from "../../src/settings/row.ts";

const planned: readonly SettingRow<unknown>[] = Object.values(PLANNED_ROWS);

Deno.test("PLANNED_ROWS are exactly the rows that this version does not have", () => {
  assert.deepEqual(
    ROWS.filter(({ available }) => available === false),
    planned,
  );
  assert.ok(planned.every(({ available }) => available === false));
});

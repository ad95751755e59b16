import assert from "node:assert/strict";
import { PLANNED_FLAGS } from "../../src/settings/planned_flags.ts";
import { ROWS } from "../../src/settings/registry.ts";

Deno.test("PLANNED_FLAGS are flags of no row", () => {
  const flags = ROWS.flatMap(({ flag, flagAliases = [] }) => [
    flag,
    ...flagAliases,
  ]);
  for (const { flag } of PLANNED_FLAGS) assert.ok(!flags.includes(flag), flag);
});

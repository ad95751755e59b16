import assert from "node:assert/strict";
import { PLANNED_FLAGS, PLANNED_ROWS } from "../../src/settings/planned.ts";
import { SETTINGS } from "../../src/settings/registry.ts";

Deno.test("PLANNED_ROWS are 29 settings that this version does not have", () => {
  assert.equal(PLANNED_ROWS.length, 29);
  for (const row of PLANNED_ROWS) {
    assert.equal(row.available, false, row.env);
    assert.ok(row.group, row.env);
  }
});

Deno.test("PLANNED_ROWS have flags of their own, or none", () => {
  const flags = PLANNED_ROWS.map(({ env, flag, placeholder }) =>
    [env, flag, placeholder].filter(Boolean).join(" ")
  );
  for (
    const line of [
      "SVC_MEMORY_TOP_K memory-top-k <number>",
      "SVC_NO_MEMORY_TOOLS no-memory-tools",
      "SVC_BACKEND backend <name>",
    ]
  ) assert.ok(flags.includes(line), line);
});

Deno.test("PLANNED_ROWS take no other text for their default", () => {
  const row = (env: string) => PLANNED_ROWS.find((one) => one.env === env)!;
  assert.equal(row("SVC_MEMORY_TOP_K").parse("10"), 10);
  assert.throws(() => row("SVC_MEMORY_TOP_K").parse("1e1"), RangeError);
  assert.equal(row("SVC_DISABLE_KOMPRESS_OPENAI").fallback, undefined);
});

Deno.test("PLANNED_FLAGS are flags of no row", () => {
  const flags = [...Object.values(SETTINGS), ...PLANNED_ROWS]
    .flatMap(({ flag, flagAliases = [] }) => [flag, ...flagAliases]);
  assert.equal(PLANNED_FLAGS.length, 19);
  for (const { flag } of PLANNED_FLAGS) assert.ok(!flags.includes(flag), flag);
});

import assert from "node:assert/strict";
import { COMPRESSION_ROWS } from "../../src/settings/compression_rows.ts";

Deno.test("COMPRESSION_ROWS turns code-aware compression off and on by flags of their own", () => {
  const { flag, flagAliases } = COMPRESSION_ROWS.codeAware;
  assert.deepEqual([flag, flagAliases], ["no-code-aware", ["code-aware"]]);
});

Deno.test("COMPRESSION_ROWS takes both modes, and refuses those of the library by name", () => {
  const { mode } = COMPRESSION_ROWS;
  for (const choice of mode.choices ?? []) mode.parse(choice);
  assert.throws(() => mode.parse("audit"), /audit is a mode of the library/);
});

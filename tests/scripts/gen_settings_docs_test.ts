import assert from "node:assert/strict";
import { settingsPage } from "../../scripts/gen_settings_docs.ts";
import { PATH_VARIABLES } from "../../src/settings/paths.ts";
import { SETTINGS } from "../../src/settings/registry.ts";
import type { SettingRow } from "../../src/settings/row.ts";

const ROWS: readonly SettingRow<unknown>[] = Object.values(SETTINGS);

Deno.test("settingsPage has exactly one row for each setting and each path, with its flag", () => {
  const lines = settingsPage().split("\n");
  const here = ROWS.filter(({ available }) => available !== false);
  for (const { env, flag } of here) {
    const found = lines.filter((line) => line.startsWith(`- \`${env}\``));
    assert.equal(found.length, 1, env);
    if (flag) assert.ok(found[0]!.includes(`\`--${flag}\``), env);
  }
  const last = lines.findLast((line) => line.startsWith("Only their defaults"));
  for (const { env } of ROWS.filter((row) => !here.includes(row))) {
    assert.ok(last?.includes(`\`${env}\``), env);
  }
  for (const { env } of PATH_VARIABLES) {
    assert.ok(lines.some((line) => line.startsWith(`- \`${env}\``)), env);
  }
  const rows = lines.filter((line) => line.startsWith("- `"));
  assert.equal(rows.length, here.length + PATH_VARIABLES.length);
});

Deno.test("docs/settings.md is what settingsPage gives: run scripts/gen_settings_docs.ts", async () => {
  const path = new URL("../../docs/settings.md", import.meta.url);
  assert.equal(await Deno.readTextFile(path), settingsPage());
});

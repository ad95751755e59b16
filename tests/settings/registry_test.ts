import assert from "node:assert/strict";
import { PATH_VARIABLES } from "../../src/settings/paths.ts";
import { SETTINGS } from "../../src/settings/registry.ts";
import type { SettingRow } from "../../src/settings/row.ts";

const rows: readonly SettingRow<unknown>[] = Object.values(SETTINGS);

Deno.test("SETTINGS has no variable and no flag twice", () => {
  const variables = rows.flatMap((row) => [row.env, ...row.aliases ?? []]);
  const flags = rows.flatMap((row) =>
    row.flag ? [row.flag, ...row.flagAliases ?? []] : []
  );
  assert.equal(new Set(variables).size, variables.length);
  assert.equal(new Set(flags).size, flags.length);
});

Deno.test("SETTINGS says of each row what it is in one sentence", () => {
  for (const row of rows) assert.match(row.doc, /^[^\n]{10,200}\.$/, row.env);
});

Deno.test("SETTINGS has defaults that their own text form gives again", () => {
  for (const row of rows) {
    if (row.env === "SVC_STRIP_INTERNAL_HEADERS") continue;
    assert.deepEqual(row.parse(String(row.fallback)), row.fallback, row.env);
  }
});

Deno.test("SETTINGS names variable and value in every refusal", () => {
  for (const row of rows) {
    assert.throws(
      () => row.parse("not / usable"),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.startsWith(`Cannot use ${row.env}="not / usable": must `),
      row.env,
    );
  }
});

Deno.test("SETTINGS.mode refuses the modes of the library and says why", () => {
  for (const word of ["audit", "optimize", "simulate"]) {
    assert.throws(() => SETTINGS.mode.parse(word), {
      message:
        `Cannot use SVC_MODE="${word}": must be cache or token; ${word} is a mode of the library, not of the proxy`,
    });
  }
});

Deno.test("SETTINGS.host takes an IPv6 address with and without brackets", () => {
  assert.equal(SETTINGS.host.parse("[::1]"), "::1");
  assert.equal(SETTINGS.host.parse("::1"), "::1");
});

Deno.test("SETTINGS.host refuses what is neither a name nor an address", () => {
  for (const raw of ["bad..host", ".a", "a b", "-a", "300.1.1.1", "a/b"]) {
    assert.throws(() => SETTINGS.host.parse(raw), RangeError, raw);
  }
});

Deno.test("README.md has a row with variable, flag and default of each setting", async () => {
  const readme = await Deno.readTextFile(
    new URL("../../README.md", import.meta.url),
  );
  for (const row of rows) {
    const line = readme.split("\n").find((line) =>
      line.startsWith(`| \`${row.env}\``)
    );
    assert.ok(line, `README.md has no row for ${row.env}`);
    if (row.flag) assert.ok(line.includes(`\`--${row.flag}`), line);
    for (const alias of row.aliases ?? []) {
      assert.ok(line.includes(alias), line);
    }
    if (Array.isArray(row.fallback)) assert.match(line, /\| none +\|/);
    else if (typeof row.fallback !== "boolean") {
      assert.ok(line.includes(`\`${row.fallback}\``), line);
    }
  }
  for (const { env, fallback } of PATH_VARIABLES) {
    assert.ok(readme.includes(`| \`${env}\``), env);
    assert.ok(readme.includes(`\`${fallback}\``), fallback);
  }
});

import assert from "node:assert/strict";
import { checkCodex } from "../../../src/cli/doctor/codex_check.ts";
import { foundIn, type WorldParts } from "./world.ts";

const FILE = "/home/a/.codex/config.toml";
const HERE = "http://127.0.0.1:8787/v1";
const check = async (parts: WorldParts) =>
  await checkCodex(await foundIn(parts));
const withText = (text: string) => check({ texts: { [FILE]: text } });

Deno.test("checkCodex passes for the provider in use, its own or the default one", async () => {
  const own = await withText(
    `model_provider = "svc"\n[model_providers.svc]\nbase_url = "${HERE}"\n`,
  );
  assert.equal(own.status, "pass");
  assert.match(own.summary, /base_url of the provider "svc" in \/home/);
  const key = await withText(`openai_base_url = "${HERE}"\n`);
  assert.equal(key.status, "pass");
  const profile = await withText(
    `profile = "work"\n[profiles.work]\nmodel_provider = "p"\n[model_providers.p]\nbase_url = "${HERE}"\n`,
  );
  assert.equal(profile.status, "pass");
});

Deno.test("checkCodex takes the shell only where the file says nothing", async () => {
  const env = { OPENAI_BASE_URL: HERE };
  const shell = await check({ texts: { [FILE]: "" }, env });
  assert.match(shell.summary, /^OPENAI_BASE_URL in the shell points/);
  const other = `model_provider = "x"\n[model_providers.x]\nname = "x"\n`;
  const none = await check({ texts: { [FILE]: other }, env });
  assert.equal(none.status, "warn");
  assert.match(none.summary, /provider "x", which has no base_url/);
});

Deno.test("checkCodex warns where nothing is set, and takes CODEX_HOME", async () => {
  const nothing = await withText("");
  assert.equal(nothing.status, "warn");
  assert.match(nothing.hint ?? "", /openai_base_url = "http:.*:8787\/v1"/);
  const moved = await check({
    texts: { "/codex/config.toml": `openai_base_url = "${HERE}"` },
    env: { CODEX_HOME: "/codex" },
  });
  assert.equal(moved.status, "pass");
});

Deno.test("checkCodex skips a machine without it, and warns of a file that it cannot read", async () => {
  assert.equal((await check({})).status, "skip");
  assert.match((await withText("a = ")).summary, /cannot read .*TOML/);
});

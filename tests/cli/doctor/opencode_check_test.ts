import assert from "node:assert/strict";
import { checkOpencode } from "../../../src/cli/doctor/opencode_check.ts";
import { foundIn, type WorldParts } from "./world.ts";

const FILE = "/home/a/.config/opencode/opencode.json";
const provider = (baseURL: string, name = "anthropic") =>
  JSON.stringify({ provider: { [name]: { options: { baseURL } } } });
const check = async (parts: WorldParts) =>
  await checkOpencode(await foundIn(parts));

Deno.test("checkOpencode passes when a provider leads to the proxy, of the user or of this directory", async () => {
  const here = provider("http://127.0.0.1:8787/v1");
  const user = await check({ texts: { [FILE]: here } });
  assert.equal(user.status, "pass");
  assert.match(
    user.summary,
    /^the provider "anthropic" in .* points to the proxy/,
  );
  const project = await check({
    texts: { [FILE]: "{}", "/project/opencode.json": here },
  });
  assert.equal(project.status, "pass");
  const named = await check({
    texts: { "/my.json": here },
    env: { OPENCODE_CONFIG: "/my.json" },
  });
  assert.equal(named.status, "pass");
});

Deno.test("checkOpencode warns where no provider leads there, and fails without /v1", async () => {
  assert.equal((await check({ texts: { [FILE]: "{}" } })).status, "warn");
  const past = await check({
    texts: { [FILE]: provider("https://x.example") },
  });
  assert.equal(past.status, "warn");
  const bare = provider("http://127.0.0.1:8787");
  const { status, summary } = await check({ texts: { [FILE]: bare } });
  assert.equal(status, "fail");
  assert.match(summary, /has no \/v1/);
});

Deno.test("checkOpencode skips a machine without it, and warns of a file that it cannot read", async () => {
  assert.equal((await check({})).status, "skip");
  assert.equal((await check({ texts: { [FILE]: "{" } })).status, "warn");
});

import assert from "node:assert/strict";
import { gather } from "../../../src/cli/doctor/found.ts";
import { stillRouted } from "../../../src/cli/uninstall/still_routed.ts";
import { type Home, inHome, world } from "./home.ts";

async function routed(
  home: Home,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const io = home.io({ env: { HOME: home.path, ...env } });
  const found = await gather({ io, machine: world().machine });
  try {
    return await stillRouted(found);
  } finally {
    found.close();
  }
}

Deno.test("stillRouted names files and variables that lead to the proxy, each once", async () => {
  await inHome(async (home) => {
    const base = "http://127.0.0.1:8787";
    const provider = { options: { baseURL: `${base}/v1` } };
    await home.write({
      ".claude/settings.json": JSON.stringify({ env: {} }),
      ".codex/config.toml": `openai_base_url = "${base}/v1"\n`,
      ".config/opencode/opencode.json": JSON.stringify({
        provider: { a: provider },
      }),
    });
    const all = await routed(home, { ANTHROPIC_BASE_URL: base });
    assert.equal(all.length, 3);
    assert.match(all[0]!, /^ANTHROPIC_BASE_URL in the shell$/);
    assert.match(all[1]!, /^openai_base_url in .*config\.toml$/);
    assert.match(all[2]!, /^the provider "a" in .*opencode\.json$/);
  });
});

Deno.test("stillRouted names nothing that leads elsewhere", async () => {
  await inHome(async (home) => {
    const ANTHROPIC_BASE_URL = "http://127.0.0.1:9999";
    assert.deepEqual(await routed(home, { ANTHROPIC_BASE_URL }), []);
    assert.deepEqual(await routed(home), []);
  });
});

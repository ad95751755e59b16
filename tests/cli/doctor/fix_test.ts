import assert from "node:assert/strict";
import { runDoctor } from "../../../src/cli/doctor/doctor.ts";
import { HEALTH, worldOf } from "./world.ts";

const CODEX = "/home/a/.codex/config.toml";
const OPENCODE = "/home/a/.config/opencode/opencode.json";
const answers = { "/health": HEALTH, "/stats": {} };

Deno.test("fixAgents points agents without a base URL to the proxy, and leaves those that have one", async () => {
  const own =
    'model_provider = "x"\n[model_providers.x]\nbase_url = "https://x.example"\n';
  const { io, machine } = worldOf({
    answers,
    texts: { [CODEX]: own, [OPENCODE]: "{}" },
  });
  await runDoctor({ json: true, fix: true, port: 9001 }, io, machine);
  assert.equal(await io.files.read(CODEX), own);
  assert.match(await io.files.read(OPENCODE) ?? "", /127\.0\.0\.1:9001\/v1/);
  const { checks } = JSON.parse(io.out());
  const status = (name: string) =>
    checks.find(({ id }: { id: string }) => id === name).status;
  assert.equal(status("opencode"), "pass");
  assert.equal(status("codex"), "warn");
  assert.match(io.err(), /OpenCode: .* leads to http/);
});

Deno.test("fixAgents changes nothing while no proxy answers, or nothing is to be fixed", async () => {
  const texts = { [CODEX]: "" };
  const down = worldOf({ texts });
  await runDoctor({ json: false, fix: true }, down.io, down.machine);
  assert.equal(await down.io.files.read(CODEX), "");
  assert.match(down.io.err(), /^Nothing was fixed: no proxy answers/);
  const none = worldOf({ answers });
  await runDoctor({ json: false, fix: true }, none.io, none.machine);
  assert.match(none.io.err(), /^There is nothing that --fix can fix/);
});

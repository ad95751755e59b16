import assert from "node:assert/strict";
import { checkDeployments } from "../../../src/cli/doctor/deployment_check.ts";
import { foundIn, HEALTH, type WorldParts } from "./world.ts";

const MANIFEST =
  '{"profile": "work", "platform": "linux", "scope": "user", "port": 9000}';
const INSTALLED = {
  "/home/a/.svc/edits/install-work.json": "{}",
  "/home/a/.svc/deploy/work/manifest.json": MANIFEST,
};

async function check(parts: WorldParts) {
  return await checkDeployments(await foundIn(parts));
}

Deno.test("checkDeployments skips where no service is installed", async () => {
  assert.equal((await check({})).status, "skip");
});

Deno.test("checkDeployments warns of a service that does not run, and passes for one that does", async () => {
  const idle = await check({ texts: INSTALLED });
  assert.equal(idle.status, "warn");
  assert.match(idle.summary, /work/);
  const running = await check({
    texts: INSTALLED,
    answers: {
      "/health": { ...HEALTH, deployment: { profile: "work" } },
      "/stats": {},
    },
  });
  assert.deepEqual([running.status, running.summary], [
    "pass",
    "running: work",
  ]);
});

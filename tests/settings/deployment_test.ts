import { unknownVariables } from "../../src/settings/nearest.ts";
import assert from "node:assert/strict";
import {
  DEPLOYMENT_VARIABLES,
  deploymentIn,
  deploymentVariables,
} from "../../src/settings/deployment.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const DEPLOYMENT = {
  profile: "work-2",
  preset: "persistent-service",
  runtime: "deno",
  supervisor: "systemd",
  scope: "user",
};

Deno.test("deploymentIn reads what deploymentVariables wrote, and no setting is unknown for it", () => {
  const env = deploymentVariables(DEPLOYMENT);
  assert.deepEqual(Object.keys(env), Object.values(DEPLOYMENT_VARIABLES));
  assert.deepEqual(deploymentIn(env), DEPLOYMENT);
  assert.deepEqual(unknownVariables(env), []);
  const config = resolveConfig({ env: { HOME: "/home/a", ...env } });
  assert.deepEqual(config.deployment, DEPLOYMENT);
});

Deno.test("deploymentIn finds none without a profile that can be a name", () => {
  for (
    const profile of ["", "a b", "$(id)", "-a", "Ä", "../a", "a".repeat(33)]
  ) {
    const env = deploymentVariables({ ...DEPLOYMENT, profile });
    assert.equal(deploymentIn(env), undefined, profile);
    const config = resolveConfig({ env: { HOME: "/home/a", ...env } });
    assert.equal("deployment" in config, false);
  }
});

import assert from "node:assert/strict";
import { featureStates } from "../../src/settings/feature_states.ts";
import { FEATURES } from "../../src/settings/rollout.ts";

const HOME = "/home/a";

const stateOf = (name: string, env: Record<string, string>, stored = {}) => {
  const found = featureStates({ env: { HOME, ...env }, stored })
    .features.find((one) => one.name === name);
  return `${found?.state}: ${found?.why}`;
};

Deno.test("featureStates lists every feature once", () => {
  const names = featureStates({ env: { HOME } })
    .features.map(({ name }) => name);
  assert.deepEqual(names, Object.keys(FEATURES).sort());
});

Deno.test("featureStates names the setting that decides, and where it was given", () => {
  const name = "intercept_tool_results";
  const canary = { SVC_ROLLOUT_CHANNEL: "canary" };
  const asked = { SVC_INTERCEPT_TOOL_RESULTS: "1" };
  const featured = { SVC_FEATURES: name };
  assert.equal(stateOf(name, {}), "off: default");
  assert.equal(stateOf("ccr", {}), "on: default");
  assert.equal(
    stateOf(name, asked),
    "off: SVC_INTERCEPT_TOOL_RESULTS (shell); needs SVC_ROLLOUT_CHANNEL=canary",
  );
  assert.equal(
    stateOf(name, canary, asked),
    "on: SVC_INTERCEPT_TOOL_RESULTS (file)",
  );
  assert.equal(
    stateOf(name, { ...canary, ...featured }),
    "on: SVC_FEATURES (shell)",
  );
  assert.equal(
    stateOf("ccr", { SVC_LOSSLESS: "1", SVC_NO_CCR: "0" }),
    "off: SVC_LOSSLESS (shell)",
  );
  assert.equal(
    stateOf("compression", { SVC_OPTIMIZE: "1" }),
    "on: SVC_OPTIMIZE (shell)",
  );
  assert.equal(stateOf("kompress", {}), "not in this version: -");
});

Deno.test("featureStates says of a disabled feature that it is off for that, whatever else asks for it", () => {
  const name = "intercept_tool_results";
  const everything = {
    SVC_ROLLOUT_CHANNEL: "dev",
    SVC_INTERCEPT_TOOL_RESULTS: "1",
    SVC_FEATURES: name,
    SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES: "1",
  };
  assert.equal(
    stateOf(name, { ...everything, SVC_DISABLE_FEATURES: name }),
    "off: SVC_DISABLE_FEATURES (shell)",
  );
});

Deno.test("featureStates repeats what the settings say of features in vain, and nothing else", () => {
  const { warnings } = featureStates({
    env: {
      HOME,
      SVC_FEATURES: "wat,intercept_tool_results",
      SVC_DISABLE_FEATURES: "nope",
      SVC_TLS_STRICT: "0",
    },
  });
  assert.deepEqual(warnings.map((text) => text.slice(0, 40)), [
    "SVC_FEATURES names wat, which is no feat",
    "Feature intercept_tool_results of SVC_FE",
    "SVC_DISABLE_FEATURES names nope, which i",
  ]);
});

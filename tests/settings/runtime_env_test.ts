import assert from "node:assert/strict";
import { RuntimeEnv } from "../../src/settings/runtime_env.ts";

const CONFIG = {
  output: { isShaped: false, level: 2, isTuned: false, holdout: 0.1 },
};

Deno.test("RuntimeEnv takes what the settings take, in front of the configuration", () => {
  const env = new RuntimeEnv();
  const { applied, refused } = env.apply({
    SVC_OUTPUT_SHAPER: "1",
    SVC_VERBOSITY_LEVEL: "4",
    SVC_OUTPUT_HOLDOUT: "0.5",
  });
  assert.deepEqual(Object.keys(applied), [
    "SVC_OUTPUT_SHAPER",
    "SVC_VERBOSITY_LEVEL",
    "SVC_OUTPUT_HOLDOUT",
  ]);
  assert.deepEqual(refused, {});
  assert.deepEqual(env.output(CONFIG), {
    isShaped: true,
    level: 4,
    isTuned: false,
    holdout: 0.5,
  });
  env.apply({ SVC_OUTPUT_SHAPER: "0" });
  assert.equal(env.output(CONFIG).isShaped, false);
});

Deno.test("RuntimeEnv refuses values that cannot be used and names of later versions, and ignores everything else", () => {
  const env = new RuntimeEnv();
  const { applied, refused } = env.apply({
    SVC_VERBOSITY_LEVEL: "5",
    SVC_OUTPUT_SHAPER: 1,
    SVC_EFFORT_ROUTER: "1",
    SVC_MECHANICAL_EFFORT: null,
    PATH: "/x",
  });
  assert.deepEqual(applied, {});
  assert.match(refused["SVC_VERBOSITY_LEVEL"] ?? "", /1 to 4/);
  assert.equal(refused["SVC_EFFORT_ROUTER"], "not in this version");
  assert.equal(Object.keys(refused).length, 2);
  assert.deepEqual(env.report(CONFIG), {
    SVC_OUTPUT_SHAPER: false,
    SVC_VERBOSITY_LEVEL: 2,
    SVC_VERBOSITY_AUTOTUNE: false,
    SVC_OUTPUT_HOLDOUT: 0.1,
    SVC_EFFORT_ROUTER: null,
    SVC_MECHANICAL_EFFORT: null,
    SVC_INTERCEPT_READ_MIN_CHARS: null,
  });
});

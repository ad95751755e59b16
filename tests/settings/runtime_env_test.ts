import assert from "node:assert/strict";
import { RuntimeEnv } from "../../src/settings/runtime_env.ts";

const CONFIG = {
  intercept: { isOn: false, readMinChars: 500 },
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

Deno.test("RuntimeEnv takes numbers and switches as their texts", () => {
  const env = new RuntimeEnv();
  const { applied, refused } = env.apply({
    SVC_OUTPUT_SHAPER: true,
    SVC_VERBOSITY_LEVEL: 3,
    SVC_VERBOSITY_AUTOTUNE: 1,
    SVC_OUTPUT_HOLDOUT: 0.25,
  });
  assert.deepEqual(applied, {
    SVC_OUTPUT_SHAPER: "true",
    SVC_VERBOSITY_LEVEL: "3",
    SVC_VERBOSITY_AUTOTUNE: "1",
    SVC_OUTPUT_HOLDOUT: "0.25",
  });
  assert.deepEqual(refused, {});
  assert.deepEqual(env.output(CONFIG), {
    isShaped: true,
    level: 3,
    isTuned: true,
    holdout: 0.25,
  });
});

Deno.test("RuntimeEnv names everything that it does not apply, with the reason", () => {
  const env = new RuntimeEnv();
  const { applied, refused, refusedSettings } = env.apply(JSON.parse(`{
    "SVC_VERBOSITY_LEVEL": "5",
    "SVC_OUTPUT_SHAPER": null,
    "SVC_OUTPUT_HOLDOUT": [0.5],
    "SVC_VERBOSITY_AUTOTUNE": 2,
    "SVC_EFFORT_ROUTER": "1",
    "SVC_MECHANICAL_EFFORT": null,
    "SVC_TPM": 5,
    "SVC_PORT": "1",
    "SVC_MODEL_ROUTES": "[]",
    "SVC_PROXY_URL": "http://127.0.0.1:1",
    "verbosity_level": 3,
    "PATH": "/x",
    "toString": "1",
    "__proto__": "1"
  }`));
  assert.deepEqual(applied, {});
  const kind = "must be a text, a number, true or false";
  const elsewhere = (key: string) =>
    `cannot be changed here; use \`svc config set ${key}\` or POST /settings`;
  assert.deepEqual(Object.entries(refused), [
    [
      "SVC_VERBOSITY_LEVEL",
      'Cannot use SVC_VERBOSITY_LEVEL="5": must be an integer from 1 to 4',
    ],
    ["SVC_OUTPUT_SHAPER", `Cannot use SVC_OUTPUT_SHAPER: ${kind}`],
    ["SVC_OUTPUT_HOLDOUT", `Cannot use SVC_OUTPUT_HOLDOUT: ${kind}`],
    [
      "SVC_VERBOSITY_AUTOTUNE",
      'Cannot use SVC_VERBOSITY_AUTOTUNE="2": must be true, 1, yes, on, false, 0, no or off',
    ],
    ["SVC_EFFORT_ROUTER", "not in this version"],
    ["SVC_MECHANICAL_EFFORT", "not in this version"],
    ["SVC_TPM", "not in this version"],
    ["SVC_PORT", elsewhere("port")],
    ["SVC_MODEL_ROUTES", elsewhere("model_routes")],
    ["SVC_PROXY_URL", "cannot be changed while the proxy runs"],
    ["verbosity_level", "must be given as SVC_VERBOSITY_LEVEL"],
    ["PATH", "no setting of this version"],
    ["toString", "no setting of this version"],
    ["__proto__", "no setting of this version"],
  ]);
  assert.deepEqual(refusedSettings, Object.keys(refused).slice(0, -3));
  assert.deepEqual(env.report(CONFIG), {
    SVC_OUTPUT_SHAPER: false,
    SVC_VERBOSITY_LEVEL: 2,
    SVC_VERBOSITY_AUTOTUNE: false,
    SVC_OUTPUT_HOLDOUT: 0.1,
    SVC_EFFORT_ROUTER: null,
    SVC_MECHANICAL_EFFORT: null,
    SVC_INTERCEPT_READ_MIN_CHARS: 500,
  });
});

Deno.test("RuntimeEnv changes from which length on files become outlines, not whether they do", () => {
  const env = new RuntimeEnv();
  const on = { intercept: { isOn: true, readMinChars: 500 } };
  assert.equal(env.outlineFrom(on), 500);
  env.apply({ SVC_INTERCEPT_READ_MIN_CHARS: 9000 });
  assert.equal(env.outlineFrom(on), 9000);
  assert.equal(env.outlineFrom(CONFIG), undefined);
});

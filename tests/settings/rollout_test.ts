import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CHANNELS,
  type FeatureRow,
  FEATURES,
  type FeatureWishes,
  resolveFeatures,
  ROLLOUT_ROWS,
} from "../../src/settings/rollout.ts";

const TABLE: Record<string, FeatureRow> = {
  old: { channel: "stable" },
  young: { channel: "beta" },
  raw: { channel: "canary" },
  wild: { channel: "dev" },
  later: { channel: "canary", available: false },
};

const wishes = (parts: Partial<FeatureWishes>): FeatureWishes => ({
  channel: "stable",
  own: {},
  wanted: [],
  disabled: [],
  unsafe: false,
  ...parts,
});

const resolve = (parts: Partial<FeatureWishes>) =>
  resolveFeatures(wishes(parts), TABLE);

Deno.test("resolveFeatures turns on what is asked for, from its channel on", () => {
  const { features, warnings } = resolve({
    channel: "canary",
    wanted: ["raw", "old", "young"],
  });
  assert.deepEqual(features, {
    channel: "canary",
    enabled: ["old", "raw", "young"],
    disabled: ["wild"],
    refused: [],
  });
  assert.deepEqual(warnings, []);
});

Deno.test("resolveFeatures refuses a feature that is too new for the channel, and says which it needs", () => {
  const { features, warnings } = resolve({ channel: "beta", wanted: ["raw"] });
  const sentence =
    "Feature raw of SVC_FEATURES needs SVC_ROLLOUT_CHANNEL=canary, this is beta: it stays off";
  assert.deepEqual(features.refused, [sentence]);
  assert.deepEqual(warnings, [sentence]);
  assert.deepEqual(features.enabled, []);
});

Deno.test("resolveFeatures turns it on with a loud warning where that is allowed", () => {
  const { features, warnings } = resolve({ unsafe: true, wanted: ["wild"] });
  assert.deepEqual(features.enabled, ["wild"]);
  assert.deepEqual(warnings, [
    "UNSAFE: feature wild is for the channel dev, this is stable; SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES turns it on",
  ]);
});

Deno.test("resolveFeatures refuses what this version does not have, also where all is allowed", () => {
  for (const name of ["later", "wat", "constructor"]) {
    const { features } = resolve({
      channel: "dev",
      unsafe: true,
      wanted: [name],
    });
    assert.equal(features.refused.length, 1);
    assert.match(features.refused[0]!, new RegExp(`${name}.* this version`));
    assert.ok(!features.enabled.includes(name));
  }
});

Deno.test("resolveFeatures lets a setting of its own turn a feature off that is asked for", () => {
  const { features, warnings } = resolve({
    own: { old: false },
    wanted: ["old"],
  });
  assert.deepEqual(features.enabled, []);
  assert.match(warnings.join(), /^Feature old stays off: its own setting/);
});

Deno.test("resolveFeatures asks the channel about what a setting asks for, and names that setting", () => {
  const table = { ...TABLE, raw: { ...TABLE.raw!, settings: ["SVC_RAW"] } };
  const by = (parts: Partial<FeatureWishes>) =>
    resolveFeatures(wishes({ wantedBySetting: ["raw"], ...parts }), table);
  assert.deepEqual(by({ channel: "canary" }).features.enabled, ["raw"]);
  assert.deepEqual(by({ channel: "beta" }).warnings, [
    "Feature raw of SVC_RAW needs SVC_ROLLOUT_CHANNEL=canary, this is beta: it stays off",
  ]);
  assert.deepEqual(by({ channel: "dev", disabled: ["raw"] }).warnings, [
    "Feature raw stays off: SVC_DISABLE_FEATURES names it, and that wins over SVC_RAW",
  ]);
});

Deno.test("resolveFeatures warns of an unknown name among those to turn off", () => {
  assert.deepEqual(resolve({ disabled: ["wat"] }).warnings, [
    "SVC_DISABLE_FEATURES names wat, which is no feature of this version: it has old, raw, wild, young",
  ]);
  assert.deepEqual(resolve({ disabled: ["later"] }).warnings, []);
});

Deno.test("resolveFeatures never turns a disabled feature on, and nothing that this version does not have", () => {
  const names = fc.subarray([...Object.keys(TABLE), "wat"]);
  fc.assert(fc.property(
    fc.record({
      channel: fc.constantFrom(...CHANNELS),
      own: fc.dictionary(fc.constantFrom("old", "young"), fc.boolean()),
      wanted: names,
      disabled: names,
      unsafe: fc.boolean(),
    }),
    (given) => {
      const { enabled, disabled } = resolveFeatures(given, TABLE).features;
      for (const name of given.disabled) assert.ok(!enabled.includes(name));
      assert.deepEqual(
        [...enabled, ...disabled].sort(),
        ["old", "raw", "wild", "young"],
      );
    },
  ));
});

Deno.test("FEATURES has interception of tool results on canary, what changes answers on beta, and all else that is here on stable", () => {
  assert.equal(FEATURES.intercept_tool_results.channel, "canary");
  const beta = new Set([
    ...["model_router", "output_shaper", "cache_ttl_learn", "dedupe"],
    ...["cold_recompact", "thinking_compact"],
  ]);
  for (const [name, row] of Object.entries<FeatureRow>(FEATURES)) {
    if (row.available === false || name === "intercept_tool_results") continue;
    assert.equal(row.channel, beta.has(name) ? "beta" : "stable", name);
  }
});

Deno.test("ROLLOUT_ROWS reads names of features in any spelling, each once", () => {
  const { features, disableFeatures } = ROLLOUT_ROWS;
  assert.deepEqual(features.parse(" Code-Aware,code_aware  ccr,"), [
    "code_aware",
    "ccr",
  ]);
  assert.throws(() => disableFeatures.parse("a/b"), {
    message:
      'Cannot use SVC_DISABLE_FEATURES="a/b": must be names of features, separated by commas',
  });
});

Deno.test("ROLLOUT_ROWS takes the channels, stable unless given", () => {
  const { rolloutChannel } = ROLLOUT_ROWS;
  assert.equal(rolloutChannel.fallback, "stable");
  for (const channel of CHANNELS) {
    assert.equal(rolloutChannel.parse(channel), channel);
  }
  assert.throws(() => rolloutChannel.parse("nightly"), /stable or beta or/);
});

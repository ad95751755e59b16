import assert from "node:assert/strict";
import { FEATURES } from "../../src/settings/rollout.ts";
import { CHANNELS, ROLLOUT_ROWS } from "../../src/settings/rollout_rows.ts";

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

Deno.test("ROLLOUT_ROWS names every feature of this version that can be turned off", () => {
  const { doc } = ROLLOUT_ROWS.disableFeatures;
  for (const [name, row] of Object.entries(FEATURES)) {
    assert.equal(doc.includes(name), !("available" in row), name);
  }
});

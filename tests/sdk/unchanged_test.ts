import assert from "node:assert/strict";
import { unchanged } from "../../src/sdk/unchanged.ts";

Deno.test("unchanged hands the messages on in a new array, with the reason and no figures", () => {
  const messages = [{ role: "user", content: "x" }];
  const { messages: made, ...facts } = unchanged(messages, "why");
  assert.notEqual(made, messages);
  assert.equal(made[0], messages[0]);
  assert.deepEqual(facts, {
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    compressionRatio: 1,
    transformsApplied: [],
    transformsSummary: {},
    ccrHashes: [],
    compressed: false,
    reason: "why",
  });
});

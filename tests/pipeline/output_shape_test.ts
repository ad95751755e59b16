import assert from "node:assert/strict";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import { conversationKey } from "../../src/ccr/key.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  correctionIn,
  instructionOf,
  isHeldOut,
  OutputShaper,
  tuned,
} from "../../src/pipeline/output_shape.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";

const keyOf = (firstUserText: string) =>
  conversationKey({ session: undefined, agent: undefined, firstUserText });

Deno.test("instructionOf says more at each level, in at most 50 tokens", async () => {
  const counter = await openTokenCounter();
  const texts = [1, 2, 3, 4].map(instructionOf);
  assert.equal(new Set(texts).size, 4);
  for (const text of texts) {
    assert.ok(counter.count(`\n\n${text}`, "gpt-4o") <= 50, text);
    assert.match(text, /^[ -~]+$/);
  }
});

Deno.test("isHeldOut takes the share that is wanted, always the same conversations", () => {
  const keys = Array.from({ length: 4000 }, (_, i) => keyOf(`${i}`));
  const count = (share: number) =>
    keys.filter((key) => isHeldOut(key, share)).length;
  assert.equal(count(0), 0);
  assert.equal(count(1), keys.length);
  assert.ok(Math.abs(count(0.1) - 400) < 80, `${count(0.1)}`);
  const few = keys.filter((key) => isHeldOut(key, 0.1));
  assert.ok(few.every((key) => isHeldOut(key, 0.2)));
});

Deno.test("correctionIn reads wishes of users, and no tasks", () => {
  for (
    const text of [
      "Shorter please",
      "be more concise",
      "too long, just the code",
      "Stop explaining!",
    ]
  ) assert.equal(correctionIn(text), "shorter", text);
  for (
    const text of [
      "Explain.",
      "more details?",
      "why did you do that",
      "too terse",
    ]
  ) assert.equal(correctionIn(text), "longer", text);
  for (
    const text of [
      "Fix the bug in parser.ts",
      "yes",
      `Make the function shorter. ${"It is long. ".repeat(40)}`,
    ]
  ) assert.equal(correctionIn(text), undefined, text);
});

Deno.test("tuned shortens after three wishes in a row and lengthens after one, from 1 to 4", () => {
  let level = { level: 2, wishes: 0 };
  const hear = (...corrections: Parameters<typeof tuned>[1][]) => {
    for (const one of corrections) level = tuned(level, one);
    return level.level;
  };
  assert.equal(hear("shorter", "shorter", undefined), 2);
  assert.equal(hear("shorter"), 3);
  assert.equal(hear(..."xxxxxxxxx".split("").map(() => "shorter" as const)), 4);
  assert.equal(hear("shorter", "shorter", "longer"), 3);
  assert.equal(hear("shorter", "shorter", "longer", "longer", "longer"), 1);
});

Deno.test("OutputShaper pins an instruction or holds out, and follows what a project says", async () => {
  const clock = { now: () => 5, monotonic: () => 5 };
  const log = () => {};
  const store = openMemoryStore({ ttlSeconds: 60, clock, log });
  const attempt = makeAttempt(log);
  const shaper = new OutputShaper({ store, attempt, clock });
  const wishes = {
    isShaped: true,
    level: 2,
    isTuned: true,
    holdout: 0,
    project: "shop",
  };
  const key = keyOf("q");
  assert.deepEqual(shaper.pinned({ ...wishes, isShaped: false }, key), {});
  assert.deepEqual(shaper.pinned({ ...wishes, holdout: 1 }, key), {
    isHeldOut: true,
  });
  const said = (project = "shop", isTuned = true) =>
    shaper.pinned({ ...wishes, project, isTuned }, key).instruction;
  assert.equal(said(), instructionOf(2));
  shaper.heard(wishes, "explain");
  await store.write({ now: 5 });
  assert.equal(said(), instructionOf(1));
  assert.equal(said("other"), instructionOf(2));
  assert.equal(said("shop", false), instructionOf(2));
  shaper.heard({ ...wishes, isTuned: false }, "too long");
  for (let i = 0; i < 3; i++) {
    shaper.heard(wishes, "too long");
    await store.write({ now: 5 });
  }
  assert.equal(said(), instructionOf(2));
  await store[Symbol.asyncDispose]();
});

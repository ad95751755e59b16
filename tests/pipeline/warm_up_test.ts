import assert from "node:assert/strict";
import { openRouter } from "../../src/compute/open_router.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import { warmUp } from "../../src/pipeline/warm_up.ts";

const strategyOf = (decision: Decision) =>
  decision.type !== "form"
    ? decision.reason
    : `${decision.strategy}${decision.elision ? "" : ", not elided"}`;

Deno.test("warmUp takes every compressor through its whole path, the commonest kinds first, and asks before each text", async () => {
  const { decide } = await openRouter();
  const strategies: string[] = [];
  let asked = 0;
  await warmUp({
    open: () =>
      Promise.resolve((job) => {
        const decision = decide(job);
        strategies.push(strategyOf(decision));
        assert.equal(asked, strategies.length + 1);
        return decision;
      }),
    idle: () => {
      asked++;
      return Promise.resolve(true);
    },
  });
  const commonest = ["diff", "log", "search", "smart_crusher"];
  const others = [
    "numbered, not elided",
    "paths, not elided",
    "tabular",
    "text_crusher",
  ];
  const half = strategies.length / 2;
  const kinds = (some: readonly string[]) => [...new Set(some)].toSorted();
  assert.deepEqual(kinds(strategies.slice(0, commonest.length)), commonest);
  assert.deepEqual(kinds(strategies.slice(0, half)), commonest);
  assert.deepEqual(kinds(strategies.slice(half)), others);
});

Deno.test("warmUp decides nothing while there is other work", async () => {
  const jobs: BlockJob[] = [];
  const work = Promise.withResolvers<boolean>();
  const warmed = warmUp({
    open: () =>
      Promise.resolve((job) => {
        jobs.push(job);
        return { type: "failed", reason: "a test" };
      }),
    idle: () => work.promise,
  });
  await Promise.resolve();
  assert.equal(jobs.length, 0);
  work.resolve(true);
  await warmed;
  assert(jobs.length > 0);
});

Deno.test("warmUp ends when it is not to go on, and with what goes wrong", async () => {
  let calls = 0;
  const open = () =>
    Promise.resolve((): Decision => {
      calls++;
      throw new Error("no memory");
    });
  await warmUp({ open, idle: () => Promise.resolve(false) });
  assert.equal(calls, 0);
  await assert.rejects(
    warmUp({ open, idle: () => Promise.resolve(true) }),
    /no memory/,
  );
  assert.equal(calls, 1);
});

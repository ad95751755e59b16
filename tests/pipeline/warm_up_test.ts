import assert from "node:assert/strict";
import { openRouter } from "../../src/open_router.ts";
import type { Decision } from "../../src/core/decision.ts";
import { warmUp } from "../../src/pipeline/warm_up.ts";

Deno.test("warmUp takes every compressor through its whole path, between other work", async () => {
  const { decide } = await openRouter();
  const decisions: Decision[] = [];
  let turns = 0;
  let running = true;
  const otherWork = (async () => {
    while (running) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turns++;
    }
  })();
  await warmUp(async (job) => {
    const decision = await decide(job);
    decisions.push(decision);
    return decision;
  });
  running = false;
  await otherWork;
  const strategies = decisions.map((decision) =>
    decision.type !== "form"
      ? decision.reason
      : `${decision.strategy}${decision.elision ? "" : ", not elided"}`
  );
  assert.deepEqual(
    [...new Set(strategies)].toSorted(),
    [
      "diff",
      "log",
      "numbered, not elided",
      "paths, not elided",
      "search",
      "smart_crusher",
      "tabular",
      "text_crusher",
    ],
  );
  assert(turns >= decisions.length / 2, `${turns} turns`);
});

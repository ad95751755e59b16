import assert from "node:assert/strict";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { FakeClock } from "../ccr/fake_clock.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, rowsOf, talk } from "./conversations.ts";

const elements = CLIENTS[0]!.elements(talk(logOf(200), rowsOf(60), "ok"), 3);

Deno.test("simulate says what compress then does, and stores nothing", async () => {
  await using store = openMapStore({ ttlSeconds: 60, clock: new FakeClock() });
  await using svc = createSvc({ store });
  const simulated = await svc.simulate(elements);
  assert.equal(store.stats().entries, 0);
  const done = await svc.compress(elements);
  assert.deepEqual(simulated.messagesOptimized, done.messages);
  assert.deepEqual(
    [simulated.tokensBefore, simulated.tokensAfter, simulated.tokensSaved],
    [done.tokensBefore, done.tokensAfter, done.tokensSaved],
  );
  assert.deepEqual(simulated.transforms, done.transformsApplied);
  assert.deepEqual(simulated.blockBreakdown, {
    ...done.transformsSummary,
    too_small: 1,
  });
});

Deno.test("simulate prices what would be saved, where the price is known", async () => {
  await using svc = createSvc();
  const known = await svc.simulate(elements, { model: "gpt-4o" });
  // 2.50 USD per million tokens of input.
  const usd = known.tokensSaved * 2.5e-6;
  assert(Math.abs(known.estimatedSavings! - usd) < 1e-9);
  const unknown = await svc.simulate(elements, { model: "nobody-knows-1" });
  assert.equal(unknown.estimatedSavings, null);
});

Deno.test("simulate finds waste, and what changes at the beginning of the prompt", async () => {
  await using svc = createSvc();
  const system = (date: string) => ({
    role: "system",
    content: `You are an agent. Today is ${date}.`,
  });
  const pretty = JSON.stringify(JSON.parse(rowsOf(20)), null, 4);
  const chat = CLIENTS[1]!.elements(talk(pretty), 1).slice(1);
  const first = await svc.simulate([system("2026-03-02"), ...chat]);
  assert(first.wasteSignals["json_bloat"]! > 0);
  assert.equal(first.cacheAlignmentScore, 0.9);
  const second = await svc.simulate([system("2026-03-03"), ...chat]);
  assert.notEqual(second.stablePrefixHash, first.stablePrefixHash);
  const plain = await svc.simulate(chat);
  assert.equal(plain.cacheAlignmentScore, 1);
});

Deno.test("simulate has nothing to say about messages that cannot be read", async () => {
  await using svc = createSvc({ onProblem: () => {} });
  const trap = {
    role: "user",
    get content(): string {
      throw new Error("a trap");
    },
  };
  const { messagesOptimized, tokensBefore } = await svc.simulate([trap]);
  assert.equal(messagesOptimized[0], trap);
  assert.equal(tokensBefore, 0);
});

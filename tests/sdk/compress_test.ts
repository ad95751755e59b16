import { type CompressionParts, compressWith } from "../../src/sdk/compress.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { harness } from "../pipeline/harness.ts";
import { engineOf } from "./fake_engine.ts";
import { logOf, NO_FIGURES, rowsOf, talk } from "./conversations.ts";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { FakeClock } from "../ccr/fake_clock.ts";
import assert from "node:assert/strict";

const lines = Array.from({ length: 50 }, (_, i) => `line ${i} of it`);
const elements = CLIENTS[1]!.elements(talk(lines.join("\n")), 1);

function engine(parts: Partial<CompressionParts> = {}): CompressionParts {
  return { ...engineOf(), contextLimit: () => undefined, ...parts };
}

Deno.test("compressWith gives the messages back when the engine fails, with the reason and no figures", async () => {
  const parts = engine({
    count: () => {
      throw new RangeError("cannot count");
    },
  });
  const { messages, ...facts } = await compressWith(parts, elements, {});
  assert.deepEqual(messages, elements);
  assert.deepEqual(facts, {
    ...NO_FIGURES,
    reason: "RangeError: cannot count",
  });
  assert.equal(parts.compression.attempt.failures.get("compress_messages"), 1);
});

Deno.test("compressWith does not take an abort for a failure", async () => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const process = harness();
  const parts = engine({
    compression: {
      ...process.parts,
      decide: (jobs) => {
        stop.abort(reason);
        return process.parts.decide(jobs);
      },
    },
  });
  const { signal } = stop;
  await assert.rejects(compressWith(parts, elements, { signal }), reason);
  assert.equal(process.store.stats().entries, 0);
});

Deno.test("compressWith goes by the format that is given, and counts for a model of its own choice", async () => {
  const seen: string[] = [];
  await compressWith(engine(), elements, {
    format: "responses",
    hooks: {
      preCompress: (_, { format, model }) => void seen.push(format, model),
    },
  });
  assert.deepEqual(seen, ["responses", "gpt-4o"]);
});

Deno.test("compressWith looks at no more than the beginning of a question", async () => {
  const queries: string[] = [];
  const { parts } = harness();
  const made = engine({
    compression: {
      ...parts,
      decide: (jobs) => {
        queries.push(...jobs.map(({ query }) => query));
        return parts.decide(jobs);
      },
    },
  });
  await compressWith(made, elements, { query: "x".repeat(10_000) });
  assert.equal(/^x*/.exec(queries[0]!)![0].length, 4000);
});

const talked = CLIENTS[0]!.elements(talk(logOf(200), rowsOf(60), "ok"), 3);

Deno.test("simulate says what compress then does, and stores nothing", async () => {
  await using store = openMapStore({ ttlSeconds: 60, clock: new FakeClock() });
  await using svc = createSvc({ store });
  const simulated = await svc.simulate(talked);
  assert.equal(store.stats().entries, 0);
  const done = await svc.compress(talked);
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
  const known = await svc.simulate(talked, { model: "gpt-4o" });
  // 2.50 USD per million tokens of input.
  const usd = known.tokensSaved * 2.5e-6;
  assert(Math.abs(known.estimatedSavings! - usd) < 1e-9);
  const unknown = await svc.simulate(talked, { model: "nobody-knows-1" });
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

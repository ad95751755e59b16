import assert from "node:assert/strict";
import { compressWith, shapedBy, tryEngine } from "../../src/sdk/compress.ts";
import type { EngineParts } from "../../src/sdk/engine.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { FORMATS, harness } from "../pipeline/harness.ts";
import { talk } from "./conversations.ts";

const lines = Array.from({ length: 50 }, (_, i) => `line ${i} of it`);
const elements = CLIENTS[1]!.elements(talk(lines.join("\n")), 1);

function engine(parts: Partial<EngineParts> = {}): EngineParts {
  const { messages, chat_completions, responses } = FORMATS;
  return {
    compression: harness().parts,
    formats: {
      messages: messages!,
      chat_completions: chat_completions!,
      responses: responses!,
    },
    count: ({ spans }) => {
      const counted = { tokens: spans.length, extraTokens: 0 };
      return {
        estimate: () => counted,
        isExact: () => true,
        done: Promise.resolve(counted),
      };
    },
    ...parts,
  };
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
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    compressionRatio: 1,
    transformsApplied: [],
    transformsSummary: {},
    ccrHashes: [],
    compressed: false,
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

Deno.test("shapedBy goes by the format that is given, and counts for a model of its own choice", async () => {
  const { shape, context } = await shapedBy(engine(), elements, {
    format: "responses",
  });
  assert.equal(shape.id, "responses");
  assert.equal(context.format, "responses");
  assert.equal(context.model, "gpt-4o");
});

Deno.test("tryEngine looks at no more than the beginning of a question", async () => {
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
  const shaped = await shapedBy(made, elements, {});
  const query = "x".repeat(10_000);
  await tryEngine(made, shaped, { query, isSimulation: true });
  assert.equal(/^x*/.exec(queries[0]!)![0].length, 4000);
});

import assert from "node:assert/strict";
import type { CompressMessages } from "../../src/sdk/compress_types.ts";
import {
  ConfigurationError,
  SvcAuthError,
  ValidationError,
} from "../../src/sdk/errors.ts";
import {
  SharedContext,
  type SharedContextOptions,
} from "../../src/sdk/shared_context.ts";
import { logOf, NO_FIGURES } from "./conversations.ts";

/** Halves every text, and notes what it was asked. */
function halver() {
  const asked: unknown[] = [];
  const compress: CompressMessages = (messages, options) => {
    asked.push({ messages, options });
    const made = structuredClone(messages) as unknown as { content: string }[];
    for (const one of made) {
      one.content = one.content.slice(0, one.content.length / 2);
    }
    return Promise.resolve({
      messages: made as never,
      tokensBefore: 100,
      tokensAfter: 25,
      tokensSaved: 75,
      compressionRatio: 0.25,
      transformsApplied: ["router:log"],
      transformsSummary: { "router:log": 1 },
      ccrHashes: [],
      compressed: true,
    });
  };
  return { asked, compress };
}

function contextOf(options: SharedContextOptions = {}) {
  const time = { seconds: 1000 };
  const now = () => time.seconds * 1000;
  const { asked, compress } = halver();
  return {
    asked,
    time,
    context: new SharedContext({ compress, now, ...options }),
  };
}

Deno.test("SharedContext keeps both texts and says what was saved", async () => {
  const { context, asked } = contextOf({ model: "m" });
  const entry = await context.put("a", "12345678", { agent: "one" });
  assert.deepEqual(entry, {
    key: "a",
    original: "12345678",
    compressed: "1234",
    originalTokens: 100,
    compressedTokens: 25,
    transforms: ["router:log"],
    savingsPercent: 75,
    agent: "one",
    timestamp: 1000,
  });
  assert.equal(context.get("a"), "1234");
  assert.equal(context.get("a", { full: true }), "12345678");
  assert.equal(context.getEntry("a"), entry);
  assert.deepEqual(asked, [{
    messages: [{
      role: "tool",
      tool_call_id: "shared_context",
      content: "12345678",
    }],
    options: { model: "m" },
  }]);
  assert.equal((await context.put("b", "x")).agent, null);
});

Deno.test("SharedContext compresses in this process unless told otherwise", async () => {
  const text = logOf(200);
  const { compressed, original } = await new SharedContext().put("log", text);
  assert.equal(original, text);
  assert(compressed.length < text.length / 4);
});

Deno.test("SharedContext lets a text stand for itself where compression fails", async () => {
  const { context } = contextOf({
    compress: (messages) =>
      Promise.resolve({
        messages: [...messages],
        ...NO_FIGURES,
      }),
  });
  const entry = await context.put("a", "123456789");
  assert.equal(entry.compressed, "123456789");
  assert.deepEqual([entry.originalTokens, entry.compressedTokens], [3, 3]);
  assert.equal(entry.savingsPercent, 0);
});

Deno.test("SharedContext forgets a text when its time has ended", async () => {
  const { context, time } = contextOf({ ttl: 60 });
  await context.put("a", "x");
  time.seconds += 59;
  await context.put("b", "x");
  assert.deepEqual(context.keys(), ["a", "b"]);
  time.seconds += 1;
  assert.equal(context.get("a"), null);
  assert.equal(context.getEntry("a"), null);
  assert.deepEqual(context.keys(), ["b"]);
  assert.equal(context.stats().entries, 1);
});

Deno.test("SharedContext makes room by what has ended, then by what was put longest ago", async () => {
  const { context, time } = contextOf({ ttl: 60, maxEntries: 2 });
  await context.put("a", "x");
  time.seconds += 59;
  await context.put("b", "x");
  time.seconds += 2;
  await context.put("c", "x");
  assert.deepEqual(context.keys(), ["b", "c"]);
  await context.put("d", "x");
  assert.deepEqual(context.keys(), ["c", "d"]);
});

Deno.test("SharedContext replaces a text under the same name without losing another", async () => {
  const { context } = contextOf({ maxEntries: 2 });
  await context.put("a", "x");
  await context.put("b", "x");
  await context.put("a", "yyyy");
  assert.deepEqual(context.keys(), ["b", "a"]);
  assert.equal(context.get("a", { full: true }), "yyyy");
  await context.put("a", "z");
  assert.deepEqual(context.keys(), ["b", "a"]);
});

Deno.test("SharedContext adds up what is there, and forgets all of it on demand", async () => {
  const { context } = contextOf();
  await context.put("a", "x");
  await context.put("b", "x");
  assert.deepEqual(context.stats(), {
    entries: 2,
    totalOriginalTokens: 200,
    totalCompressedTokens: 50,
    totalTokensSaved: 150,
    savingsPercent: 75,
  });
  context.clear();
  assert.deepEqual(context.keys(), []);
  assert.equal(context.get("a"), null);
  assert.equal(context.stats().savingsPercent, 0);
});

Deno.test("SharedContext refuses bounds and texts that are none", async () => {
  assert.throws(() => new SharedContext({ ttl: 0 }), ConfigurationError);
  assert.throws(
    () => new SharedContext({ maxEntries: -1 }),
    ConfigurationError,
  );
  const { context } = contextOf();
  await assert.rejects(
    context.put("a", 3 as unknown as string),
    ValidationError,
  );
});

Deno.test("SharedContext lets a text stand for itself where what compresses throws, and says so", async () => {
  const reasons: string[] = [];
  const { context } = contextOf({
    compress: () => Promise.reject(new SvcAuthError("No key")),
    onProblem: ({ reason }) => reasons.push(reason),
  });
  const entry = await context.put("a", "12345678");
  assert.equal(entry.compressed, "12345678");
  assert.equal(entry.originalTokens, 2);
  assert.deepEqual(reasons, ["SvcAuthError: No key"]);
});

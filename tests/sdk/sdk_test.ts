import { compress, retrieve, simulate } from "../../src/sdk/svc.ts";
import { createRouter } from "../../src/sdk/router.ts";
import type { OwnCompressor } from "../../src/sdk/svc_types.ts";
import type { CcrEntry } from "../../src/core/store.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import {
  contextOf,
  countTurns,
  extractToolCalls,
  extractUserQuery,
} from "../../src/sdk/conversation_facts.ts";
import { splitRequest } from "../../src/sdk/overrides.ts";
import { logOf, rowsOf, talk } from "./conversations.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { ValidationError } from "../../src/sdk/errors.ts";
import assert from "node:assert/strict";
import { CacheAligner } from "../../src/sdk/cache_aligner.ts";
import { prefixDrift } from "../../src/reports/prefix_drift.ts";

Deno.test("CacheAligner compares each prompt with the one before", () => {
  const aligner = new CacheAligner();
  assert.equal(aligner.previousHash, undefined);
  const inputs = ["a", "a", "b"].map((system) => ({ system }));
  const reports = inputs.map((input) => aligner.report(input));
  assert.deepEqual(
    reports.map(({ cache_metrics }) => cache_metrics.prefix_changed),
    [false, false, true],
  );
  assert.deepEqual(reports[0], prefixDrift(inputs[0]!));
  const [, second, third] = reports.map(({ cache_metrics }) => cache_metrics);
  assert.equal(third!.previous_hash, second!.stable_prefix_hash);
  assert.equal(aligner.previousHash, third!.stable_prefix_hash);
});

Deno.test("compress, simulate and retrieve share one instance", async () => {
  const text = logOf(200, "shared");
  const elements = CLIENTS[0]!.elements(talk(text), 1);
  const simulated = await simulate(elements);
  const { messages, ccrHashes: [hash] } = await compress(elements);
  assert.deepEqual(simulated.messagesOptimized, messages);
  const found = await retrieve(hash!, { lines: "2" });
  assert(found.success);
  assert.equal(found.originalContent.trimEnd(), text.split("\n")[1]);
});

Deno.test("compress, simulate and retrieve refuse arguments of the wrong type", async () => {
  const wrong = "x" as unknown as readonly unknown[];
  await assert.rejects(compress(wrong), ValidationError);
  await assert.rejects(simulate(wrong), ValidationError);
  await assert.rejects(retrieve(7 as unknown as string), ValidationError);
});

Deno.test("splitRequest takes every member for svc out of the body, in both spellings", () => {
  const values = { OutputBufferTokens: 1, KeepTurns: 2, ToolProfiles: {} };
  const camel = Object.entries({ ...values, CachePrefixTokens: 3 })
    .map(([name, value]) => [`headroom${name}`, value]);
  const snake = camel.map(([name, value]) => [
    `${name}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const messages = [{ role: "user", content: "hi" }];
  const { body, mode, outputBufferTokens } = splitRequest({
    model: "m",
    ...Object.fromEntries([...camel, ...snake]),
    messages,
    headroom_mode: "audit",
  });
  assert.deepEqual(Object.keys(body), ["model", "messages"]);
  assert.equal(Reflect.get(body, "messages"), messages);
  assert.equal(mode, "audit");
  assert.equal(outputBufferTokens, 1);
});

Deno.test("splitRequest takes a whole number of tokens for the answer, the one in camel case first", () => {
  const buffer = (request: object) => splitRequest(request).outputBufferTokens;
  const snake = { headroom_output_buffer_tokens: 7 };
  assert.equal(buffer(snake), 7);
  assert.equal(buffer({ ...snake, headroomOutputBufferTokens: 0 }), 0);
  for (const bad of ["7", -1, 1.5, NaN, null, {}]) {
    assert.equal(buffer({ headroomOutputBufferTokens: bad }), undefined);
  }
});

Deno.test("splitRequest prefers the mode in camel case, and ignores one that is no text", () => {
  const both = { headroom_mode: "audit", headroomMode: "simulate" } as const;
  assert.equal(splitRequest(both).mode, "simulate");
  assert.deepEqual(splitRequest({ headroomMode: 1, a: 2 }), { body: { a: 2 } });
});

Deno.test("splitRequest gives a request without such members back itself, and modifies none", () => {
  const plain = { model: "m" };
  assert.equal(splitRequest(plain).body, plain);
  const asked = Object.freeze({ model: "m", headroomKeepTurns: 2 });
  assert.deepEqual(splitRequest(asked), { body: { model: "m" } });
});

for (const client of CLIENTS) {
  Deno.test(`contextOf finds what ${client.id} messages say, and takes no result for a turn`, () => {
    const conversation = talk("a", "b");
    const steps = [conversation.steps[0]!, {
      ...conversation.steps[1]!,
      note: "And now?",
    }];
    const messages = client.elements({ ...conversation, steps }, 2);
    assert.deepEqual(contextOf(messages.slice(0, -1), "openai", "m"), {
      model: "m",
      userQuery: "why?",
      turnNumber: 1,
      toolCalls: ["Bash", "Bash"],
      format: "openai",
    });
    assert.equal(extractUserQuery(messages), "And now?");
    assert.equal(countTurns(messages), 2);
  });
}

Deno.test("contextOf knows calls and texts of the ai package and of contents with parts", () => {
  const vercel = [
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "tool-call", toolName: "find" }] },
  ];
  assert.deepEqual(extractToolCalls(vercel), ["find"]);
  const google = [
    { role: "user", parts: [{ text: "one" }, { text: "two" }] },
    { role: "model", parts: [{ functionCall: { name: "find" } }] },
    { role: "user", parts: [{ functionResponse: { name: "find" } }] },
  ];
  assert.equal(extractUserQuery(google), "one\ntwo");
  assert.equal(countTurns(google), 1);
  assert.deepEqual(extractToolCalls(google), ["find"]);
});

Deno.test("contextOf finds nothing in what is no conversation", () => {
  for (const messages of [[], [null], ["x", 3], [{ role: "user" }]]) {
    assert.equal(extractUserQuery(messages), "");
    assert.equal(countTurns(messages), 0);
    assert.deepEqual(extractToolCalls(messages), []);
  }
});

const first: OwnCompressor = {
  recognise: (text) => text.startsWith("MINE") ? 1 : 0.5,
  compressor: {
    id: "mine",
    compress: (text, { mayElide }) => {
      if (text.includes("throw")) throw new RangeError("a bug");
      const total = text.split("\n").length;
      return mayElide
        ? {
          type: "elided",
          text: text.split("\n")[0]!,
          omitted: { count: total - 1, total, unit: "lines" },
        }
        : { type: "unchanged", reason: "only_leaves_out" };
    },
  },
};

Deno.test("createRouter names kinds, counts tokens and lists its compressors", async () => {
  const router = await createRouter();
  assert.deepEqual(
    router.compressors.map(({ kind }) => kind),
    Object.keys(CONTENT),
  );
  assert.equal(router.detect(rowsOf(9)), "json");
  assert.equal(router.detect(logOf(50)), "log");
  assert.equal(router.detect(""), undefined);
  assert.equal(router.countTokens("Hello, world!"), 4);
  assert.equal(router.countTokens("Hello, world!", "gpt-4"), 4);
});

Deno.test("createRouter asks compressors of the caller's first, and svc's for the rest", async () => {
  const kept: CcrEntry[] = [];
  const router = await createRouter({
    compressors: [first],
    keep: (entry) => Promise.resolve(void kept.push(entry)),
  });
  const text = `MINE\n${logOf(100)}`;
  assert.equal(router.detect(text), "mine");
  const { strategy, text: form } = await router.compressText(text);
  assert.equal(strategy, "mine");
  assert.match(form, /^MINE\n\[101 lines compressed to 1\./);
  assert.equal(kept[0]?.original, text);
  assert.equal(router.detect(logOf(100)), "log");
  assert.equal((await router.compressText(logOf(100))).strategy, "log");
});

Deno.test("createRouter leaves nothing out where nobody keeps originals", async () => {
  const router = await createRouter({ compressors: [first] });
  const { text, reason } = await router.compressText(`MINE\n${logOf(100)}`);
  assert.equal(reason, "only_leaves_out");
  assert.equal(text, `MINE\n${logOf(100)}`);
});

Deno.test("createRouter gives a text back whose compressor throws", async () => {
  const router = await createRouter({ compressors: [first] });
  const text = `MINE\nthrow\n${logOf(100)}`;
  const result = await router.compressText(text);
  assert.equal(result.text, text);
  assert.equal(result.reason, "a bug");
});

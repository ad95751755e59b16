import assert from "node:assert/strict";
import { openMapStore } from "../../src/ccr/map_store.ts";
import type { CompressOptions } from "../../src/sdk/compress_types.ts";
import { ConfigurationError, ValidationError } from "../../src/sdk/errors.ts";
import type { Problem } from "../../src/sdk/failures.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import type { Svc, SvcOptions } from "../../src/sdk/svc_types.ts";
import { FakeClock } from "../ccr/fake_clock.ts";
import { type ClientFormat, CLIENTS } from "../conformance/conversation.ts";
import { logOf, NO_FIGURES, rowsOf, sourceOf, talk } from "./conversations.ts";

const json = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value));

/** What a caller gets who sends a conversation after every step. */
async function grown(
  svc: Svc,
  elements: (n: number) => readonly unknown[],
  { steps, options }: {
    readonly steps: number;
    readonly options?: CompressOptions;
  },
) {
  const made: string[][] = [];
  for (let n = 0; n <= steps; n++) {
    const { messages } = await svc.compress(elements(n), options);
    made.push(json(messages));
  }
  return made;
}

function assertAppended(made: readonly (readonly string[])[]): void {
  for (const [i, messages] of made.entries()) {
    const before = made[i - 1] ?? [];
    assert.deepEqual(messages.slice(0, before.length), before);
  }
}

for (const client of CLIENTS) {
  Deno.test(`compress of ${client.id} leaves a whole result where it stands under lossless, and shortens it without`, async () => {
    const elements = client.elements(talk(logOf(200), rowsOf(60)), 2);
    await using svc = createSvc();
    const elided = await svc.compress(elements);
    const exact = await svc.compress(elements, { lossless: true });
    assert.equal(elided.ccrHashes.length, 2);
    assert.deepEqual(exact.ccrHashes, []);
    assert(elided.tokensAfter < exact.tokensAfter);
    assert(exact.tokensAfter < exact.tokensBefore);
    assert.doesNotMatch(JSON.stringify(exact.messages), /omitted|hash=/);
  });
}

Deno.test("compress keeps source code that was protected while it was recent", async () => {
  const client = CLIENTS[0]!;
  const conversation = talk(sourceOf(20), "ok", "ok", "ok", "ok");
  await using svc = createSvc({ codeAware: true });
  const made = await grown(svc, (n) => client.elements(conversation, n), {
    steps: 5,
  });
  assertAppended(made);
  assert.equal(
    made[5]![2],
    JSON.stringify(client.elements(conversation, 1)[2]),
  );

  await using other = createSvc({ codeAware: true });
  const { messages, transformsApplied } = await other.compress(
    client.elements(conversation, 5),
  );
  assert.notEqual(
    JSON.stringify(messages[2]),
    made[5]![2],
    "it was never recent",
  );
  assert.equal(transformsApplied.length, 1);
});

Deno.test("compress leaves source code whole unless codeAware is on, and where the user asks to look into it", async () => {
  const elements = CLIENTS[0]!.elements(talk(sourceOf(20)), 1);
  await using plain = createSvc();
  assert.equal(
    (await plain.compress(elements, { protectRecent: 0 })).tokensSaved,
    0,
  );
  await using aware = createSvc({ codeAware: true });
  const asked = elements.with(0, { role: "user", content: "Review this" });
  const options = { protectRecent: 0, protectAnalysisContext: true };
  assert.equal((await aware.compress(asked, options)).tokensSaved, 0);
});

Deno.test("compress keeps source code whole in the last four messages unless told otherwise", async () => {
  const elements = CLIENTS[0]!.elements(talk(sourceOf(20)), 1);
  const { role, content } = { role: "user", content: "go on" };
  const saved = async (after: number) => {
    await using svc = createSvc({ codeAware: true });
    const later = Array.from({ length: after }, () => ({ role, content }));
    return (await svc.compress([...elements, ...later])).tokensSaved > 0;
  };
  assert.deepEqual([await saved(3), await saved(4)], [false, true]);
});

Deno.test("compress shortens what users have pasted unless told otherwise, and gives it back", async () => {
  const log = logOf(200);
  const content = `Why?\n\n${log}\n\nThanks.`;
  const parts = [{ type: "text", text: content }];
  for (const said of [content, parts]) {
    const messages: { role: string; content: unknown }[] = [
      { role: "user", content: said },
    ];
    await using svc = createSvc();
    const left = await svc.compress(messages, { compressUserMessages: false });
    assert.equal(left.tokensSaved, 0);
    assert.deepEqual(left.messages, messages);
    const made = await svc.compress(messages);
    assert.deepEqual(made.transformsApplied, ["router:pasted:log"]);
    assert.match(JSON.stringify(made.messages), /Why\?\\n\\n.*Thanks\./);
    const [hash = ""] = made.ccrHashes;
    const original = await svc.retrieve(hash);
    assert.equal(original.success && original.originalContent, content);
    const again = await svc.compress([...made.messages, {
      role: "user",
      content: "go on",
    }]);
    assert.deepEqual(again.messages[0], made.messages[0]);
  }
});

Deno.test("compress leaves texts alone that have fewer tokens than it is told", async () => {
  const elements = CLIENTS[1]!.elements(talk(logOf(200)), 1);
  const saved = async (minTokensToCompress: number) => {
    await using svc = createSvc();
    const { tokensSaved } = await svc.compress(elements, {
      minTokensToCompress,
    });
    return tokensSaved > 0;
  };
  assert.deepEqual([await saved(100), await saved(100_000)], [true, false]);
});

Deno.test("compress says what it did, in the fields of the specification", async () => {
  const elements = CLIENTS[1]!.elements(
    talk(logOf(200), logOf(150, "task")),
    2,
  );
  await using svc = createSvc();
  const result = await svc.compress(elements, {
    model: "gpt-4o",
    tokenBudget: 5,
  });
  const { messages, tokensBefore, tokensAfter, ...facts } = result;
  assert.equal(messages.length, elements.length);
  assert(tokensAfter < tokensBefore);
  assert.deepEqual(Object.keys(facts).sort(), [
    "ccrHashes",
    "compressed",
    "compressionRatio",
    "contextBudget",
    "contextLimit",
    "tokensSaved",
    "transformsApplied",
    "transformsSummary",
    "withinBudget",
    "withinContext",
  ]);
  assert.equal(facts.tokensSaved, tokensBefore - tokensAfter);
  assert.equal(facts.compressionRatio, tokensAfter / tokensBefore);
  assert.deepEqual(facts.transformsApplied, ["router:log"]);
  assert.deepEqual(facts.transformsSummary, { "router:log": 2 });
  assert.equal(facts.compressed, true);
  assert.equal(facts.withinBudget, false);
  const within = await svc.compress(elements, { tokenBudget: tokensBefore });
  assert.equal(within.withinBudget, true);
});

Deno.test("compress counts the same tokens for the same messages, however often it is called", async () => {
  const elements = CLIENTS[0]!.elements(talk(logOf(200), "ok"), 2);
  await using svc = createSvc();
  const { messages: _, ...first } = await svc.compress(elements);
  const { messages: __, ...second } = await svc.compress(elements);
  assert.deepEqual(second, first);
  assert.deepEqual(await svc.compress([]), {
    messages: [],
    ...NO_FIGURES,
    compressed: true,
    contextLimit: 128_000,
    contextBudget: 123_904,
    withinContext: true,
  });
});

Deno.test("compress reports what the model takes, the caller's own limits first, and drops nothing for it", async () => {
  await using svc = createSvc({
    modelContextLimits: { "Mine": 50, "gpt-4o": 4200 },
  });
  const messages = [{ role: "user", content: "some words ".repeat(200) }];
  const facts = async (options: CompressOptions) => {
    const result = await svc.compress(messages, options);
    assert.deepEqual(result.messages, messages);
    const { contextLimit, contextBudget, withinContext } = result;
    return [contextLimit, contextBudget, withinContext];
  };
  assert.deepEqual(await facts({}), [4200, 104, false]);
  assert.deepEqual(await facts({ outputBufferTokens: 0 }), [4200, 4200, true]);
  assert.deepEqual(await facts({ model: "mine" }), [50, 0, false]);
  assert.deepEqual(await facts({ model: "who-knows" }), [
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(
    await facts({ model: "claude-haiku-4-5", outputBufferTokens: 64_000 }),
    [200_000, 136_000, true],
  );
});

Deno.test("compress gives back the same objects where nothing changed, and touches none", async () => {
  const client = CLIENTS[0]!;
  const odd = { role: "user", content: "x", when: new Date(0), run: () => 1 };
  const elements = [...client.elements(talk(logOf(200)), 1), odd];
  const copy = structuredClone(client.elements(talk(logOf(200)), 1));
  await using svc = createSvc();
  const { messages } = await svc.compress(elements);
  assert.notEqual(messages, elements);
  assert.deepEqual(elements.slice(0, -1), copy);
  const same = messages.map((message, i) => message === elements[i]);
  assert.deepEqual(same, [true, true, false, true]);
});

Deno.test("compress gives messages back that it cannot read, with the reason", async () => {
  const problems: Problem[] = [];
  await using svc = createSvc({
    onProblem: (problem) => problems.push(problem),
  });
  const unreadable: readonly unknown[][] = [
    [null],
    ["x"],
    [{ content: "no role" }],
    [[]],
  ];
  for (const messages of unreadable) {
    const result = await svc.compress(messages);
    assert.deepEqual(result.messages, messages);
    assert.equal(result.compressed, false);
    assert.match(result.reason ?? "", /cannot|can read/);
    assert.equal(result.tokensSaved, 0);
  }
  assert(problems.every(({ stage }) => stage === "scan_chat_completions"));
  const trap = {
    role: "user",
    get content(): string {
      throw new Error("a trap");
    },
  };
  const result = await svc.compress([trap]);
  assert.equal(result.messages[0], trap);
  assert.match(result.reason ?? "", /a trap/);
});

Deno.test("compress and the others refuse arguments of the wrong type", async () => {
  await using svc = createSvc();
  const wrong: readonly [unknown, unknown, RegExp][] = [
    ["x", {}, /Cannot use messages="x": must be an array/],
    [[], { model: "" }, /options\.model="": must be the name/],
    [[], { tokenBudget: 0 }, /tokenBudget=0/],
    [[], { outputBufferTokens: -1 }, /outputBufferTokens=-1/],
    [[], { protectRecent: 1.5 }, /protectRecent=1.5/],
    [[], { lossless: "yes" }, /lossless="yes": must be true or false/],
    [[], { format: "xml" }, /format="xml": must be "anthropic"/],
    [[], { headroomMode: "off" }, /headroomMode="off"/],
    [[], { signal: {} }, /must be an AbortSignal/],
    [[], null, /options=null/],
  ];
  for (const [messages, options, message] of wrong) {
    const call = () =>
      svc.compress(
        messages as readonly unknown[],
        options as CompressOptions,
      );
    await assert.rejects(call, (error) => {
      assert(error instanceof ValidationError);
      assert.match(error.message, message);
      return true;
    });
  }
  await assert.rejects(svc.retrieve(3 as unknown as string), ValidationError);
  await assert.rejects(
    svc.simulate({} as unknown as readonly unknown[]),
    ValidationError,
  );
});

Deno.test("createSvc refuses settings of the wrong type", () => {
  const wrong: readonly unknown[] = [
    { codeAware: 1 },
    { store: "memory" },
    { store: { backend: "redis" } },
    { store: { backend: "sqlite" } },
    { store: { ttlSeconds: 0 } },
    { onProblem: "log" },
    { modelContextLimits: { m: 1.5 } },
    { modelContextLimits: 5 },
  ];
  for (const options of wrong) {
    assert.throws(() => createSvc(options as SvcOptions), ConfigurationError);
  }
});

Deno.test("compress rejects with what its signal was aborted with", async () => {
  await using svc = createSvc();
  const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);
  const reason = new RangeError("enough");
  const signal = AbortSignal.abort(reason);
  await assert.rejects(svc.compress(elements, { signal }), reason);
  const stop = new AbortController();
  const call = svc.compress(elements, { signal: stop.signal });
  stop.abort();
  await assert.rejects(call, { name: "AbortError" });
});

Deno.test("compress follows the rules for tools and compressors of the caller's", async () => {
  const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);
  await using never = createSvc({
    toolPolicy: [{ pattern: "BASH", rule: "never" }],
  });
  assert.equal((await never.compress(elements)).tokensSaved, 0);
  await using own = createSvc({
    compressors: [{
      recognise: () => 1,
      compressor: {
        id: "first_line",
        compress: (text) => ({
          type: "elided",
          text: text.split("\n")[0]!,
          omitted: { count: 199, total: 200, unit: "lines" },
        }),
      },
    }],
  });
  const { transformsApplied } = await own.compress(elements);
  assert.deepEqual(transformsApplied, ["router:first_line"]);
});

Deno.test("compress reports under audit and simulate, and gives the messages back", async () => {
  const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);
  await using svc = createSvc();
  for (const headroomMode of ["audit", "simulate"] as const) {
    const result = await svc.compress(elements, { headroomMode });
    assert.deepEqual(result.messages, elements);
    assert.deepEqual(result.ccrHashes, []);
    assert(result.tokensSaved > 0);
  }
});

Deno.test("retrieve gives an original back, or a part of it, as long as it is kept", async () => {
  const text = logOf(200);
  await using svc = createSvc();
  const { ccrHashes: [hash] } = await svc.compress(
    CLIENTS[0]!.elements(talk(text), 1),
  );
  const whole = await svc.retrieve(hash!);
  assert(whole.success);
  assert.equal(whole.originalContent, text);
  assert.equal(whole.originalItemCount, 200);
  const part = await svc.retrieve(hash!, { lines: "3" });
  assert(part.success);
  assert.equal(part.part, "line 3 of 200");
  const none = await svc.retrieve(hash!, { lines: "900" });
  assert(!none.success);
  assert.equal(none.status, "bad_part");
  const missing = await svc.retrieve("0".repeat(24));
  assert.deepEqual({ ...missing, error: "" }, {
    success: false,
    hash: "0".repeat(24),
    error: "",
    status: "missing",
    ttlSeconds: 1800,
  });
});

Deno.test("compress no longer leaves out what the model asks for again and again", async () => {
  const client: ClientFormat = CLIENTS[0]!;
  const conversation = talk(logOf(200), logOf(150, "task"));
  await using svc = createSvc();
  const { ccrHashes: [hash] } = await svc.compress(
    client.elements(conversation, 1),
  );
  for (let i = 0; i < 2; i++) await svc.retrieve(hash!);
  const { ccrHashes } = await svc.compress(client.elements(conversation, 2));
  assert.deepEqual(ccrHashes, [hash]);
});

Deno.test("createSvc leaves a store open that it was given, and refuses work once it is closed", async () => {
  const clock = new FakeClock();
  await using store = openMapStore({ ttlSeconds: 60, clock });
  const svc = createSvc({ store });
  const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);
  await svc.compress(elements);
  await svc.close();
  await svc.close();
  assert.equal(store.stats().entries, 1);
  await store.write({ now: clock.now(), clear: "all" });
  await assert.rejects(svc.compress(elements), /it is closed/);
});

Deno.test("compressText keeps the original where retrieve finds it, with the instance's settings", async () => {
  const text = logOf(200);
  await using svc = createSvc();
  const { text: form } = await svc.compressText(text);
  const hash = /hash=([0-9a-f]{24})/.exec(form)?.[1];
  const found = await svc.retrieve(hash!);
  assert(found.success && found.originalContent === text);
  await using lossless = createSvc({ lossless: true });
  assert.doesNotMatch((await lossless.compressText(text)).text, /hash=/);
});

Deno.test("compress gives the messages back when its parts cannot be opened, and tries again with the next call", async () => {
  const problems: Problem[] = [];
  let isBroken = false;
  const store = {
    backend: "memory" as const,
    get ttlSeconds(): number {
      if (isBroken) throw new RangeError("not now");
      return 60;
    },
  };
  await using svc = createSvc({
    store,
    onProblem: (problem) => problems.push(problem),
  });
  const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);
  isBroken = true;
  const failed = await svc.compress(elements);
  assert.deepEqual(failed.messages, elements);
  assert.equal(failed.reason, "not now");
  assert.deepEqual(problems, [{ stage: "open_engine", reason: "not now" }]);
  isBroken = false;
  assert.equal((await svc.compress(elements)).compressed, true);
});

import assert from "node:assert/strict";
import { absorbing } from "../../../src/sdk/failures.ts";
import { makeAttempt } from "../../../src/pipeline/attempt.ts";
import {
  clientSettings,
  type SvcClientOptions,
} from "../../../src/sdk/client/options.ts";
import {
  chatCalls,
  messageCalls,
  responsesCalls,
} from "../../../src/sdk/client/provider_calls.ts";
import { Transport } from "../../../src/sdk/client/transport.ts";
import { SvcConnectionError } from "../../../src/sdk/errors.ts";
import { collectStream } from "../../../src/sdk/sse.ts";
import { compressed, type FakeAnswer, fakeProxy } from "./fake_proxy.ts";

const ANSWER = Response.json({ id: "a" });
const messages = [{ role: "user", content: "hi" }];

function callsOf(answer: FakeAnswer = ANSWER, options: SvcClientOptions = {}) {
  const { fetch, sent } = fakeProxy(answer);
  const settings = clientSettings({ ...options, fetch }, () => undefined);
  const parts = {
    settings,
    transport: new Transport(settings),
    absorb: absorbing(makeAttempt(() => {})),
  };
  return {
    sent,
    chat: chatCalls(parts),
    responses: responsesCalls(parts),
    messages: messageCalls(parts),
  };
}

/** Runs with these variables set. */
async function withEnv(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(variables).map((name) =>
    [name, Deno.env.get(name)] as const
  );
  for (const [name, value] of Object.entries(variables)) {
    Deno.env.set(name, value);
  }
  try {
    await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}

Deno.test("the calls of each route go to its path, with the provider's key of the option", async () => {
  const { chat, responses, messages: calls, sent } = callsOf(ANSWER, {
    providerApiKey: "pk",
    apiKey: "own",
  });
  assert.deepEqual(await chat.create({ model: "m", messages }), { id: "a" });
  await responses.create({ model: "m", input: "hi" });
  await calls.create({ model: "m", messages });
  assert.deepEqual(sent.map(({ url }) => new URL(url).pathname), [
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/messages",
  ]);
  const fields = sent.map(({ headers }) =>
    ["authorization", "x-api-key", "anthropic-version"].map((name) =>
      headers.get(name)
    )
  );
  assert.deepEqual(fields, [
    ["Bearer pk", null, null],
    ["Bearer pk", null, null],
    [null, "pk", "2023-06-01"],
  ]);
});

Deno.test("the calls take the provider's key from the environment, and the client's own where there is none", async () => {
  const keys = { OPENAI_API_KEY: "ok", ANTHROPIC_API_KEY: "ak" };
  await withEnv(keys, async () => {
    const { chat, messages: calls, sent } = callsOf(ANSWER, { apiKey: "own" });
    await chat.create({ messages });
    await calls.create({ messages });
    assert.equal(sent[0]!.headers.get("authorization"), "Bearer ok");
    assert.equal(sent[1]!.headers.get("x-api-key"), "ak");
    assert.equal(sent[1]!.headers.get("authorization"), null);
  });
  await withEnv({ OPENAI_API_KEY: "" }, async () => {
    const { chat, sent } = callsOf(ANSWER, { apiKey: "own" });
    await chat.create({ messages });
    assert.equal(sent[0]!.headers.get("authorization"), "Bearer own");
  });
});

Deno.test("create sends the body without what is meant for svc, and the mode as a header", async () => {
  const { messages: calls, sent } = callsOf(ANSWER, {
    defaultMode: "audit",
    modelContextLimits: { m: 77 },
  });
  await calls.create({
    model: "m",
    messages,
    temperature: 0.5,
    headroomMode: "passthrough",
    headroom_keep_turns: 3,
    headroomToolProfiles: { run: {} },
    headroom_output_buffer_tokens: 9,
    headroomCachePrefixTokens: 1,
  });
  await calls.create({ max_tokens: 5, messages }, {
    headers: { "X-Svc-Mode": "optimize", "anthropic-version": "new" },
  });
  assert.deepEqual(sent.map(({ body }) => body), [
    { max_tokens: 1024, model: "m", messages, temperature: 0.5 },
    { max_tokens: 5, messages },
  ]);
  const said = (name: string) => sent.map(({ headers }) => headers.get(name));
  assert.deepEqual(said("x-svc-mode"), ["passthrough", "optimize"]);
  assert.deepEqual(said("x-svc-output-buffer-tokens"), ["9", null]);
  assert.deepEqual(said("x-svc-tokens-limit"), ["77", null]);
  assert.deepEqual(said("anthropic-version"), ["2023-06-01", "new"]);
});

Deno.test("create gives an answer as it came: names of models and members of tools stay", async () => {
  const answer = { model: "gpt_5", tool_input: { my_key: 1 } };
  const { chat } = callsOf(Response.json(answer));
  assert.deepEqual(await chat.create({ messages }), answer);
});

Deno.test("create and stream give the events of a stream", async () => {
  const { messages: calls, sent } = callsOf(
    new Response('event: a\ndata: {"n":1}\n\ndata: {"n":2}\n\n'),
  );
  const events = [{ n: 1 }, { n: 2 }];
  const created = await calls.create({ messages, stream: true });
  assert.deepEqual(await collectStream(created), events);
  const streamed = await calls.stream<{ n: number }>({ messages });
  assert.deepEqual(await collectStream(streamed), events);
  assert.deepEqual(sent.map(({ body }) => Object(body).stream), [true, true]);
});

Deno.test("create waits for a provider longer than for svc, and ends with the caller's signal", async () => {
  const silent = () => new Promise<never>(() => {});
  const short = callsOf(silent, { timeout: 1000, providerTimeout: 1 });
  await assert.rejects(short.chat.create({ messages }), SvcConnectionError);
  const stop = new AbortController();
  const { chat } = callsOf(silent);
  const call = chat.create({ messages }, { signal: stop.signal });
  stop.abort("enough");
  await assert.rejects(call, (thrown) => thrown === "enough");
});

Deno.test("simulate asks nobody but svc, with the conversation and the instructions of the request", async () => {
  const { chat, responses, messages: calls, sent } = callsOf((one) =>
    compressed(one).json().then((answer) =>
      Response.json({ ...answer, messages_optimized: answer.messages })
    )
  );
  const { tokensSaved } = await calls.simulate({
    model: "m",
    system: "be kind",
    messages,
    headroomKeepTurns: 1,
  });
  assert.equal(tokensSaved, 6);
  await chat.simulate({ messages });
  await responses.simulate({ model: "r", input: "hi", instructions: "x" });
  await responses.simulate({ model: "r" });
  assert(sent.every(({ url }) => url.endsWith("/v1/compress")));
  const config = { default_mode: "simulate" };
  assert.deepEqual(sent.map(({ body }) => body), [
    { messages, model: "m", system: "be kind", config },
    { messages, model: "gpt-4o", config },
    { messages, model: "r", system: "x", config },
    { messages: [], model: "r", config },
  ]);
});

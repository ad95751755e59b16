/** Real clients, wrapped, against a provider that records what leaves. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { withSvc } from "../../src/sdk/adapters/with_svc.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { type Script, startProvider } from "./scripted_provider.ts";
import { HANG_MS } from "../hang.ts";

/** A log that compresses well, with one line that matters. */
const log = (name: string) =>
  Array.from(
    { length: 150 },
    (_, i) => i === 70 ? `ERROR ${name} failed` : `INFO ${name} step ${i} done`,
  ).join("\n");

const LOGS = ["alpha", "beta", "gamma"].map(log);

async function run(
  script: Script,
  test: (
    provider: ReturnType<typeof startProvider>,
    svc: ReturnType<typeof createSvc>,
  ) => Promise<void>,
): Promise<void> {
  await using provider = startProvider(script);
  await using svc = createSvc();
  await test(provider, svc);
}

const say = () => ({ text: "Fine." });

/** The conversation array of each request, each element as JSON. */
function sent(
  { received }: ReturnType<typeof startProvider>,
  key = "messages",
): readonly (readonly string[])[] {
  return received.flatMap(({ json }) => {
    const list = json?.[key];
    return Array.isArray(list) ? [list.map((one) => JSON.stringify(one))] : [];
  });
}

/** Every request begins with all of the one before, and no log goes out whole. */
function assertGrows(requests: readonly (readonly string[])[]): void {
  assert(requests.length > 1);
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1] ?? [];
    assert.deepEqual(request.slice(0, before.length), before);
    const json = request.join();
    assert(json.includes("failed"), "the failure is kept");
    for (const whole of LOGS) {
      assert(!json.includes(JSON.stringify(whole).slice(1, -1)));
    }
  }
}

const chatCall = (id: string) => ({
  id,
  type: "function" as const,
  function: { name: "Bash", arguments: '{"command":"run"}' },
});

/** Chat messages with as many results as asked for. */
function chat(
  results: number,
): OpenAI.Chat.Completions.ChatCompletionMessageParam[] {
  return [
    { role: "user", content: "Did it work?" },
    ...LOGS.slice(0, results).flatMap((content, i) => [
      {
        role: "assistant" as const,
        content: null,
        tool_calls: [chatCall(`c${i}`)],
      },
      { role: "tool" as const, tool_call_id: `c${i}`, content },
    ]),
  ];
}

Deno.test("withSvc compresses every way of asking for chat completions, the same bytes each time", async () => {
  await run(say, async (provider, svc) => {
    const given = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "sk" });
    const client = withSvc(given, { svc });
    assert(client instanceof OpenAI);
    assert.equal(withSvc(client), client);
    const { completions } = client.chat;
    const model = "gpt-4o";
    const messages = chat(3);
    const copy = structuredClone(messages);
    const first = await completions.create({ model, messages: chat(1) });
    assert.equal(first.choices[0]?.message.content, "Fine.");
    const stream = await completions.create({
      model,
      messages: chat(2),
      stream: true,
    });
    let text = "";
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
    }
    assert.equal(text, "Fine.");
    await completions.stream({ model, messages }).finalChatCompletion();
    await completions.parse({ model, messages });
    await client.withOptions({ timeout: HANG_MS }).chat.completions.create({
      model,
      messages,
    });
    const { data, response } = await completions.create({ model, messages })
      .withResponse();
    assert.equal(data.choices[0]?.message.content, "Fine.");
    assert.equal(response.status, 200);
    const raw = await completions.create({ model, messages }).asResponse();
    assert.equal((await raw.json()).choices[0].message.content, "Fine.");
    assertGrows(sent(provider));
    assert.equal(sent(provider).length, 7);
    assert.deepEqual(messages, copy);
    const models = await client.models.list();
    assert.equal(models.data[0]?.id, "test-model");
    await given.chat.completions.create({ model, messages });
    assert.deepEqual(
      sent(provider).at(-1),
      messages.map((m) => JSON.stringify(m)),
    );
  });
});

Deno.test("withSvc compresses in the tool loop of the OpenAI client", async () => {
  const script: Script = (_, n) =>
    n < 3 ? { calls: [{ tool: "Bash", input: { n } }] } : say();
  await run(script, async (provider, svc) => {
    const client = withSvc(
      new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "sk" }),
      { svc },
    );
    const runner = client.chat.completions.runTools({
      model: "gpt-4o",
      messages: chat(0),
      tools: [{
        type: "function",
        function: {
          name: "Bash",
          description: "Runs",
          parameters: { type: "object" },
          parse: JSON.parse,
          function: ({ n }: { n: number }) => LOGS[n]!,
        },
      }],
    });
    assert.equal(await runner.finalContent(), "Fine.");
    assertGrows(sent(provider).slice(1));
  });
});

/** Items with as many results as asked for. */
function items(results: number): OpenAI.Responses.ResponseInput {
  return [
    { role: "user", content: "Did it work?" },
    ...LOGS.slice(0, results).flatMap((output, i) => [
      {
        type: "function_call" as const,
        call_id: `c${i}`,
        name: "Bash",
        arguments: "{}",
      },
      { type: "function_call_output" as const, call_id: `c${i}`, output },
    ]),
  ];
}

Deno.test("withSvc compresses every way of asking for responses", async () => {
  await run(say, async (provider, svc) => {
    const client = withSvc(
      new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "sk" }),
      { svc },
    );
    const model = "gpt-5";
    const first = await client.responses.create({ model, input: items(1) });
    assert.equal(first.output_text, "Fine.");
    const stream = client.responses.stream({ model, input: items(2) });
    assert.equal((await stream.finalResponse()).output_text, "Fine.");
    await client.responses.parse({ model, input: items(3) });
    await client.responses.create({ model, input: "Just a text" });
    assertGrows(sent(provider, "input"));
    assert.equal(provider.received.at(-1)?.json?.input, "Just a text");
  });
});

const toolUse = (id: string) => ({
  type: "tool_use" as const,
  id,
  name: "Bash",
  input: {},
});

/** Messages of content blocks with as many results as asked for. */
function blocks(results: number): Anthropic.MessageParam[] {
  return [
    { role: "user", content: "Did it work?" },
    ...LOGS.slice(0, results).flatMap((content, i) => [
      { role: "assistant" as const, content: [toolUse(`t${i}`)] },
      {
        role: "user" as const,
        content: [{
          type: "tool_result" as const,
          tool_use_id: `t${i}`,
          content,
          cache_control: { type: "ephemeral" as const },
        }],
      },
    ]),
  ];
}

Deno.test("withSvc compresses every way of asking for messages, the same bytes each time", async () => {
  await run(say, async (provider, svc) => {
    const given = new Anthropic({ baseURL: provider.url, apiKey: "sk" });
    const client = withSvc(given, { svc });
    assert(client instanceof Anthropic);
    const model = "claude-sonnet-5";
    const ask = { model, max_tokens: 100 };
    const first = await client.messages.create({ ...ask, messages: blocks(1) });
    assert.equal(first.content[0]?.type, "text");
    const stream = client.messages.stream({ ...ask, messages: blocks(2) });
    const texts: string[] = [];
    stream.on("text", (text) => void texts.push(text));
    await stream.finalMessage();
    assert.equal(texts.join(""), "Fine.");
    const messages = blocks(3);
    for await (
      const event of await client.messages.create({
        ...ask,
        messages,
        stream: true,
      })
    ) assert(event.type);
    await client.beta.messages.create({ ...ask, messages });
    await client.beta.messages.stream({ ...ask, messages }).finalMessage();
    const { request_id: _, response } = await client.messages
      .create({ ...ask, messages }).withResponse();
    assert.equal(response.status, 200);
    await client.messages.countTokens({ model, messages });
    assertGrows(sent(provider));
    assert.equal(sent(provider).length, 7);
    assert(sent(provider)[0]?.[2]?.includes("cache_control"));
  });
});

Deno.test("withSvc compresses in the tool runner of the Anthropic client", async () => {
  const script: Script = (_, n) =>
    n < 3 ? { calls: [{ tool: "Bash", input: { n } }] } : say();
  await run(script, async (provider, svc) => {
    const client = withSvc(
      new Anthropic({ baseURL: provider.url, apiKey: "sk" }),
      { svc },
    );
    const runner = client.beta.messages.toolRunner({
      model: "claude-sonnet-5",
      max_tokens: 100,
      messages: [{ role: "user", content: "Did it work?" }],
      tools: [{
        name: "Bash",
        description: "Runs",
        input_schema: { type: "object" },
        parse: (input: unknown) => input as { n: number },
        run: ({ n }: { n: number }) => LOGS[n]!,
      }],
    });
    const last = await runner.runUntilDone();
    assert.equal(last.content[0]?.type, "text");
    // The provider keeps the thread: each request has the new results only.
    const results = sent(provider).slice(1).flat();
    assert.equal(results.length, LOGS.length);
    for (const [i, result] of results.entries()) {
      assert(result.includes("failed"));
      assert(result.length < LOGS[i]!.length * 0.7);
    }
  });
});

Deno.test("withSvc leaves errors, retries and aborts to the client", async () => {
  const script: Script = (_, n) =>
    n === 0
      ? { error: { status: 429, body: '{"error":{"message":"slow"}}' } }
      : n === 1
      ? { error: { status: 400, body: '{"error":{"message":"bad"}}' } }
      : n === 2
      ? { error: { status: 500, body: "{}" } }
      : say();
  await run(script, async (provider, svc) => {
    const options = { baseURL: `${provider.url}/v1`, apiKey: "sk" };
    const client = withSvc(new OpenAI({ ...options, maxRetries: 0 }), { svc });
    const anthropic = withSvc(
      new Anthropic({ baseURL: provider.url, apiKey: "sk", maxRetries: 0 }),
      { svc },
    );
    const request = { model: "gpt-4o", messages: chat(1) };
    await assert.rejects(
      client.chat.completions.create(request),
      OpenAI.RateLimitError,
    );
    await assert.rejects(
      anthropic.messages.create({
        model: "claude-sonnet-5",
        max_tokens: 1,
        messages: blocks(1),
      }),
      Anthropic.BadRequestError,
    );
    await assert.rejects(
      client.chat.completions.create(request, {
        signal: AbortSignal.abort(),
      }),
      OpenAI.APIUserAbortError,
    );
    assert.equal(provider.received.length, 2);
    await assert.rejects(
      client.chat.completions.create(request),
      OpenAI.InternalServerError,
    );
    await client.chat.completions.create(request);
    const [, , failed, answered] = provider.received.map(({ body }) =>
      new TextDecoder().decode(body)
    );
    assert.equal(failed, answered);
  });
});

Deno.test("withSvc sends the same body again when the client tries again", async () => {
  const script: Script = (_, n) =>
    n === 0 ? { error: { status: 500, body: "{}" } } : say();
  await run(script, async (provider, svc) => {
    const waits = { "retry-after-ms": "1" };
    const client = withSvc(
      new OpenAI({
        baseURL: `${provider.url}/v1`,
        apiKey: "sk",
        maxRetries: 1,
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          const headers = response.ok ? response.headers : new Headers(waits);
          return new Response(response.body, {
            status: response.status,
            headers,
          });
        },
      }),
      { svc },
    );
    await client.chat.completions.create({
      model: "gpt-4o",
      messages: chat(2),
    });
    const [first, second] = sent(provider);
    assert(first!.join().length < chat(2).join().length + LOGS[0]!.length);
    assert.deepEqual(second, first);
  });
});

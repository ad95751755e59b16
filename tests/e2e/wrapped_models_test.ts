/** Models of the `ai` package and Google's client, wrapped, against a provider that records what leaves. */
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import {
  type CallableTool,
  type Content,
  type FunctionCall,
  GoogleGenAI,
  type Part,
} from "@google/genai";
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { svcMiddleware } from "../../src/sdk/adapters/vercel.ts";
import { withSvc } from "../../src/sdk/adapters/with_svc.ts";
import { vercelRetrieveTool } from "../../src/sdk/retrieve_tools.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { type Script, startProvider } from "./scripted_provider.ts";

/** Rows that compress well, with one that matters. */
const rows = (name: string) =>
  Array.from({ length: 100 }, (_, id) => ({
    id,
    name: `${name} ${id}`,
    state: id === 40 ? "failed" : "done",
  }));

const TABLES = ["alpha", "beta", "gamma"].map(rows);

/** Every request begins with all of the one before, and no table goes out whole. */
function assertGrows(requests: readonly (readonly string[])[]): void {
  assert(requests.length > 1);
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1] ?? [];
    assert.deepEqual(request.slice(0, before.length), before);
    const json = request.join();
    assert(json.includes("failed"), "the failure is kept");
    for (const table of TABLES) {
      assert(!json.replaceAll("\\", "").includes(JSON.stringify(table)));
    }
  }
}

const loop: Script = (_, n) =>
  n < 3 ? { calls: [{ tool: "rows", input: { n } }] } : { text: "Fine." };

function rowsTool() {
  return tool({
    description: "Rows",
    inputSchema: jsonSchema<{ n: number }>({ type: "object" }),
    execute: ({ n }) => TABLES[n]!,
  });
}

Deno.test("withSvc compresses in the tool loops of the ai package, the same bytes in every step", async () => {
  for (const isStreamed of [false, true]) {
    await using provider = startProvider(loop);
    await using svc = createSvc();
    const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: "k" });
    const model = openai.chat("gpt-4o");
    const call = {
      model: isStreamed
        ? wrapLanguageModel({ model, middleware: svcMiddleware({ svc }) })
        : withSvc(model, { svc }),
      prompt: "Did it work?",
      tools: { rows: rowsTool() },
      stopWhen: isStepCount(5),
      maxRetries: 0,
      providerOptions: { svc: { headroomMode: "optimize" } },
    };
    const text = isStreamed
      ? await streamText(call).text
      : (await generateText(call)).text;
    assert.equal(text, "Fine.");
    const sent = provider.received.map(({ json }) =>
      (json!.messages as unknown[]).map((one) => JSON.stringify(one))
    );
    assert.equal(sent.length, 4);
    assertGrows(sent.slice(1));
    assert(
      !JSON.stringify(provider.received.map(({ json }) => json))
        .includes("headroom"),
    );
  }
});

Deno.test("withSvc passes everything else of a model through, its errors too", async () => {
  await using provider = startProvider(() => ({
    error: { status: 400, body: '{"error":{"message":"bad"}}' },
  }));
  await using svc = createSvc();
  const given = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: "k" })
    .chat("gpt-4o");
  const model = withSvc(given, { svc });
  assert.equal(model.modelId, "gpt-4o");
  assert.equal(model.provider, given.provider);
  assert.equal(model.specificationVersion, given.specificationVersion);
  assert(model instanceof given.constructor);
  await assert.rejects(
    generateText({ model, prompt: "Hello", maxRetries: 0 }),
    APICallError,
  );
});

Deno.test("vercelRetrieveTool answers the model that asks for what was left out", async () => {
  const key = /hash=([0-9a-f]{24})/;
  const asked: string[] = [];
  await using provider = startProvider(({ body }, n) => {
    const text = new TextDecoder().decode(body);
    asked.push(text);
    if (n === 0) return { calls: [{ tool: "rows", input: { n: 0 } }] };
    const hash = key.exec(text)?.[1];
    return n === 1
      ? { calls: [{ tool: "headroom_retrieve", input: { hash } }] }
      : { text: "Fine." };
  });
  await using svc = createSvc();
  const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: "k" });
  const lines = Array.from({ length: 300 }, (_, i) => `INFO step ${i} done`);
  const { text } = await generateText({
    model: withSvc(openai.chat("gpt-4o"), { svc }),
    prompt: "Did it work?",
    tools: {
      rows: tool({
        inputSchema: jsonSchema({ type: "object" }),
        execute: () => lines.join("\n"),
      }),
      headroom_retrieve: vercelRetrieveTool(svc),
    },
    stopWhen: isStepCount(5),
  });
  assert.equal(text, "Fine.");
  assert(!asked[1]!.includes("INFO step 150 done"));
  assert(asked[2]!.includes("INFO step 150 done"));
});

/** A provider of Google's kind: answers with calls of `rows` until it has been asked often enough. */
function startGoogle(calls: number) {
  const bodies: Record<string, unknown>[] = [];
  let asked = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      bodies.push(await request.json());
      if (request.url.includes("countTokens")) {
        return Response.json({ totalTokens: 7 });
      }
      const n = asked++;
      const part: Part = n < calls
        ? { functionCall: { name: "rows", args: { n } } }
        : { text: "Fine." };
      const answer = {
        candidates: [{
          content: { role: "model", parts: [part] },
          finishReason: "STOP",
        }],
      };
      return request.url.includes("alt=sse")
        ? new Response(`data: ${JSON.stringify(answer)}\r\n\r\n`, {
          headers: { "content-type": "text/event-stream" },
        })
        : Response.json(answer);
    },
  );
  return {
    bodies,
    client: new GoogleGenAI({
      apiKey: "k",
      httpOptions: { baseUrl: `http://127.0.0.1:${server.addr.port}` },
    }),
    sent: () =>
      bodies.map(({ contents }) =>
        (contents as unknown[]).map((one) => JSON.stringify(one))
      ),
    stop: () => server.shutdown(),
  };
}

/** Contents with as many results as asked for. */
function contents(results: number): Content[] {
  return [
    { role: "user", parts: [{ text: "Did it work?" }] },
    ...TABLES.slice(0, results).flatMap((output, n) => [
      {
        role: "model",
        parts: [{ functionCall: { name: "rows", args: { n } } }],
      },
      {
        role: "user",
        parts: [{ functionResponse: { name: "rows", response: { output } } }],
      },
    ]),
  ];
}

const MODEL = "gemini-2.5-flash";

Deno.test("withSvc compresses every way of asking Google's client, the same bytes each time", async () => {
  const google = startGoogle(0);
  await using svc = createSvc();
  const client = withSvc(google.client, { svc });
  try {
    assert(client instanceof GoogleGenAI);
    const all = contents(3);
    const copy = structuredClone(all);
    const first = await client.models.generateContent({
      model: MODEL,
      contents: contents(1),
    });
    assert.equal(first.text, "Fine.");
    let text = "";
    for await (
      const chunk of await client.models.generateContentStream({
        model: MODEL,
        contents: contents(2),
      })
    ) text += chunk.text ?? "";
    assert.equal(text, "Fine.");
    const { totalTokens } = await client.models.countTokens({
      model: MODEL,
      contents: all,
    });
    assert.equal(totalTokens, 7);
    const chat = client.chats.create({
      model: MODEL,
      history: all.slice(0, 6),
    });
    const { text: said } = await chat.sendMessage({
      message: all[6]!.parts!,
    });
    assert.equal(said, "Fine.");
    for await (
      const chunk of await chat.sendMessageStream({ message: "And now?" })
    ) assert.equal(chunk.text, "Fine.");
    assert.deepEqual(chat.getHistory()[6], all[6]);
    assertGrows(google.sent());
    assert.equal(google.sent().length, 5);
    assert.deepEqual(all, copy);
    await google.client.models.generateContent({ model: MODEL, contents: all });
    assert.deepEqual(google.bodies.at(-1)?.contents, all);
  } finally {
    await google.stop();
  }
});

Deno.test("withSvc compresses where Google's client calls functions on its own", async () => {
  const google = startGoogle(3);
  await using svc = createSvc();
  const { models } = withSvc(google.client, { svc });
  const callable: CallableTool = {
    tool: () => Promise.resolve({ functionDeclarations: [{ name: "rows" }] }),
    callTool: (calls: FunctionCall[]) =>
      Promise.resolve(calls.map(({ args }) => ({
        functionResponse: {
          name: "rows",
          response: { output: TABLES[Number(args?.n)] },
        },
      }))),
  };
  try {
    const { text } = await models.generateContent({
      model: MODEL,
      contents: "Did it work?",
      config: { tools: [callable] },
    });
    assert.equal(text, "Fine.");
    assert.equal(google.sent().length, 4);
    assertGrows(google.sent().slice(1));
  } finally {
    await google.stop();
  }
});

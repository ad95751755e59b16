import {
  adapterParts,
  compressRequest,
  declaresRetrieval,
} from "../../../src/sdk/adapters/compress_request.ts";
import { createSvc } from "../../../src/sdk/svc.ts";
import { fakeCompress, LONG, SHORT } from "./fake_compress.ts";
import { retrieveTool } from "../../../src/sdk/retrieve_tools.ts";
import assert from "node:assert/strict";

const FACTS = { format: "openai", key: "messages", tools: undefined } as const;
const ASK = { role: "user", content: "Hello" };

Deno.test("compressRequest puts shorter messages into a copy and leaves everything else the same object", async () => {
  const { compress, asked } = fakeCompress();
  const parts = adapterParts({ compress, tokenBudget: 7, query: "q" });
  const tools = [{ name: "other" }];
  const request = { model: "m", messages: [ASK, LONG], tools };
  const made = await compressRequest(parts, request, { ...FACTS, tools });
  assert.deepEqual(made, { model: "m", messages: [ASK, SHORT], tools });
  assert.equal(made.messages[0], ASK);
  assert.equal(made.tools, tools);
  assert.deepEqual(request.messages, [ASK, LONG]);
  assert.deepEqual(asked, [{
    tokenBudget: 7,
    query: "q",
    model: "m",
    lossless: true,
    format: "openai",
  }]);
});

Deno.test("compressRequest gives the request itself back when nothing became shorter", async () => {
  const parts = adapterParts(fakeCompress());
  for (
    const request of [
      { messages: [ASK] },
      { messages: [] },
      { messages: "Hello" },
      {},
    ]
  ) assert.equal(await compressRequest(parts, request, FACTS), request);
});

Deno.test("compressRequest allows gaps only where the request declares the tool", async () => {
  const { compress, asked } = fakeCompress();
  const tools = [{ name: "headroom_retrieve" }];
  const request = { messages: [ASK] };
  for (const options of [{ compress }, { compress, lossless: true }]) {
    const parts = adapterParts(options);
    await compressRequest(parts, request, FACTS);
    await compressRequest(parts, request, { ...FACTS, tools });
  }
  assert.deepEqual(asked.map(({ lossless }) => lossless), [
    true,
    undefined,
    true,
    true,
  ]);
});

Deno.test("compressRequest takes the members for svc away and does what they ask", async () => {
  const { compress, asked } = fakeCompress();
  const parts = adapterParts({ compress });
  const request = {
    ...{ messages: [LONG], headroomKeepTurns: 3 },
    headroom_output_buffer_tokens: 9,
  };
  const modes = ["simulate", "passthrough", "optimize"];
  const made = await Promise.all(
    modes.map((headroom_mode) =>
      compressRequest(parts, { ...request, headroom_mode }, FACTS)
    ),
  );
  assert.deepEqual(made, [
    { messages: [LONG] },
    { messages: [LONG] },
    { messages: [SHORT] },
  ]);
  assert.deepEqual(asked.map(({ headroomMode }) => headroomMode), [
    "simulate",
    "optimize",
  ]);
  assert.deepEqual(asked.map(({ outputBufferTokens }) => outputBufferTokens), [
    9,
    9,
  ]);
});

Deno.test("compressRequest takes the model of the options, else of the request, else of the client", async () => {
  const { compress, asked } = fakeCompress();
  const messages = [ASK];
  const facts = { ...FACTS, model: "of client" };
  const parts = adapterParts({ compress });
  const fixed = adapterParts({ compress, model: "of options" });
  await compressRequest(fixed, { model: "of request", messages }, facts);
  await compressRequest(parts, { model: "of request", messages }, facts);
  await compressRequest(parts, { messages }, facts);
  await compressRequest(parts, { messages }, FACTS);
  assert.deepEqual(asked.map(({ model }) => model), [
    "of options",
    "of request",
    "of client",
    undefined,
  ]);
});

Deno.test("compressRequest sends the original when compression or a hook of the caller's fails, and says so once", async () => {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown) => void problems.push(problem);
  const request = { messages: [LONG] };
  const broken = adapterParts({
    compress: () => Promise.reject(new TypeError("broken")),
    onProblem,
  });
  assert.equal(await compressRequest(broken, request, FACTS), request);
  assert.equal(await compressRequest(broken, request, FACTS), request);
  const hooked = adapterParts({
    ...fakeCompress(),
    onCompressed: () => {
      throw new TypeError("hook");
    },
    onProblem,
  });
  const made = await compressRequest(hooked, request, FACTS);
  assert.deepEqual(made, { messages: [SHORT] });
  assert.deepEqual(problems, [
    { stage: "compress_request", reason: "TypeError: broken" },
    { stage: "on_compressed", reason: "TypeError: hook" },
  ]);
});

Deno.test("compressRequest leaves an aborted request to the client without a word", async () => {
  const problems: unknown[] = [];
  await using svc = createSvc();
  const parts = adapterParts({
    svc,
    onProblem: (problem) => void problems.push(problem),
  });
  for (const reason of [undefined, new Error("enough")]) {
    const request = { messages: [LONG] };
    const signal = AbortSignal.abort(reason);
    const facts = { ...FACTS, signal };
    assert.equal(await compressRequest(parts, request, facts), request);
  }
  assert.deepEqual(problems, []);
});

const FORMATS = [
  "anthropic",
  "openai",
  "responses",
  "vercel",
  "google",
] as const;

Deno.test("declaresRetrieval finds the tool in the way of every provider, alone, in a group and by name", () => {
  for (const format of FORMATS) {
    const tool = retrieveTool(format);
    assert(declaresRetrieval([{ name: "other" }, tool]), format);
    assert(declaresRetrieval([{ functionDeclarations: [tool] }]), format);
  }
  assert(declaresRetrieval({ headroom_retrieve: {} }));
  assert(declaresRetrieval([{ name: "mcp__svc__headroom_retrieve" }]));
  assert(declaresRetrieval([{ tools: [{ name: "headroom_retrieve" }] }]));
});

Deno.test("declaresRetrieval finds nothing where only something like it is declared", () => {
  for (
    const tools of [
      undefined,
      null,
      "headroom_retrieve",
      [],
      {},
      [null, 5, "headroom_retrieve"],
      [{ name: "retrieve", description: "headroom_retrieve" }],
      [{ name: "headroom_retrieve_all" }],
      { other: { name: "headroom_retrieve" } },
    ]
  ) assert(!declaresRetrieval(tools), JSON.stringify(tools));
});

import assert from "node:assert/strict";
import { adapterParts } from "../../../src/sdk/adapters/compress_request.ts";
import {
  isGoogleClient,
  wrapGoogleClient,
} from "../../../src/sdk/adapters/google.ts";
import { fakeCompress, SHORT } from "./fake_compress.ts";

const LONG = { role: "user", parts: [{ text: "long" }] };
const PART = { functionResponse: { response: { output: "long" } } };

/** Models that have no place where all requests pass. */
class Models {
  generateContent = (params: unknown) => Promise.resolve(params);
  generateContentStream = (params: unknown) => Promise.resolve(params);
  countTokens = (params: unknown) => Promise.resolve(params);
  other = () => this;
}

Deno.test("wrapGoogleClient compresses contents in each way of writing them", async () => {
  const { compress, asked } = fakeCompress();
  const client = { models: new Models(), chats: {}, apiKey: "k" };
  const wrapped = wrapGoogleClient(client, adapterParts({ compress }));
  const { models } = wrapped;
  assert.equal(wrapped.apiKey, "k");
  assert.equal(wrapped.chats, client.chats);
  assert(models instanceof Models);
  assert.equal(models.other(), client.models);
  for (
    const [contents, made] of [
      [[LONG], [SHORT]],
      [LONG, SHORT],
      [PART, SHORT],
      [[PART, "and"], [SHORT, "and"]],
      ["long", "long"],
    ]
  ) {
    for (const name of ["generateContent", "generateContentStream"] as const) {
      const params = { model: "m", contents };
      assert.deepEqual(await models[name](params), {
        model: "m",
        contents: made,
      });
    }
  }
  assert.deepEqual(
    await models.countTokens({ contents: [LONG] }),
    { contents: [SHORT] },
  );
  assert.deepEqual(asked[0], { model: "m", lossless: true, format: "google" });
});

Deno.test("wrapGoogleClient reads tools, signal and what is meant for svc from the config", async () => {
  const { compress, asked } = fakeCompress();
  const { models } = wrapGoogleClient(
    { models: new Models() },
    adapterParts({ compress }),
  );
  const tools = [{ functionDeclarations: [{ name: "headroom_retrieve" }] }];
  const { signal: abortSignal } = new AbortController();
  const own = { headroomMode: "audit", headroomOutputBufferTokens: 7 };
  const config = { tools, abortSignal, ...own };
  assert.deepEqual(await models.generateContent({ contents: [LONG], config }), {
    contents: [LONG],
    config: { tools, abortSignal },
  });
  assert.deepEqual(asked, [{
    headroomMode: "audit",
    outputBufferTokens: 7,
    signal: abortSignal,
    format: "google",
  }]);
});

/** A model of the older package. */
class GenerativeModel {
  readonly model = "models/m";
  readonly tools = [{ functionDeclarations: [{ name: "headroom_retrieve" }] }];
  generateContent = (request: unknown) => Promise.resolve(request);
  generateContentStream = (request: unknown) => Promise.resolve(request);
  startChat(_: unknown) {
    const sent: unknown[] = [];
    return {
      sendMessage: (request: unknown) => Promise.resolve(sent.push(request)),
      sendMessageStream: (request: unknown) => Promise.resolve(request),
      getHistory: () => sent,
    };
  }
}

Deno.test("wrapGoogleClient wraps the models of the older package, and their chats", async () => {
  const { compress, asked } = fakeCompress();
  const client = { getGenerativeModel: (_: object) => new GenerativeModel() };
  assert(isGoogleClient(client));
  const wrapped = wrapGoogleClient(client, adapterParts({ compress }));
  const model = wrapped.getGenerativeModel({ model: "m" });
  assert(model instanceof GenerativeModel);
  assert.deepEqual(await model.generateContent({ contents: [LONG] }), {
    contents: [SHORT],
  });
  assert.equal(await model.generateContent("long"), "long");
  const chat = model.startChat({ tools: [] });
  await chat.sendMessage([PART]);
  assert.deepEqual(await chat.sendMessageStream([PART]), [SHORT]);
  assert.deepEqual(chat.getHistory(), [[SHORT]]);
  assert.deepEqual(asked.map(({ lossless }) => lossless), [
    undefined,
    true,
    true,
  ]);
  assert.equal(asked[0]?.model, "models/m");
});

Deno.test("isGoogleClient knows a client, its models and a model by their methods", () => {
  assert(isGoogleClient({ models: new Models() }));
  assert(isGoogleClient(new Models()));
  assert(isGoogleClient(new GenerativeModel()));
  assert(!isGoogleClient({ models: { list: () => {} } }));
  assert(!isGoogleClient({}));
});

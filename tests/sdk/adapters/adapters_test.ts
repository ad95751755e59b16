import {
  isLanguageModel,
  svcMiddleware,
  wrapLanguageModel,
} from "../../../src/sdk/adapters/vercel.ts";
import { adapterParts } from "../../../src/sdk/adapters/compress_request.ts";
import {
  methodOf,
  passThrough,
  replaceMethod,
} from "../../../src/sdk/adapters/pass_through.ts";
import assert from "node:assert/strict";
import { withSvc } from "../../../src/sdk/adapters/with_svc.ts";
import { ConfigurationError } from "../../../src/sdk/errors.ts";
import { fakeCompress, LONG, SHORT } from "./fake_compress.ts";

const echo = (request: unknown) => Promise.resolve(request);

Deno.test("withSvc knows each kind of client and returns one of the same type", async () => {
  const compress = fakeCompress();
  const body = { messages: [LONG] };
  const chat = withSvc({ chat: { completions: { create: echo } } }, compress);
  assert.deepEqual(await chat.chat.completions.create(body), {
    messages: [SHORT],
  });
  const model = withSvc({ doGenerate: echo, doStream: echo }, compress);
  assert.deepEqual(await model.doGenerate({ prompt: [LONG] }), {
    prompt: [SHORT],
  });
  const google = withSvc(
    { models: { generateContent: echo, generateContentStream: echo } },
    compress,
  );
  assert.deepEqual(await google.models.generateContent({ contents: [LONG] }), {
    contents: [SHORT],
  });
});

Deno.test("withSvc compresses in this process when nothing else is said", async () => {
  const client = withSvc({ messages: { create: echo } });
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, state: "done" }));
  const messages = [{
    role: "user",
    content: [{
      type: "tool_result",
      tool_use_id: "t",
      content: JSON.stringify(rows),
    }],
  }];
  const sent = JSON.stringify(await client.messages.create({ messages }));
  assert(sent.length < JSON.stringify({ messages }).length / 1.5);
});

Deno.test("withSvc gives back a client that is wrapped already", () => {
  const client = withSvc({ messages: { create: echo } }, fakeCompress());
  assert.equal(withSvc(client), client);
});

Deno.test("withSvc says what it wants when it does not know a client", () => {
  for (const client of [{}, { messages: [] }, null, "client"]) {
    assert.throws(
      () => withSvc(client as object),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith("Cannot wrap this client: give one of"),
    );
  }
});

class Client {
  #secret = 1;
  name = "client";
  inner = { a: 1 };
  get secret(): number {
    return this.#secret;
  }
  set secret(value: number) {
    this.#secret = value;
  }
  add(more: number): number {
    return this.#secret += more;
  }
  self(): Client {
    return this;
  }
}

Deno.test("passThrough shows what is replaced and passes everything else through", () => {
  const client = new Client();
  const proxy = passThrough(client, { name: "other", extra: 5 });
  assert.equal(proxy.name, "other");
  assert.equal(Reflect.get(proxy, "extra"), 5);
  assert.equal(client.name, "client");
  assert(proxy instanceof Client);
  assert.equal(proxy.constructor, Client);
  assert.equal(proxy.inner, client.inner);
  assert.equal(proxy.add(2), 3);
  assert.equal(proxy.add, proxy.add);
  assert.equal(proxy.add.call(client, 1), 4);
  assert.equal(proxy.self(), client);
  proxy.secret = 9;
  assert.equal(client.secret, 9);
  assert.equal(proxy.secret, 9);
  assert.deepEqual(Object.keys(proxy), Object.keys(client));
});

Deno.test("passThrough lets what is set win over what is replaced", () => {
  const client = new Client();
  const proxy = passThrough(client, { name: "other" });
  proxy.name = "mine";
  assert.deepEqual([proxy.name, client.name], ["mine", "mine"]);
});

Deno.test("passThrough takes frozen members as they are and refuses to replace one", () => {
  const frozen = Object.freeze({ call: () => 1, other: 2 });
  assert.equal(passThrough(frozen, {}).call(), 1);
  assert.throws(() => passThrough(frozen, { other: 3 }), ConfigurationError);
});

Deno.test("methodOf gives a bound method, and replaceMethod puts another one in its place", () => {
  const client = new Client();
  assert.equal(methodOf(client, "add")?.(1), 2);
  assert.equal(methodOf(client, "name"), undefined);
  assert.equal(methodOf(undefined, "add"), undefined);
  replaceMethod(client, "add", () => 7);
  assert.equal(client.add(1), 7);
  assert(!Object.keys(client).includes("add"));
});

class Model {
  readonly modelId = "m1";
  readonly #seen: unknown[] = [];
  doGenerate(call: object): Promise<unknown> {
    this.#seen.push(call);
    return Promise.resolve(call);
  }
  doStream(call: object): Promise<unknown> {
    return Promise.resolve({ streamed: call });
  }
  get seen(): number {
    return this.#seen.length;
  }
}

Deno.test("wrapLanguageModel gives both methods the compressed prompt", async () => {
  const { compress, asked } = fakeCompress();
  const model = wrapLanguageModel(new Model(), adapterParts({ compress }));
  assert(isLanguageModel(model));
  const tools = [{ type: "function", name: "headroom_retrieve" }];
  const made = await model.doGenerate({ prompt: [LONG], tools });
  assert.deepEqual(made, { prompt: [SHORT], tools });
  assert.deepEqual(await model.doStream({ prompt: [LONG] }), {
    streamed: { prompt: [SHORT] },
  });
  assert.equal(model.seen, 1);
  assert.deepEqual(asked, [
    { model: "m1", format: "vercel" },
    { model: "m1", format: "vercel", lossless: true },
  ]);
});

Deno.test("wrapLanguageModel takes what is meant for svc out of the options of providers", async () => {
  const model = wrapLanguageModel(new Model(), adapterParts(fakeCompress()));
  const made = await model.doGenerate({
    prompt: [LONG],
    providerOptions: { svc: { headroom_mode: "passthrough" }, other: { a: 1 } },
  });
  assert.deepEqual(made, {
    prompt: [LONG],
    providerOptions: { other: { a: 1 } },
  });
});

Deno.test("wrapLanguageModel keeps as much free for the answer as the options of providers say", async () => {
  const { compress, asked } = fakeCompress();
  const model = wrapLanguageModel(new Model(), adapterParts({ compress }));
  const svc = { headroom_output_buffer_tokens: 7 };
  await model.doGenerate({ prompt: [LONG], providerOptions: { svc } });
  assert.equal(asked[0]!.outputBufferTokens, 7);
});

Deno.test("svcMiddleware compresses the prompt of a call", async () => {
  const middleware = svcMiddleware(fakeCompress());
  assert.equal(middleware.specificationVersion, "v4");
  const params = { prompt: [LONG], temperature: 0 };
  assert.deepEqual(await middleware.transformParams({ params }), {
    prompt: [SHORT],
    temperature: 0,
  });
  const older = svcMiddleware({ specificationVersion: "v3" });
  assert.equal(older.specificationVersion, "v3");
});

Deno.test("isLanguageModel wants both methods", () => {
  assert(!isLanguageModel({ doGenerate: () => {} }));
  assert(!isLanguageModel({}));
});

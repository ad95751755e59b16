import assert from "node:assert/strict";
import { adapterParts } from "../../../src/sdk/adapters/compress_request.ts";
import {
  isProviderClient,
  LaterCall,
  wrapProviderClient,
} from "../../../src/sdk/adapters/provider_client.ts";
import { fakeCompress, LONG, SHORT } from "./fake_compress.ts";

/** A client that makes its requests in one place, as those of the providers do. */
class Hooked {
  readonly sent: unknown[] = [];
  readonly #prepared: string[];
  readonly messages = {
    create: (body: object) => this.post("/v1/messages?beta=true", body),
  };
  constructor(prepared: string[] = []) {
    this.#prepared = prepared;
  }
  withOptions(_: object): Hooked {
    return new Hooked(this.#prepared);
  }
  prepareOptions({ path }: { path: string }): Promise<void> {
    this.#prepared.push(path);
    return Promise.resolve();
  }
  async post(path: string, body: unknown, method = "post"): Promise<unknown> {
    const options = { method, path, body };
    // As when the first try failed.
    await this.prepareOptions(options);
    const first = options.body;
    await this.prepareOptions(options);
    assert.equal(options.body, first);
    this.sent.push(options.body);
    return options.body;
  }
}

const parts = () => adapterParts(fakeCompress());

Deno.test("wrapProviderClient compresses every request with a conversation, on a copy that keeps the client's own hook", async () => {
  const prepared: string[] = [];
  const client = new Hooked(prepared);
  const added = Object.assign(client, { tag: "mine" });
  const { compress, asked } = fakeCompress();
  const wrapped = wrapProviderClient(added, adapterParts({ compress }));
  assert(wrapped instanceof Hooked);
  assert.equal(wrapped.tag, "mine");
  const body = { messages: [LONG], model: "m" };
  const short = { messages: [SHORT], model: "m" };
  assert.deepEqual(await wrapped.messages.create(body), short);
  assert.deepEqual(
    await wrapped.post("/v1/messages/count_tokens", body),
    short,
  );
  assert.deepEqual(await wrapped.post("/chat/completions", body), short);
  assert.deepEqual(
    await wrapped.post("/openai/responses", { input: [LONG] }),
    { input: [SHORT] },
  );
  assert.deepEqual(
    await wrapped.withOptions({}).post("/v1/messages", body),
    short,
  );
  assert.equal(asked.length, 5, "not once more for a second try");
  assert.equal(prepared.length, 10);
  assert.equal(await client.messages.create(body), body);
});

Deno.test("wrapProviderClient copies a client without withOptions by the options it was made with", async () => {
  class Older {
    readonly _options: { readonly key: string };
    constructor(options: { readonly key: string }) {
      this._options = options;
    }
    responses = {
      create: async (body: object) => {
        const options = { method: "post", path: "/responses", body };
        await this.prepareOptions(options);
        return { ...options.body, key: this._options.key };
      },
    };
    prepareOptions(_: object): Promise<void> {
      return Promise.resolve();
    }
  }
  const client = new Older({ key: "k" });
  const wrapped = wrapProviderClient(client, parts());
  assert(wrapped instanceof Older);
  const request = { input: [LONG] };
  const sent = await wrapped.responses.create(request);
  assert.deepEqual(sent, { input: [SHORT], key: "k" });
  const own = await client.responses.create(request);
  assert.deepEqual(own, { input: [LONG], key: "k" });
});

Deno.test("wrapProviderClient leaves all other requests alone", async () => {
  const wrapped = wrapProviderClient(new Hooked(), parts());
  const body = { messages: [LONG] };
  assert.equal(await wrapped.post("/v1/messages/batches", body), body);
  assert.equal(await wrapped.post("/v1/messages", body, "get"), body);
  const texts = { input: [LONG] };
  assert.equal(await wrapped.post("/embeddings", texts), texts);
  const bytes = new Uint8Array(1);
  assert.equal(await wrapped.post("/v1/messages", bytes), bytes);
  assert.equal(await wrapped.post("/v1/messages", undefined), undefined);
});

Deno.test("wrapProviderClient wraps the methods of a client that is made in another way", async () => {
  const seen: unknown[] = [];
  const record = (name: string) => (body: unknown, options?: unknown) => {
    seen.push([name, body, options]);
    return Promise.resolve(name);
  };
  const client = {
    chat: { completions: { create: record("chat"), list: record("list") } },
    messages: {
      create: record("messages"),
      countTokens: record("count"),
      stream: record("stream"),
    },
    beta: { messages: { create: record("beta") }, other: 1 },
    responses: { create: record("responses") },
  };
  const wrapped = wrapProviderClient(client, parts());
  const body = { messages: [LONG] };
  const short = { messages: [SHORT] };
  assert.equal(await wrapped.chat.completions.create(body, { x: 1 }), "chat");
  await wrapped.chat.completions.list(body);
  await wrapped.messages.create(body);
  await wrapped.messages.countTokens(body);
  await wrapped.beta.messages.create(body);
  await wrapped.responses.create({ input: [LONG] });
  await wrapped.messages.create("no request");
  assert.deepEqual(seen, [
    ["chat", short, { x: 1 }],
    ["list", body, undefined],
    ["messages", short, undefined],
    ["count", short, undefined],
    ["beta", short, undefined],
    ["responses", { input: [SHORT] }, undefined],
    ["messages", "no request", undefined],
  ]);
  assert.equal(wrapped.beta.other, 1);
});

Deno.test("isProviderClient knows a client by its methods", () => {
  assert(isProviderClient(new Hooked()));
  assert(isProviderClient({ responses: { create: () => {} } }));
  assert(!isProviderClient({ responses: { create: 1 } }));
  assert(!isProviderClient({ chat: {}, messages: undefined }));
});

Deno.test("wrapProviderClient takes what is meant for svc out of requests that it does not compress", async () => {
  const wrapped = wrapProviderClient(new Hooked(), parts());
  const ours = { headroom_mode: "audit", headroomKeepTurns: 2 };
  const embedding = { model: "m", input: "x" };
  assert.deepEqual(
    await wrapped.post("/embeddings", { ...embedding, ...ours }),
    embedding,
  );
  assert.equal(await wrapped.post("/embeddings", embedding), embedding);
  const params = { model: "m", messages: [LONG] };
  const other = { custom_id: "b", params };
  const batch = {
    requests: [{ custom_id: "a", params: { ...params, ...ours } }, other],
  };
  const sent = await wrapped.post("/v1/messages/batches", batch);
  assert.deepEqual(sent, { requests: [{ custom_id: "a", params }, other] });
  const clean = { requests: [other] };
  assert.equal(await wrapped.post("/v1/messages/batches", clean), clean);
});

/** A promise as the clients of providers make them: the body is read only when somebody asks. */
function call(seen: string[]) {
  return {
    then: <A, B>(
      done?: ((value: string) => A | PromiseLike<A>) | null,
      failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
    ) => {
      seen.push("parsed");
      return Promise.resolve("body").then(done, failed);
    },
    asResponse: () => Promise.resolve("response"),
    withResponse: () => Promise.resolve(["body", "response"]),
  };
}

Deno.test("LaterCall gives the result, once, after what it waits for", async () => {
  const seen: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const later = new LaterCall(ready, () => {
    seen.push("called");
    return call(seen);
  });
  assert(later instanceof Promise);
  assert.deepEqual(seen, []);
  resolve();
  assert.equal(await later, "body");
  assert.equal(await later.finally(() => {}), "body");
  assert.equal(await later.then((body) => `${body}!`), "body!");
  assert.deepEqual(seen, ["called", "parsed"]);
});

Deno.test("LaterCall asks the call's own promise for the response, and reads nothing else", async () => {
  const seen: string[] = [];
  const later = new LaterCall(Promise.resolve(), () => call(seen));
  assert.equal(await later.asResponse(), "response");
  assert.deepEqual(await later.withResponse(), ["body", "response"]);
  assert.deepEqual(seen, []);
});

Deno.test("LaterCall fails as the call does, whoever asks", async () => {
  const failing = () =>
    new LaterCall(Promise.resolve(), () => Promise.reject(new Error("no")));
  await assert.rejects(failing(), /^Error: no$/);
  assert.equal(await failing().catch(() => "caught"), "caught");
  const thrown = new LaterCall(Promise.resolve(), () => {
    throw new Error("at once");
  });
  await assert.rejects(thrown.withResponse(), /at once/);
  await assert.rejects(
    new LaterCall(Promise.resolve(), () => Promise.resolve(1)).asResponse(),
    /Cannot call asResponse/,
  );
});

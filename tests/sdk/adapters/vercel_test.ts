import assert from "node:assert/strict";
import { adapterParts } from "../../../src/sdk/adapters/compress_request.ts";
import {
  isLanguageModel,
  svcMiddleware,
  wrapLanguageModel,
} from "../../../src/sdk/adapters/vercel.ts";
import { fakeCompress, LONG, SHORT } from "./fake_compress.ts";

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

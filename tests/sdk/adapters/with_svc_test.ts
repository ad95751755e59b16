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

import assert from "node:assert/strict";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import {
  compatibleCall,
  orModel,
} from "../../../src/providers/compatible/format.ts";

Deno.test("orModel gives a model to bodies without one, and changes nothing else", () => {
  const format = orModel(chatCompletionsFormat, "deployed");
  for (
    const [json, model] of [
      ['{"messages":[{"role":"user","content":"a"}]}', "deployed"],
      ['{"model":"","messages":[]}', "deployed"],
      ['{"model":null,"messages":[]}', "deployed"],
      ['{"model":"gpt-4o","stream":true,"messages":[]}', "gpt-4o"],
    ] as const
  ) {
    const body = new TextEncoder().encode(json);
    const scan = chatCompletionsFormat.scan(body);
    assert.deepEqual(format.scan(body), { ...scan, model });
  }
  const { scan: _, ...rest } = format;
  const { scan: _scan, ...base } = chatCompletionsFormat;
  assert.deepEqual(rest, base);
});

Deno.test("compatibleCall tells the APIs apart behind any prefix", () => {
  for (
    const prefix of [
      "",
      "/v1",
      "/openai/v1",
      "/v1beta/openai",
      "/api/projects/p/openai/v1",
      "/backend-api/codex",
      "/p/my-project/v1",
    ]
  ) {
    for (
      const [end, api, asks] of [
        ["chat/completions", "chat", "generation"],
        ["completions", "completions", "generation"],
        ["fim/completions", "completions", "generation"],
        ["responses", "responses", "generation"],
        ["responses/input_tokens", "responses", "input_tokens"],
        ["responses/compact", "responses", "compact"],
      ] as const
    ) {
      assert.deepEqual(
        compatibleCall(`${prefix}/${end}`),
        { api, asks, model: undefined },
        `${prefix}/${end}`,
      );
    }
  }
});

Deno.test("compatibleCall finds the name of a deployment or an engine", () => {
  for (
    const [path, model] of [
      ["/openai/deployments/gpt-4o/chat/completions", "gpt-4o"],
      ["/openai/deployments/my%20gpt/completions", "my gpt"],
      ["/openai/deployments/d/extensions/chat/completions", "d"],
      ["/openai/deployments/d/responses/compact", "d"],
      ["/v1/engines/davinci/completions", "davinci"],
      ["/openai/deployments/%ff/chat/completions", undefined],
      ["/openai/deployments/completions", undefined],
      ["/deployments/responses", undefined],
    ] as const
  ) assert.equal(compatibleCall(path)!.model, model, path);
});

Deno.test("compatibleCall leaves every other path alone", () => {
  for (
    const path of [
      "/",
      "/v1",
      "completions",
      "/v1/chat",
      "/v1/chat/completions/",
      "/v1/chat/completions/chatcmpl_1",
      "/v1/xcompletions",
      "/v1/completionsx",
      "/v1/responses/resp_1",
      "/v1/responses/resp_1/cancel",
      "/v1/responses/resp_1/input_items",
      "/v1/responses/compact/x",
      "/v1/completions/compact",
      "/v1/embeddings",
      "/v1/batches",
      "/v1/messages",
      "/V1/Responses",
    ]
  ) assert.equal(compatibleCall(path), undefined, path);
});

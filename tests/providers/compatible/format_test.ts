import assert from "node:assert/strict";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import { orModel } from "../../../src/providers/compatible/format.ts";

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

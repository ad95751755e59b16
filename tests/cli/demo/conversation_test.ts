import { scriptedProvider } from "../../../src/cli/demo/play.ts";
import assert from "node:assert/strict";
import { CONCLUSION, demoSteps } from "../../../src/cli/demo/conversation.ts";

const ask = async (
  provider: ReturnType<typeof scriptedProvider>,
  body: string,
) => {
  const request = new Request("http://x/v1/messages", { method: "POST", body });
  const { content: [block], stop_reason } =
    await (await provider.handle(request)).json();
  return { ...block, stop_reason };
};

Deno.test("scriptedProvider calls each tool in turn, asks once for an original, then concludes", async () => {
  const steps = demoSteps().slice(0, 2);
  const provider = scriptedProvider(steps);
  const hash = "ab".repeat(12);
  const body = `{"tools":[{"name":"headroom_retrieve"}]} hash=${hash}]`;
  for (const step of steps) {
    const call = await ask(provider, body);
    assert.equal(call.name, step.tool);
    assert.equal(call.stop_reason, "tool_use");
  }
  const retrieval = await ask(provider, body);
  assert.equal(retrieval.name, "headroom_retrieve");
  assert.deepEqual(retrieval.input, { hash });
  const end = await ask(provider, body);
  assert.equal(end.text, CONCLUSION);
  assert.equal(end.stop_reason, "end_turn");
  assert.deepEqual(provider.bodies, [body, body, body, body]);
});

Deno.test("scriptedProvider uses the same ids on every run, each once", async () => {
  const steps = demoSteps();
  const ids = async () => {
    const provider = scriptedProvider(steps);
    const found: string[] = [];
    for (const _ of steps) found.push((await ask(provider, "{}")).id);
    return found;
  };
  const first = await ids();
  assert.deepEqual(await ids(), first);
  assert.equal(new Set(first).size, steps.length);
});

Deno.test("scriptedProvider asks for nothing where the tool or a marker is missing", async () => {
  for (const body of ['"headroom_retrieve"', `hash=${"ab".repeat(12)}`]) {
    assert.equal((await ask(scriptedProvider([]), body)).text, CONCLUSION);
  }
});

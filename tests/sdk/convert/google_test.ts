import assert from "node:assert/strict";
import { chatToGoogle, googleToChat } from "../../../src/sdk/convert/google.ts";

const target = (contents: readonly unknown[], offset = 0) =>
  googleToChat(contents, { offset }).flatMap((group) => group.target);
const call = (id?: string) => ({
  functionCall: { ...id && { id }, name: "read", args: { x: 1 } },
});
const answer = (output: string, id?: string) => ({
  functionResponse: { ...id && { id }, name: "read", response: { output } },
});
/** Which answer belongs to which call. */
const ids = (contents: readonly unknown[], offset?: number) =>
  target(contents, offset).flatMap(({ tool_calls, tool_call_id }) =>
    tool_call_id ?? (tool_calls as { id: string }[]).map(({ id }) => id)
  );

Deno.test("googleToChat gives two calls of one function ids of their own, answered in order", () => {
  const turn = [
    { role: "model", parts: [call(), call()] },
    { role: "user", parts: [answer("a"), answer("b")] },
  ];
  assert.deepEqual(ids([...turn, ...turn]), [
    "call_0_0",
    "call_0_1",
    "call_0_0",
    "call_0_1",
    "call_2_0",
    "call_2_1",
    "call_2_0",
    "call_2_1",
  ]);
  assert.deepEqual(ids(turn, 5).slice(0, 2), ["call_5_0", "call_5_1"]);
});

Deno.test("googleToChat keeps ids that are there, and lets nothing answer a call of an older turn", () => {
  assert.deepEqual(
    ids([
      { role: "model", parts: [call("mine"), call()] },
      { role: "model", parts: [call()] },
      { role: "user", parts: [answer("a"), answer("b", "mine"), answer("c")] },
    ]),
    ["mine", "call_0_1", "call_1_0", "call_1_0", "mine", "call_2_2"],
  );
});

Deno.test("googleToChat writes a response that is only an output as that, any other as JSON", () => {
  const other = {
    functionResponse: { name: "read", response: { rows: [1] } },
  };
  const said = target([{ role: "user", parts: [answer("a"), other] }])
    .map(({ content }) => content);
  assert.deepEqual(said, ["a", '{"rows":[1]}']);
});

Deno.test("googleToChat and chatToGoogle write images, inline and by address", () => {
  const parts = [
    { text: "Look" },
    { inlineData: { mimeType: "image/png", data: "aGk=" } },
    { fileData: { mimeType: "image/*", fileUri: "gs://b/i.png" } },
  ];
  const chat = target([{ role: "user", parts }]);
  assert.deepEqual(chat[0]?.content, [
    { type: "text", text: "Look" },
    { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
    { type: "image_url", image_url: { url: "gs://b/i.png" } },
  ]);
  const [back] = chatToGoogle(chat, { names: new Map() });
  assert.deepEqual(back?.target, [{ role: "user", parts }]);
});

Deno.test("googleToChat leaves thoughts out of what is said", () => {
  const thought = { text: "Hm", thought: true };
  const [message] = target([{
    role: "model",
    parts: [thought, { text: "Hi" }],
  }]);
  assert.deepEqual(message, { role: "assistant", content: "Hi" });
});

import assert from "node:assert/strict";
import {
  chatCall,
  chatCalls,
  chatContent,
  ChatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  readDataUrl,
} from "../../../src/sdk/convert/chat.ts";

Deno.test("ChatGroup writes messages and notes where their texts stand", () => {
  const group = new ChatGroup();
  const text = { text: "a", place: [0, "x"], kind: "text" } as const;
  group.add({ role: "tool" }, text);
  group.add({ role: "user" }, [imagePart("u"), text], { name: "n" });
  group.add({ role: "assistant" }, undefined);
  assert.deepEqual(group.messages, [
    { role: "tool", content: "a" },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "u" } },
        { type: "text", text: "a" },
      ],
      name: "n",
    },
    { role: "assistant", content: null },
  ]);
  assert.deepEqual(group.texts, [
    [[0, "x"], [0, "content"], "text"],
    [[0, "x"], [1, "content", 1, "text"], "text"],
  ]);
});

Deno.test("chatCalls reads arguments that are an object, and keeps all others under a name", () => {
  const inputs = (given: unknown) =>
    chatCalls({
      tool_calls: [{ id: "a", function: { name: "t", arguments: given } }],
    }).map(({ input }) => input);
  assert.deepEqual(inputs('{"a":1}'), [{ a: 1 }]);
  assert.deepEqual(inputs(""), [{}]);
  assert.deepEqual(inputs(undefined), [{}]);
  assert.deepEqual(inputs("[1]"), [{ arguments: "[1]" }]);
  assert.deepEqual(inputs("{"), [{ arguments: "{" }]);
  assert.deepEqual(chatCalls({}), []);
  assert.deepEqual(chatCall(undefined, "t", undefined), {
    id: "",
    type: "function",
    function: { name: "t", arguments: "{}" },
  });
});

Deno.test("chatContent finds the texts of a content", () => {
  const text = (place: unknown[]) => ({ text: "a", place, kind: "text" });
  assert.deepEqual(chatContent("a", [0]), [text([0])]);
  assert.deepEqual(
    chatContent([{ type: "text", text: "a" }, { type: "file" }], [0]),
    [text([0, 0, "text"]), { part: { type: "file" } }],
  );
  assert.deepEqual(chatContent(null, [0]), []);
});

Deno.test("chatTurns puts results of parallel calls together, and what the user says behind them where asked", () => {
  const roles = ["user", "user", "tool", "tool", "user", "tool"];
  const turns = (withUser: boolean) =>
    chatTurns(roles.map((role) => ({ role })), withUser)
      .map((turn) => turn.map(({ role }) => role).join("+"));
  assert.deepEqual(turns(false), ["user", "user", "tool+tool", "user", "tool"]);
  assert.deepEqual(turns(true), ["user", "user", "tool+tool+user", "tool"]);
});

Deno.test("readDataUrl reads what dataUrl writes, and nothing else", () => {
  assert.deepEqual(readDataUrl(dataUrl("image/png", "aGk=")), {
    mediaType: "image/png",
    data: "aGk=",
  });
  assert.equal(readDataUrl("https://h/i.png"), undefined);
  assert.equal(readDataUrl("data:text/plain,hi"), undefined);
});

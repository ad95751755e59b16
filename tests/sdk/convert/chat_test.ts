import assert from "node:assert/strict";
import {
  chatCall,
  chatCalls,
  chatContent,
  chatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  onlyImages,
  partsGroup,
  plainGroup,
  readDataUrl,
} from "../../../src/sdk/convert/chat.ts";

const text = { text: "a", place: [0, "x"], kind: "text" } as const;

Deno.test("chatGroup writes results before the message, and notes where texts stand", () => {
  const source = { any: 1 };
  const results = [{ id: "c", said: text }];
  const said = [imagePart("u"), text];
  assert.deepEqual(chatGroup(source, { role: "user", said, results }), {
    source: [source],
    target: [
      { role: "tool", tool_call_id: "c", content: "a" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "u" } },
          { type: "text", text: "a" },
        ],
      },
    ],
    texts: [
      [[0, "x"], [0, "content"], "text"],
      [[0, "x"], [1, "content", 1, "text"], "text"],
    ],
  });
  const silent = { role: "user", said: [], results, isSilent: true };
  assert.equal(chatGroup(source, silent).target.length, 1);
});

Deno.test("chatGroup writes one text beside calls as a string, and none as null", () => {
  const calls = [chatCall("c", "t", {})];
  const content = (said: readonly (typeof text)[], some: unknown[] = calls) =>
    chatGroup({}, { role: "assistant", said, calls: some }).target[0]?.content;
  assert.equal(content([text]), "a");
  assert.equal(content([]), null);
  assert.deepEqual(content([], []), []);
  assert.deepEqual(content([text], []), [{ type: "text", text: "a" }]);
  assert.equal(content([text, text])?.constructor, Array);
});

Deno.test("partsGroup writes one message and notes where its texts stand", () => {
  const style = {
    key: "parts",
    text: { t: 1 },
    media: onlyImages((url) => ({ url })),
    call: ({ id, name }: { id: string; name: string }) => ({ id, name }),
    result: ({ texts }: { texts: readonly string[] }) => ({
      part: { out: texts },
      places: texts.map((_, i) => ["out", i]),
    }),
  } as const;
  const source = [
    { role: "tool", content: "r" },
    {
      role: "user",
      content: [imagePart("u").part, { type: "x" }, { type: "text", text: "" }],
      tool_calls: [{ id: "c", function: { name: "t" } }],
    },
  ];
  const end = [{ id: "c", name: "t" }];
  assert.deepEqual(partsGroup(source, { role: "r" }, style), {
    source,
    target: [{
      role: "r",
      parts: [{ out: ["r"] }, { url: "u" }, { t: 1, text: "" }, ...end],
    }],
    texts: [
      [[0, "content"], [0, "parts", 0, "out", 0], "text"],
      [[1, "content", 2, "text"], [0, "parts", 2, "text"], "text"],
    ],
  });
  const skipping = { ...style, skipsEmpty: true };
  const { target } = partsGroup(source, {}, skipping);
  assert.deepEqual(target[0]?.parts, [{ out: ["r"] }, { url: "u" }, ...end]);
});

Deno.test("plainGroup keeps a text without calls that is no result", () => {
  const source = { role: "developer", content: "a" };
  assert.deepEqual(plainGroup([source], { role: "system" }), {
    source: [source],
    target: [{ role: "system", content: "a" }],
    texts: [[[0, "content"], [0, "content"], "text"]],
  });
  const others = [
    [{ role: "tool", content: "a" }],
    [{ role: "assistant", content: "a", tool_calls: [] }],
    [{ role: "user", content: [] }],
    [source, source],
  ];
  for (const other of others) assert.equal(plainGroup(other, {}), undefined);
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
  const found = (place: unknown[]) => ({ text: "a", place, kind: "text" });
  assert.deepEqual(chatContent("a", [0]), [found([0])]);
  assert.deepEqual(
    chatContent([{ type: "text", text: "a" }, { type: "file" }], [0]),
    [found([0, 0, "text"]), { part: { type: "file" } }],
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

import assert from "node:assert/strict";
import {
  isPlainText,
  PartsWriter,
  textMessage,
} from "../../../src/sdk/convert/parts.ts";

Deno.test("PartsWriter writes a message and notes where its texts stand", () => {
  const parts = new PartsWriter("parts");
  const text = { text: "a", place: [1, "content"], kind: "text" } as const;
  parts.add({ other: 1 });
  parts.text(text);
  parts.text(text, {});
  parts.add({ out: { text: "a" } }, [[[2, "content"], ["out", "text"]]]);
  assert.deepEqual(parts.group([{}, {}], { role: "user" }), {
    source: [{}, {}],
    target: [{
      role: "user",
      parts: [
        { other: 1 },
        { type: "text", text: "a" },
        { text: "a" },
        { out: { text: "a" } },
      ],
    }],
    texts: [
      [[1, "content"], [0, "parts", 1, "text"], "text"],
      [[1, "content"], [0, "parts", 2, "text"], "text"],
      [[2, "content"], [0, "parts", 3, "out", "text"], "text"],
    ],
  });
});

Deno.test("textMessage keeps a content that is one text", () => {
  const source = { role: "developer", content: "a" };
  assert.deepEqual(textMessage(source, { role: "system" }), {
    source: [source],
    target: [{ role: "system", content: "a" }],
    texts: [[[0, "content"], [0, "content"], "text"]],
  });
});

Deno.test("isPlainText holds for a text without calls that is no result", () => {
  assert(isPlainText({ role: "user", content: "a" }));
  assert(!isPlainText({ role: "tool", content: "a" }));
  assert(!isPlainText({ role: "assistant", content: "a", tool_calls: [] }));
  assert(!isPlainText({ role: "user", content: [] }));
});

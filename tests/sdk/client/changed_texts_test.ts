import assert from "node:assert/strict";
import fc from "fast-check";
import { withTexts } from "../../../src/sdk/client/changed_texts.ts";

const sentFor = (messages: readonly unknown[]) => ({
  slots: undefined,
  json: JSON.stringify(messages),
});

Deno.test("withTexts puts changed texts into copies, and leaves all else the same objects", () => {
  const when = new Date(0);
  const bytes = new Uint8Array([1]);
  const first = { role: "user", content: "hi", when };
  const second = {
    role: "tool",
    content: [{ type: "text", text: "long" }, { bytes, inner: { a: 1 } }],
    missing: undefined,
    run: () => 1,
  };
  const messages = [first, second];
  const answered = JSON.parse(
    JSON.stringify(messages).replace('"long"', '"short"'),
  );
  const out = withTexts(messages, sentFor(messages), answered);
  assert.equal(out[0], first);
  const changed = out[1] as typeof second;
  assert.deepEqual(changed.content[0], { type: "text", text: "short" });
  assert.equal(changed.content[1], second.content[1]);
  assert.equal(changed.run, second.run);
  assert("missing" in changed);
  assert.equal(second.content[0]!.text, "long");
});

Deno.test("withTexts gives the same messages in a new array where nothing changed, whatever they hold", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (messages) => {
    const answered = JSON.parse(JSON.stringify(messages));
    const out = withTexts(messages, sentFor(messages), answered);
    assert.notEqual(out, messages);
    out.forEach((message, i) => assert(Object.is(message, messages[i])));
  }));
});

Deno.test("withTexts believes no other change: numbers, keys, structures and texts of a toJSON stay", () => {
  const messages = [
    { a: 1, b: ["x"], c: { d: "x" }, e: new Date(0) },
    { text: "real", toJSON: () => ({ text: "shown" }) },
  ];
  const answered = [
    { a: 2, b: { 0: "y" }, c: ["y"], e: "y", f: "new" },
    { text: "compressed" },
  ];
  assert.deepEqual(withTexts(messages, sentFor(messages), answered), messages);
});

Deno.test("withTexts writes a text of a shadow to its slot, made into what stands there", () => {
  const messages = [{ parts: [{ value: { rows: [1] } }, { value: "long" }] }];
  const json = JSON.stringify([{ content: ["[1]", "long", "free"] }]);
  const slots = new Map([
    ["/0/content/0", {
      path: [0, "parts", 0, "value"],
      value: (text: string) => ({ text }),
    }],
    ["/0/content/1", { path: [0, "parts", 1, "value"] }],
  ]);
  const answered = [{ content: ["one", "two", "three"] }];
  assert.deepEqual(withTexts(messages, { slots, json }, answered), [
    { parts: [{ value: { text: "one" } }, { value: "two" }] },
  ]);
});

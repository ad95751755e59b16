import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CARRIED,
  carriedOf,
  carrying,
  type Group,
  isSame,
  restored,
  withoutCarried,
} from "../../../src/sdk/convert/carried.ts";

const source = [{
  content: [{ text: "one", more: 1 }, { output: { value: [1], type: "json" } }],
}];
const group: Group = {
  source,
  target: [{ role: "tool", content: "one" }, { role: "tool", content: "[1]" }],
  texts: [
    [[0, "content", 0, "text"], [0, "content"], "text"],
    [[0, "content", 1, "output"], [1, "content"], "output"],
  ],
};
const made = () => JSON.parse(JSON.stringify(carrying(group, "vercel")));

Deno.test("carrying puts the source into the first message, without the texts that stand there anyway", () => {
  const [first, second] = carrying(group, "vercel");
  assert.deepEqual(withoutCarried(first!), group.target[0]);
  assert.equal(second, group.target[1]);
  const carried = carriedOf(first, "vercel");
  assert.equal(carried?.count, 2);
  assert.deepEqual(carried?.messages, [{
    content: [{ text: null, more: 1 }, {
      output: { value: null, type: "json" },
    }],
  }]);
  assert.equal(carriedOf(first, "google"), undefined);
  assert.deepEqual(source[0]?.content[0], { text: "one", more: 1 });
});

Deno.test("carrying keeps a value that its text alone would not bring back", () => {
  const odd = { a: undefined };
  const [message] = carrying({
    source: [{ value: odd }],
    target: [{ content: "{}" }],
    texts: [[[0, "value"], [0, "content"], "json"]],
  }, "vercel");
  assert.equal(carriedOf(message, "vercel")?.texts.length, 0);
  assert.deepEqual(restored([message], 0, "vercel")?.messages, [{
    value: odd,
  }]);
});

Deno.test("restored brings the source back, with the texts as they stand now", () => {
  assert.deepEqual(restored(made(), 0, "vercel"), {
    messages: source,
    count: 2,
  });
  const [first, second] = made();
  const changed = [{ ...first, content: "1" }, { ...second, content: "~" }];
  assert.deepEqual(restored(changed, 0, "vercel")?.messages, [{
    content: [{ text: "1", more: 1 }, { output: { value: "~", type: "text" } }],
  }]);
});

Deno.test("restored brings nothing back when more than texts was changed, or what is carried is none of ours", () => {
  const [first, second] = made();
  const bad = (carried: unknown) => [{ ...first, [CARRIED]: carried }, second];
  const { [CARRIED]: carried } = first;
  for (
    const messages of [
      [first],
      [first, first],
      [first, { ...second, more: 1 }],
      [{ ...first, role: "user" }, second],
      [first, { ...second, content: ["[1]"] }],
      [second],
      ["text"],
      bad("other"),
      bad({ ...carried, count: 0 }),
      bad({ ...carried, texts: [["a"]] }),
      bad({ ...carried, messages: undefined }),
    ]
  ) assert.equal(restored(messages, 0, "vercel"), undefined);
});

Deno.test("isSame holds for every JSON value and its copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = structuredClone(value);
      assert(isSame(value, copy));
      assert(!isSame([value], [copy, 1]));
      assert(!isSame({ value }, { value, more: undefined }));
    }),
  );
});

Deno.test("isSame tells what JSON or its bytes would tell apart", () => {
  for (
    const [a, b] of [
      [0, -0],
      [[], {}],
      [null, {}],
      [undefined, null],
      [{ a: 1, b: 2 }, { b: 2, a: 1 }],
      [{ a: 1 }, { a: 1, [Symbol("s")]: 1 }],
      [new Date(0), new Date(0)],
      [new Uint8Array(1), new Uint8Array(1)],
    ]
  ) assert(!isSame(a, b), `${JSON.stringify([a, b])}`);
  const bytes = new Uint8Array(1);
  assert(isSame({ bytes }, { bytes }));
});

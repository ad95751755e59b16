import {
  jsonPointer,
  literalPaths,
  messageJson,
  patched,
  valueAt,
} from "../../src/sdk/patch.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

type Path = readonly (string | number)[];

/** Every place of a value. */
function placesIn(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[key], ...placesIn(inner).map((path) => [key, ...path])];
  });
}

Deno.test("patched changes the value at one place and nothing else, and touches nothing", () => {
  fc.assert(fc.property(
    fc.array(fc.object({ maxDepth: 3 }), { minLength: 1 }),
    fc.nat(),
    (elements, pick) => {
      const copy = structuredClone(elements);
      const places = placesIn(elements);
      const path = places[pick % places.length]!;
      const made = patched(elements, [{ path, value: "new" }]);
      assert.deepEqual(elements, copy);
      assert.equal(valueAt(made, path), "new");
      const back = patched(made, [{ path, value: valueAt(copy, path) }]);
      assert.deepEqual(back, copy);
      for (const [i, element] of elements.entries()) {
        assert.equal(made[i] === element, i !== path[0]);
      }
    },
  ));
});

Deno.test("patched copies a container on the way to several places once", () => {
  const shared = { kept: true };
  const elements = [{ content: [{ text: "a" }, { text: "b" }, shared] }];
  const [made] = patched(elements, [
    { path: [0, "content", 0, "text"], value: "x" },
    { path: [0, "content", 1, "text"], value: "y" },
  ]);
  assert.deepEqual(made, { content: [{ text: "x" }, { text: "y" }, shared] });
  assert.equal(made!.content[2], shared);
});

Deno.test("patched keeps prototypes, getters, symbols and hidden members, also of frozen objects", () => {
  const mark = Symbol("mark");
  class Message {
    content = "old";
    [mark] = 1;
    get length() {
      return this.content.length;
    }
  }
  const message = new Message();
  Object.defineProperty(message, "hidden", { value: 7, enumerable: false });
  const [made] = patched([Object.freeze(message)], [
    { path: [0, "content"], value: "newer" },
  ]);
  assert(made instanceof Message);
  assert.equal(made.content, "newer");
  assert.equal(made.length, 5);
  assert.equal(made[mark], 1);
  assert.equal(Reflect.get(made, "hidden"), 7);
  assert.equal(message.content, "old");
});

Deno.test("patched and valueAt take a key as it is, also one that names a prototype", () => {
  const element = JSON.parse('{"__proto__":{"text":"old"}}');
  const path = [0, "__proto__", "text"];
  const [made] = patched([element], [{ path, value: "new" }]);
  assert.equal(JSON.stringify(made), '{"__proto__":{"text":"new"}}');
  assert.equal(Reflect.get({}, "text"), undefined);
});

Deno.test("valueAt finds nothing behind a value without members", () => {
  assert.equal(valueAt([{ a: null }], [0, "a", "b"]), undefined);
  assert.equal(valueAt(["text"], [0, "length"]), undefined);
  assert.equal(valueAt([], [3, "a"]), undefined);
});

Deno.test("literalPaths leads to exactly the literals that are asked for", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const json = new TextEncoder().encode(`[0,${JSON.stringify(value)}]`);
    const quotes = [...json.keys()].filter((i) => json[i] === 0x22);
    for (const [start, path] of literalPaths(json, 3, new Set(quotes))) {
      const rest = new TextDecoder().decode(json.subarray(start));
      const literal = /^"(?:[^"\\]|\\.)*"/.exec(rest)![0];
      assert.equal(valueAt([value], [0, ...path]), JSON.parse(literal));
    }
  }));
});

Deno.test("literalPaths leaves keys and other literals alone", () => {
  const json = new TextEncoder().encode('{"a":"x","b":["x",{"c":"x"}]}');
  const at = [14, 23];
  assert.deepEqual([...literalPaths(json, 0, new Set([1, ...at]))], [
    [14, ["b", 0]],
    [23, ["b", 1, "c"]],
  ]);
  assert.deepEqual([...literalPaths(json, 0, new Set())], []);
});

Deno.test("jsonPointer writes keys as RFC 6901 wants them", () => {
  assert.equal(jsonPointer([3, "content", 0, "text"]), "/3/content/0/text");
  assert.equal(jsonPointer(["a/b", "m~n", ""]), "/a~1b/m~0n/");
  assert.equal(jsonPointer([]), "");
});

Deno.test("messageJson writes messages as JSON does", () => {
  const messages = [{ role: "user", content: "é\ud800", at: new Date(0) }];
  assert.equal(messageJson(messages), JSON.stringify(messages));
  assert.equal(messageJson([]), "[]");
  assert.equal(messageJson([undefined, () => 1]), "[null,null]");
});

Deno.test("messageJson has an element for a message that JSON cannot hold, and writes the others", () => {
  const circle: Record<string, unknown> = { role: "user" };
  circle.self = circle;
  let deep: unknown = "x";
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const values = JSON.parse(
    messageJson([
      { role: "user", content: "a" },
      circle,
      { role: "user", id: 12345678901234567890n },
      { role: "user", content: deep },
      undefined,
    ]),
  );
  const nothing = { type: "message", role: "user", content: "" };
  assert.deepEqual(values, [
    { role: "user", content: "a" },
    nothing,
    { role: "user", id: "12345678901234567890" },
    nothing,
    null,
  ]);
});

Deno.test("messageJson throws on what a getter of the caller's throws", () => {
  const trap = {
    get role(): string {
      throw new Error("a trap");
    },
  };
  assert.throws(() => messageJson([trap]), /a trap/);
});

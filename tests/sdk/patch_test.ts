import assert from "node:assert/strict";
import fc from "fast-check";
import { patched, valueAt } from "../../src/sdk/patch.ts";

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

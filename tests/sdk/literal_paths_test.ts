import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonPointer, literalPaths } from "../../src/sdk/literal_paths.ts";
import { valueAt } from "../../src/sdk/patch.ts";

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

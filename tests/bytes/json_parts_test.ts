import assert from "node:assert/strict";
import fc from "fast-check";
import {
  elementsOf,
  membersOf,
  objectOf,
  parseJson,
  setAt,
  textAt,
} from "../../src/bytes/json_parts.ts";

Deno.test("membersOf keeps every value as it is written", () => {
  const members = membersOf(
    '{ "a" : 1.0, "b":12345678901234567890, "c":"\\u00e9", "d": [ 1 ] }',
  );
  assert.deepEqual([...members], [
    ["a", "1.0"],
    ["b", "12345678901234567890"],
    ["c", '"\\u00e9"'],
    ["d", "[ 1 ]"],
  ]);
  assert.throws(() => membersOf("[]"), SyntaxError);
});

Deno.test("objectOf undoes membersOf, elementsOf takes arrays apart", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const json = JSON.stringify(value);
    assert.equal(objectOf(membersOf(json)), json);
    const list = JSON.stringify(Object.values(value));
    assert.equal(`[${elementsOf(list).join(",")}]`, list);
  }));
});

Deno.test("setAt replaces one value, adds a missing last key and refuses a missing way", () => {
  const json = '{"a":[{"b":1.0},2e5],"c":null}';
  assert.equal(setAt(json, ["a", 0, "b"], "7"), '{"a":[{"b":7},2e5],"c":null}');
  assert.equal(
    setAt(json, ["a", 0, "x"], '"y"'),
    '{"a":[{"b":1.0,"x":"y"},2e5],"c":null}',
  );
  assert.throws(() => setAt(json, ["z", "b"], "1"), SyntaxError);
});

Deno.test("textAt finds a value, or nothing when the shape is another", () => {
  const json = '{"a":[{"b":1.0}],"c":null}';
  assert.equal(textAt(json, ["a", 0, "b"]), "1.0");
  assert.equal(textAt(json, ["c", "b"]), undefined);
  assert.equal(textAt(json, ["a", "b"]), undefined);
  assert.equal(textAt(json, ["a", 3]), undefined);
});

Deno.test("parseJson gives undefined for what is not JSON", () => {
  assert.deepEqual(parseJson('{"a":1}'), { a: 1 });
  assert.equal(parseJson("[DONE]"), undefined);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  copyOf,
  countIn,
  decoded,
  eachChild,
  type JsonChild,
  JsonChildren,
  keyOf,
} from "../../../src/ccr/parts/json_children.ts";
import { findJson } from "../../../src/ccr/parts/json_scan.ts";

Deno.test("JsonChildren gives each element as it is written", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (value) => {
    const text = JSON.stringify(value, null, 1);
    const children = new JsonChildren(findJson(text)!, 0);
    const found: unknown[] = [];
    while (children.next()) {
      assert.equal(children.index, found.length);
      found.push(JSON.parse(text.slice(children.start, children.end)));
    }
    assert.deepEqual(found, JSON.parse(text));
  }));
});

Deno.test("eachChild gives members with their keys, decoded", () => {
  const text = '{"a": 1, "b\\n\\u00e9": {"c": [2]} , "": null}';
  const json = findJson(text)!;
  const members: [string, string][] = [];
  const count = eachChild(json, 0, (child) => {
    members.push([keyOf(json, child), text.slice(child.start, child.end)]);
  });
  assert.equal(count, 3);
  assert.deepEqual(members, [["a", "1"], ["b\né", '{"c": [2]}'], ["", "null"]]);
});

Deno.test("eachChild stops when told to, and copyOf keeps a child", () => {
  const json = findJson("[10,20,30]")!;
  const kept: JsonChild[] = [];
  assert.equal(
    eachChild(json, 0, (child) => {
      kept.push(copyOf(child));
      return child.index < 1;
    }),
    2,
  );
  assert.deepEqual(kept.map(({ start }) => start), [1, 4]);
});

Deno.test("countIn counts children up to where the text breaks off", () => {
  const text =
    '[{"a": 1, "b": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}, {"a": 2}, {"a"';
  assert.equal(countIn(findJson(text)!, 0), 3);
  assert.equal(countIn(findJson("[ ]")!, 0), 0);
});

Deno.test("decoded gives nothing for what is no literal", () => {
  assert.equal(decoded('"a\\u0041"'), "aA");
  assert.equal(decoded('"\\x"'), undefined);
});

import assert from "node:assert/strict";
import {
  arrayAt,
  fieldOf,
  isObject,
  partTypes,
} from "../../../src/sdk/shapes/look.ts";

Deno.test("fieldOf, arrayAt and partTypes find nothing in values that are no objects", () => {
  for (const value of [null, undefined, "text", 3, true]) {
    assert.equal(isObject(value), false);
    assert.equal(fieldOf(value, "length"), undefined);
    assert.deepEqual(arrayAt(value, "content"), []);
    assert.deepEqual(partTypes(value), []);
  }
});

Deno.test("partTypes lists the types of a content's parts, in order", () => {
  const content = [{ type: "text" }, "x", { type: "image" }];
  assert.deepEqual(partTypes({ content }), ["text", undefined, "image"]);
  assert.deepEqual(partTypes({ content: "text" }), []);
  assert.equal(fieldOf({ a: 1 }, "a"), 1);
});

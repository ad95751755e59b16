import assert from "node:assert/strict";
import {
  keysOf,
  nameOf,
  namesOf,
  type Shape,
  Shapes,
} from "../../../src/compressors/json/shape.ts";

function extend(shapes: Shapes, keys: readonly string[]): Shape | undefined {
  let shape: Shape | undefined = shapes.empty;
  for (const key of keys) shape = shape && shapes.extend(shape, key);
  return shape;
}

Deno.test("Shapes gives the same key sequence the same shape", () => {
  const shapes = new Shapes();
  const shape = extend(shapes, ["a", "b"]);
  assert.ok(shape);
  assert.equal(extend(shapes, ["a", "b"]), shape);
  assert.notEqual(extend(shapes, ["b", "a"]), shape);
  assert.equal(shapes.all[shape.id], shape);
  assert.equal(shapes.all[0], undefined);
});

Deno.test("Shapes has no shape with a key twice", () => {
  const shapes = new Shapes();
  assert.equal(extend(shapes, ["a", "b", "a"]), undefined);
  assert.equal(extend(shapes, ["a", "\\u0061"]), undefined);
});

Deno.test("keysOf and namesOf list a shape's keys, raw and decoded", () => {
  const shape = extend(new Shapes(), ["x", "\\u0061"])!;
  assert.deepEqual(keysOf(shape), ["x", "\\u0061"]);
  assert.deepEqual(namesOf(shape), new Set(["x", "a"]));
});

Deno.test("nameOf decodes escapes", () => {
  assert.equal(nameOf("a\\nb"), "a\nb");
  assert.equal(nameOf("plain"), "plain");
});

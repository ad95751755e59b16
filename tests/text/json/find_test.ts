import assert from "node:assert/strict";
import fc from "fast-check";
import { elementStarts, findJson } from "../../../src/text/json/find.ts";

/** Texts of the values found. */
function found(text: string): string[] | undefined {
  const json = findJson(text);
  return json?.values.map((value) => json.tape.raw(value));
}

Deno.test("findJson finds all of a document, however it is written", () => {
  const containers = fc.jsonValue().map((value) => [value]);
  fc.assert(fc.property(containers, fc.constantFrom(0, 2), (value, indent) => {
    const json = JSON.stringify(value, null, indent);
    assert.deepEqual(found(json), [json]);
    assert.deepEqual(found(` ${json}\n`), [json]);
  }));
});

Deno.test("findJson finds each document of JSON Lines", () => {
  assert.deepEqual(found('{"a":1}\n{"a":2}\n\n[3]\n'), [
    '{"a":1}',
    '{"a":2}',
    "[3]",
  ]);
});

Deno.test("findJson finds the largest value in other text", () => {
  const json = '{"items": [1, 2, {"a": "}"}]}';
  assert.deepEqual(found(`[INFO] [1] got:\n${json}\ndone [0]\n`), [json]);
  assert.deepEqual(found(`<output>${json}</output>`), [json]);
  assert.deepEqual(found("\ufeff[1]"), ["[1]"]);
});

Deno.test("findJson finds the list of a text that lost its beginning", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: i, on: [i] }));
  const whole = JSON.stringify({ rows, total: 20 });
  for (const text of [whole.slice(12), whole.slice(12, -30), whole.slice(9)]) {
    const json = findJson(text);
    const [list = 0] = json?.values ?? [];
    const first = json?.tape.children(list)[0] ?? 0;
    const start = elementStarts(text)[0] ?? -1;
    assert.ok(json !== undefined && start >= 0, text);
    assert.ok(text.slice(start).startsWith(json.tape.raw(first)));
    assert.ok(json.tape.count(list) > 15, `${json.tape.count(list)}`);
  }
});

Deno.test("elementStarts gives no place behind what begins in the text", () => {
  assert.deepEqual(elementStarts('"a":1},{"b":2},{"c":3}'.repeat(20))[0], 7);
  for (const text of ['see [{"a":1},{"b":2}]', 'f() { }\n{"a":1}', "plain"]) {
    assert.deepEqual(elementStarts(text.padEnd(200)), [], text);
  }
});

Deno.test("findJson finds nothing where nothing is JSON", () => {
  for (const text of ["", "plain", "[INFO] x", "{a: 1}", '["open', "[1,]"]) {
    assert.equal(findJson(text), undefined, text);
  }
});

Deno.test("findJson ends what is cut off where the text breaks off", () => {
  const text =
    '{"items": [{"a": 1, "b": "xxxxxxxxxxxxxxxxxxxx"}, {"a": 2, "b": "yy';
  assert.deepEqual(found(text), [text.slice(0, text.indexOf('"yy'))]);
});

Deno.test("findJson is linear in nesting and in unclosed brackets", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.deepEqual(found(deep), [deep]);
  assert.equal(findJson(`x${"[[1,".repeat(100_000)}`), undefined);
});

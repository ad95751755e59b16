import assert from "node:assert/strict";
import fc from "fast-check";
import { containerEnd, scanJson, tapeOf } from "../../../src/text/json/scan.ts";
import { ARRAY, OBJECT, type Tape } from "../../../src/text/json/tape.ts";
import { assertLinear } from "../../cpu_time.ts";

const documents = fc.oneof(
  fc.array(fc.jsonValue({ maxDepth: 5 })),
  fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 5 })),
);

/** The value of a node, built from what the tape says. */
function valueOf(tape: Tape, node: number): unknown {
  const children = [...tape.children(node)];
  switch (tape.kind(node)) {
    case OBJECT:
      return Object.fromEntries(
        children.map((child) => {
          assert.equal(tape.parent(child), node);
          return [JSON.parse(`"${tape.key(child)}"`), valueOf(tape, child)];
        }),
      );
    case ARRAY:
      return children.map((child) => valueOf(tape, child));
    default:
      assert.equal(children.length, 0);
      return JSON.parse(tape.raw(node));
  }
}

Deno.test("scanJson finds every value, key and parent of a document, however it is written", () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(0, 2, "\t"), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      const expected = JSON.parse(json);
      const { tape, end, open } = scanJson(` ${json} \n`);
      assert.deepEqual(valueOf(tape, 1), expected);
      assert.deepEqual([end, open.length], [json.length + 3, 0]);
      const minified = tapeOf(json, { isMinified: true });
      assert.ok(minified !== undefined);
      assert.equal(minified.text, JSON.stringify(expected));
      assert.deepEqual(valueOf(minified, 1), expected);
    }),
  );
});

Deno.test("scanJson takes what JSON.parse takes, scalars aside, and nothing else", () => {
  const signs = fc.array(
    fc.constantFrom(...'[]{},:"\\ \n0-1.eE+tu', "true", "null", "fals", '"a"'),
    { maxLength: 12 },
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(signs, documents, (noise, value) => {
    const json = JSON.stringify(value);
    for (const text of [noise, `[${noise}]`, `{"a":${noise}}`, json + noise]) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        parsed = undefined;
      }
      const isContainer = typeof parsed === "object" && parsed !== null;
      const tape = tapeOf(text);
      if (isContainer) assert.ok(tape !== undefined, text);
      else if (tape !== undefined) assert.ok(tape.count(0) > 1, text);
    }
  }));
});

Deno.test("scanJson takes values that follow each other, with a newline between them when minified", () => {
  const tape = tapeOf('{"a": 1} {"a":2}\n\n[3]\n', { isMinified: true });
  assert.equal(tape?.text, '{"a":1}\n{"a":2}\n[3]');
  assert.equal(tape.count(0), 3);
  assert.deepEqual([...tape.children(0)].map((one) => tape.raw(one)), [
    '{"a":1}',
    '{"a":2}',
    "[3]",
  ]);
});

Deno.test("scanJson starts where it is told and stops after one value", () => {
  const text = 'x [1] [2] {"a":3}';
  const { tape, end } = scanJson(text, { from: 2, isOne: true });
  assert.deepEqual([tape.raw(1), tape.count(0), end], ["[1]", 1, 6]);
  assert.equal(scanJson(text, { from: 1 }).tape.count(0), 3);
  assert.equal(scanJson(text).tape.length, 1);
});

Deno.test("scanJson keeps what comes before the place where a text breaks off", () => {
  const text = '{"a": [1, {"b": "c"}, {"d": "cut o';
  const { tape, end, open } = scanJson(text);
  assert.deepEqual([...open], [1, 2, 6]);
  assert.equal(end, text.indexOf('"cut'));
  assert.equal(tape.raw(2), text.slice(6, end));
  assert.deepEqual([tape.count(2), tape.count(6)], [3, 0]);
  const json = JSON.stringify({ a: [1, { b: ["x", null] }], c: "d" });
  for (let length = 1; length < json.length; length++) {
    const cut = scanJson(json.slice(0, length));
    assert.ok(cut.open.length > 0, json.slice(0, length));
    assert.ok(cut.end <= length);
  }
});

Deno.test("scanJson counts levels and does not recurse", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assert.equal(scanJson(deep).depth, 200_000);
  assert.equal(scanJson('[{"a":[]}]').depth, 3);
});

Deno.test("containerEnd skips brackets in strings", () => {
  const text = '{"a]":["}",{"b":[]}]},1';
  assert.equal(containerEnd(text, 0), text.length - 2);
  assert.throws(() => containerEnd("[[]", 0), SyntaxError);
  assert.throws(() => containerEnd("1", 0), SyntaxError);
});

Deno.test("scanJson is linear in hostile texts", async () => {
  const hostile: Readonly<Record<string, (size: number) => string>> = {
    brackets: (size) => "[".repeat(size),
    spaces: (size) => `[${" ".repeat(size)}`,
    quotes: (size) => `["${'\\"'.repeat(size)}`,
    keys: (size) => `{${'"a":1,'.repeat(size)}`,
    lines: (size) => '{"a": [1, "b"]}\n'.repeat(size),
  };
  for (const [name, make] of Object.entries(hostile)) {
    const work = (text: string) => scanJson(text, { isMinified: true });
    await assertLinear(name, { make, work, sizes: [5_000, 80_000] });
  }
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { compareJson, JsonReader } from "../../src/bytes/json_difference.ts";

const utf8 = new TextEncoder();
const place = (json: string, at = 0) => ({ bytes: utf8.encode(json), at });

/** Path of the difference, and the texts that begin with it. */
function compared(first: string, second: string) {
  const { difference, firstEnd, secondEnd } = compareJson(
    place(first),
    place(second),
  );
  return difference && [
    difference.path.join("/"),
    first.slice(firstEnd),
    second.slice(secondEnd),
  ];
}

Deno.test("compareJson finds nothing between two ways of writing the same tokens", () => {
  fc.assert(fc.property(fc.json(), fc.nat(4), (json, indent) => {
    const value = JSON.parse(json);
    const one = JSON.stringify(value);
    const other = JSON.stringify(value, null, indent);
    const { difference, firstEnd, secondEnd } = compareJson(
      place(one),
      place(other),
    );
    assert.equal(difference, undefined);
    assert.equal(firstEnd, utf8.encode(one).length);
    assert.equal(secondEnd, utf8.encode(other).length);
  }));
});

Deno.test("compareJson leads to the first value that differs, and to its first byte", () => {
  assert.deepEqual(
    compared('{"a":[1,{"b":"xyz"}],"c":1}', '{"a":[1,{"b":"xyq"}],"c":2}'),
    ["a/1/b", 'z"}],"c":1}', 'q"}],"c":2}'],
  );
  assert.deepEqual(compared("[1,23]", "[1,24]"), ["1", "3]", "4]"]);
  assert.deepEqual(compared('{"a":true}', '{"a":[]}'), [
    "a",
    "true}",
    "[]}",
  ]);
  assert.deepEqual(compared('{"a":"x"}', '{"a":"xy"}')?.[0], "a");
});

Deno.test("compareJson leads to the parent where one side has no such value", () => {
  assert.equal(compared('{"a":{"b":1}}', '{"a":{"b":1,"c":2}}')?.[0], "a");
  assert.equal(compared('{"a":{"b":1}}', '{"a":{"c":1}}')?.[0], "a");
  assert.equal(compared('{"a":[1,2]}', '{"a":[1]}')?.[0], "a");
  assert.equal(compared('{"a":[]}', '{"a":{}}')?.[0], "a");
});

Deno.test("compareJson finds a changed leaf by its path", () => {
  const leaf = fc.constantFrom("one", "two", 3, true, null);
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "x y"), tie("node")),
    ),
  })).node;
  fc.assert(fc.property(tree, fc.nat(), (value, pick) => {
    const paths = leavesOf(value);
    if (paths.length === 0) return;
    const path = paths[pick % paths.length]!;
    const changed = structuredClone({ top: value });
    let parent = changed as Record<string, unknown>;
    const keys = ["top", ...path];
    for (const key of keys.slice(0, -1)) {
      parent = parent[key] as Record<string, unknown>;
    }
    parent[keys.at(-1)!] = "changed";
    const found = compared(JSON.stringify(value), JSON.stringify(changed.top));
    assert.equal(found?.[0], path.join("/"));
  }));
});

function leavesOf(value: unknown): readonly (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) =>
    leavesOf(inner).map((path) => [key, ...path])
  );
}

Deno.test("compareJson passes over marks of the cache wherever they come and go", () => {
  const mark = '"cache_control":{"type":"ephemeral","ttl":["1h"]}';
  for (
    const [first, second] of [
      [`{"a":1,${mark}}`, '{"a":1}'],
      [`{${mark},"a":1}`, '{"a":1}'],
      ['{"a":1,"b":2}', `{"a":1, ${mark} ,"b":2}`],
      [`{${mark}}`, "{}"],
      [`[{"a":{${mark}}}]`, '[{"a":{}}]'],
      [`{"a":1,${mark}}`, `{"a":1,"cache_control":{"type":"x"}}`],
    ]
  ) {
    assert.equal(compared(first!, second!), undefined, `${first}`);
    assert.equal(compared(second!, first!), undefined, `${second}`);
  }
});

Deno.test("compareJson takes a text for one text part where content stands, and nowhere else", () => {
  const text = '"say \\"x\\""';
  const mark = ',"cache_control":{"type":"ephemeral"}';
  const parts = `[{"type":"text","text":${text}${mark}}]`;
  const message = (content: string) => `{"role":"user","content":${content}}`;
  assert.equal(compared(message(text), message(parts)), undefined);
  assert.equal(compared(message(parts), message(text)), undefined);
  assert.equal(compared(text, parts), undefined);
  assert.deepEqual(
    compared(message('"say \\"y\\""'), message(parts))?.slice(0, 2),
    ["content", 'y\\""}'],
  );
  const other = (value: string) => `{"input":${value}}`;
  assert.equal(compared(other(text), other(parts))?.[0], "input");
  for (
    const unlike of [
      `[{"type":"text","text":${text}},{"type":"text","text":""}]`,
      `[{"type":"text","text":${text},"citations":[]}]`,
      `[{"type":"input_text","text":${text}}]`,
      `[${text}]`,
      "[]",
    ]
  ) {
    assert.equal(compared(message(text), message(unlike))?.[0], "content");
  }
});

Deno.test("compareJson ends on any bytes", () => {
  const json = fc.string({
    unit: fc.constantFrom(...'{}[],:"\\ a1', '"content":', '"cache_control"'),
  });
  fc.assert(
    fc.property(json, json, (first, second) => {
      compareJson(place(first), place(second));
      compareJson(place(first), place(first));
    }),
    { numRuns: 500 },
  );
});

Deno.test("JsonReader steps through arrays and gives spans without white space", () => {
  const reader = new JsonReader(place(' [ {"a" : [1, "]"]} , 2 ] '));
  reader.open();
  assert.equal(reader.element(), true);
  assert.deepEqual(reader.skip(), { start: 3, end: 19 });
  assert.equal(reader.element(), true);
  assert.deepEqual(reader.skip(), { start: 22, end: 23 });
  assert.equal(reader.element(), false);
});

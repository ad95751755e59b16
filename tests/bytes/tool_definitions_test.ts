import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readTools } from "../../src/bytes/tool_definitions.ts";
import { toolArrays } from "../conformance/tool_arrays.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** What is read of an array behind other bytes, spans as texts. */
function read(array: string) {
  const before = utf8.encode('{"é":');
  const body = utf8.encode(`{"é":${array},"x":[]}`);
  const span = { start: before.length, end: body.length - 8 };
  const slice = ({ start, end }: { start: number; end: number }) =>
    decoder.decode(body.subarray(start, end));
  return readTools(body, span).map((tool) => ({
    ...tool,
    span: slice(tool.span),
    cacheMark: tool.cacheMark && slice(tool.cacheMark),
    parameters: tool.parameters && slice(tool.parameters),
  }));
}

Deno.test("readTools reads name, type and marks of each definition, and where it stands", () => {
  const custom =
    '{"type":"custom","name":"a","cache_control":{"type":"ephemeral"},"defer_loading":true}';
  assert.deepEqual(read(`[${custom},{"name":"b","parameters":{ "a":1}}]`), [
    {
      name: "a",
      type: "custom",
      span: custom,
      isDeferred: true,
      cacheMark: '"cache_control":{"type":"ephemeral"}',
      parameters: undefined,
    },
    {
      name: "b",
      type: "",
      span: '{"name":"b","parameters":{ "a":1}}',
      isDeferred: undefined,
      cacheMark: undefined,
      parameters: '{ "a":1}',
    },
  ]);
});

Deno.test("readTools takes odd white space and escapes in keys and names", () => {
  const odd =
    '{ "n\\u0061me"\n:\t"\\u00e9\\n" , "cache\\u005fcontrol" :\r\n { "a" : "\\"}" } ,"\\u0074ype": "c" }';
  assert.deepEqual(read(`[\n ${odd}\n ]`), [{
    name: "é\n",
    type: "c",
    span: odd,
    isDeferred: undefined,
    cacheMark: '"cache\\u005fcontrol" :\r\n { "a" : "\\"}" }',
    parameters: undefined,
  }]);
});

Deno.test("readTools finds a cache mark at any place, whatever its value, and none within a schema", () => {
  for (const value of ["null", "7", '"x"', "[1]", '{"ttl":"1h"}']) {
    const mark = `"cache_control": ${value}`;
    for (
      const json of [
        `{${mark},"name":"a"}`,
        `{"name":"a",${mark}}`,
        `{"name":"a",${mark} ,"type":"t"}`,
        `{${mark}}`,
      ]
    ) assert.equal(read(`[${json}]`)[0]!.cacheMark, mark);
    const [inner] = read(`[{"input_schema":{${mark},"name":"b"}}]`);
    assert.equal(inner!.cacheMark, undefined);
    assert.equal(inner!.name, "");
  }
});

Deno.test("readTools takes members of another type for missing", () => {
  const [tool] = read(
    '[{"name":7,"type":null,"defer_loading":"true"}]',
  );
  assert.deepEqual(tool, {
    name: "",
    type: "",
    span: '{"name":7,"type":null,"defer_loading":"true"}',
    isDeferred: false,
    cacheMark: undefined,
    parameters: undefined,
  });
});

Deno.test("readTools throws a SyntaxError for what is no object, and for a broken array", () => {
  for (const array of ["[null]", '["a"]', "[1]", '[{"name":"a"', "{}"]) {
    const body = utf8.encode(array);
    assert.throws(
      () => readTools(body, { start: 0, end: body.length }),
      SyntaxError,
      array,
    );
  }
});

Deno.test("readTools agrees with JSON.parse on any array", () => {
  fc.assert(fc.property(toolArrays, ({ tools, text }) => {
    assert.deepEqual(JSON.parse(text), tools);
    const seen = read(text);
    assert.deepEqual(seen.map(({ span }) => JSON.parse(span)), tools);
    for (const [i, { name, type, isDeferred, cacheMark }] of seen.entries()) {
      const tool = tools[i]!;
      assert.equal(name, tool["name"]);
      assert.equal(type, tool["type"] ?? "");
      assert.equal(isDeferred, tool["defer_loading"]);
      assert.deepEqual(
        cacheMark && JSON.parse(`{${cacheMark}}`),
        tool["cache_control"] && { cache_control: tool["cache_control"] },
      );
    }
  }));
});

import assert from "node:assert/strict";
import {
  insertionAtEnd,
  scanContent,
  scanFlag,
  scanText,
  scanTools,
} from "../../src/bytes/content_parts.ts";
import { JsonCursor } from "../../src/bytes/json_scan.ts";
import { splice } from "../../src/bytes/splice.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

function at(json: string) {
  const body = utf8.encode(json);
  const slice = (span: { start: number; end: number } | undefined) =>
    span && decoder.decode(body.subarray(span.start, span.end));
  return { body, cursor: new JsonCursor(body), slice };
}

Deno.test("scanContent reads a string as one text part", () => {
  const { body, cursor, slice } = at('"hi"');
  const parts = scanContent(cursor, body);
  assert.deepEqual(parts.map(({ type, text }) => [type, slice(text)]), [
    ["text", '"hi"'],
  ]);
});

Deno.test("scanContent reads parts in order, whatever the order of their members", () => {
  const { body, cursor, slice } = at(
    '[{"text":"a","type":"text"},{"type":"image","source":{"text":"no"}},{"type":"text","text":7},"loose"]',
  );
  const parts = scanContent(cursor, body);
  assert.deepEqual(parts.map(({ type, text }) => [type, slice(text)]), [
    ["text", '"a"'],
    ["image", undefined],
    ["text", undefined],
  ]);
  cursor.end();
});

Deno.test("scanContent finds nothing in null, numbers and objects, and passes them", () => {
  for (const json of ["null", "1", '{"a":[1]}']) {
    const { body, cursor } = at(json);
    assert.deepEqual(scanContent(cursor, body), []);
    cursor.end();
  }
});

Deno.test("scanText and scanFlag take only their own type", () => {
  const text = (json: string) => scanText(at(json).cursor, utf8.encode(json));
  assert.equal(text('"a\\u0062"'), "ab");
  assert.equal(text("null"), undefined);
  const flag = (json: string) => scanFlag(at(json).cursor, utf8.encode(json));
  assert.equal(flag("true"), true);
  assert.equal(flag("false"), false);
  assert.equal(flag('"true"'), false);
  assert.equal(flag("1"), false);
});

Deno.test("scanTools reads names, nested ones too, and counts tools without a name", () => {
  const json =
    '[{"type":"function","function":{"name":"a"}},{"name":"b"},{"type":"x"}]';
  const { body, cursor } = at(json);
  const tools = scanTools(cursor, body, ["function"]);
  assert.deepEqual(tools, {
    span: { start: 0, end: json.length },
    names: ["a", "b"],
    count: 3,
  });
});

Deno.test("scanTools reads the names of tools in a group, and counts the group as one", () => {
  const json =
    '[{"type":"namespace","name":"mcp__svc","tools":[{"name":"c"},7,{"name":"d"}]}]';
  const { body, cursor } = at(json);
  const tools = scanTools(cursor, body);
  assert.deepEqual(tools?.names, ["mcp__svc", "c", "d"]);
  assert.equal(tools?.count, 1);
});

Deno.test("scanTools takes null and an empty array for no tools", () => {
  for (const json of ["null", "[]", "{}"]) {
    const { body, cursor } = at(json);
    assert.equal(scanTools(cursor, body), undefined);
    cursor.end();
  }
});

Deno.test("insertionAtEnd adds elements to an empty and to a filled array", () => {
  const insert = (json: string, isEmpty: boolean) => {
    const body = utf8.encode(json);
    const array = { start: 0, end: body.length };
    const edit = insertionAtEnd(array, isEmpty, utf8.encode("1,2"));
    return decoder.decode(splice(body, [edit]));
  };
  assert.equal(insert("[ ]", true), "[ 1,2]");
  assert.equal(insert("[0 ]", false), "[0 ,1,2]");
});

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { compactTool } from "../../src/bytes/compact_tool.ts";

function compact(text: string): string {
  const body = new TextEncoder().encode(text);
  return compactTool(body, { start: 0, end: body.length });
}

Deno.test("compactTool leaves out white space, $schema, $comment and titles that repeat a name", () => {
  assert.equal(
    compact(`{
      "name" : "get_user",
      "description": "Two  spaces\\n stay.",
      "input_schema": {
        "$schema": "http://json-schema.org/draft-07/schema#", "title": "Get User Input",
        "type": "object", "additionalProperties": false,
        "properties": {
          "user_id": { "title": "User Id", "type": "string", "examples": [ "a" ] },
          "title": { "title": "Heading", "$comment": "c", "type": "string" },
          "$schema": { "type": "string" },
          "tags": { "type": "array", "items": { "title": "Tag", "enum": [ "a b", { "title": "tags" } ] } }
        },
        "required": [ "user_id" ]
      }
    }`),
    '{"name":"get_user","description":"Two  spaces\\n stay.",' +
      '"input_schema":{"title":"Get User Input","type":"object","additionalProperties":false,"properties":{' +
      '"user_id":{"type":"string","examples":["a"]},' +
      '"title":{"title":"Heading","type":"string"},' +
      '"$schema":{"type":"string"},' +
      '"tags":{"type":"array","items":{"title":"Tag","enum":["a b",{"title":"tags"}]}}},' +
      '"required":["user_id"]}}',
  );
});

Deno.test("compactTool finds the schema in definitions of all formats", () => {
  assert.equal(
    compact(
      '{"type":"function", "function":{"name":"f","parameters":{"$comment":1,"type":"object"}}}',
    ),
    '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}',
  );
  assert.equal(
    compact('{"name":"f","parameters":{"anyOf":[{"$comment":""},true]}}'),
    '{"name":"f","parameters":{"anyOf":[{},true]}}',
  );
});

Deno.test("compactTool keeps every value of a definition without annotations as it is written", () => {
  fc.assert(fc.property(
    fc.jsonValue({ maxDepth: 3 }).filter((value) =>
      !JSON.stringify(value).includes("__proto__")
    ),
    fc.constantFrom("", "  ", "\t"),
    (value, indent) => {
      const tool = { name: "n", description: value, extra: [value] };
      const written = JSON.stringify(tool, null, indent);
      assert.equal(compact(written), JSON.stringify(tool));
    },
  ));
  assert.equal(
    compact('{ "a" : 1.0, "b" : "\\u0041", "c" : 12345678901234567890 }'),
    '{"a":1.0,"b":"\\u0041","c":12345678901234567890}',
  );
});

import assert from "node:assert/strict";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import {
  insertProperty,
  jsonFormat,
  removeProperty,
  replaceValue,
} from "../../../src/cli/agents/json_format.ts";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { tomlFormat } from "../../../src/cli/agents/toml_format.ts";

const property = { key: "n", value: { b: [1] } };

function inserted(text: string, path: string[] = []): string {
  const object = findNodeAtLocation(parseTree(text)!, path)!;
  return insertProperty(text, object, property);
}

function removed(text: string, ...path: string[]): string {
  return removeProperty(
    text,
    findNodeAtLocation(parseTree(text)!, path)!.parent!,
  );
}

Deno.test("insertProperty adds a last property in the style of the text", () => {
  const cases = [
    ["{}", '{\n  "n": {\n    "b": [\n      1\n    ]\n  }\n}'],
    ['{"a":1}', '{"a":1,"n": {"b":[1]}}'],
    ['{"a": 1}', '{"a": 1, "n": {"b":[1]}}'],
    [
      '{\n\t"a": {"x":1}\n}\n',
      '{\n\t"a": {"x":1},\n\t"n": {\n\t\t"b": [\n\t\t\t1\n\t\t]\n\t}\n}\n',
    ],
    [
      '{\r\n    "a": 1\r\n}',
      '{\r\n    "a": 1,\r\n    "n": {\r\n        "b": [\r\n            1\r\n        ]\r\n    }\r\n}',
    ],
  ] as const;
  for (const [text, expected] of cases) assert.equal(inserted(text), expected);
});

Deno.test("insertProperty stays behind the comments of the last property", () => {
  assert.equal(
    inserted('{\n  "a": 1 // one, {\n  /* end */\n}'),
    '{\n  "a": 1, // one, {\n  /* end */\n  "n": {\n    "b": [\n      1\n    ]\n  }\n}',
  );
});

Deno.test("insertProperty keeps a comma at the end where there is one", () => {
  assert.equal(
    inserted('{\n  "a": 1, // one\n}'),
    '{\n  "a": 1, // one\n  "n": {\n    "b": [\n      1\n    ]\n  },\n}',
  );
  assert.equal(inserted('{"a":1,}'), '{"a":1,"n": {"b":[1]},}');
});

Deno.test("insertProperty fills an empty object below, its comment first", () => {
  assert.equal(
    inserted('{\n  "m": {}\n}', ["m"]),
    '{\n  "m": {\n    "n": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
  );
  assert.equal(
    inserted('{\n  "m": {\n    // none\n  }\n}', ["m"]),
    '{\n  "m": {\n    // none\n    "n": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
  );
  assert.equal(
    inserted('{"m":{}}', ["m"]),
    '{"m":{"n": {"b":[1]}}}',
  );
});

Deno.test("replaceValue replaces one value in its place and style", () => {
  const replaced = (text: string) =>
    replaceValue(text, findNodeAtLocation(parseTree(text)!, ["a"])!, [1]);
  assert.equal(replaced('{"a":{"x":2},"b":3}'), '{"a":[1],"b":3}');
  assert.equal(
    replaced('{\n  "a": 2, // c\n  "b": 3\n}'),
    '{\n  "a": [\n    1\n  ], // c\n  "b": 3\n}',
  );
});

Deno.test("removeProperty takes one comma along, wherever the property stands", () => {
  const cases = [
    ['{"a":1}', "{}"],
    ['{\n  "a": 1\n}', "{}"],
    ['{\n  "a": 1, // c\n}', "{ // c\n}"],
    ['{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ['{\n  "b": 2,\n  "a": 1\n}', '{\n  "b": 2\n}'],
    ['{\n  "b": 2, // two\n  "a": 1\n}', '{\n  "b": 2 // two\n}'],
    ['{\n  "b": 2,\n  "a": 1,\n}', '{\n  "b": 2,\n}'],
    ['{"b":2,"a":1,"c":3}', '{"b":2,"c":3}'],
  ] as const;
  for (const [text, expected] of cases) {
    assert.equal(removed(text, "a"), expected, text);
  }
});

const strict = jsonFormat({ container: "servers", comments: false });
const loose = jsonFormat({
  container: "servers",
  comments: true,
  head: { $schema: "s" },
});

function faultOf(run: () => unknown): ConfigFault {
  try {
    run();
  } catch (error) {
    assert(error instanceof ConfigFault);
    return error;
  }
  assert.fail("no fault");
}

Deno.test("jsonFormat takes comments and commas at the end only where the client does", () => {
  const text = '{\n  // c\n  "a": 1,\n}';
  assert.deepEqual({ ...loose.parse(text) }, { a: 1 });
  const { line, message } = faultOf(() => strict.parse(text));
  assert.equal(line, 2);
  assert.equal(message, "it is not valid JSON (invalid comment token)");
  assert.equal(faultOf(() => strict.parse('{\n"a": 1,\n}')).line, 3);
});

Deno.test("jsonFormat refuses what is not an object, and takes blank texts as empty", () => {
  assert.equal(
    faultOf(() => strict.parse("[]")).message,
    "it is not an object",
  );
  assert.deepEqual(strict.parse(" \n"), {});
  assert.deepEqual(strict.parse("\uFEFF"), {});
});

Deno.test("jsonFormat begins a new file with its head", () => {
  assert.equal(
    loose.set("", { a: 1 }),
    '{\n  "$schema": "s",\n  "servers": {\n    "svc": {\n      "a": 1\n    }\n  }\n}\n',
  );
});

Deno.test("jsonFormat refuses a container that is not an object, with its line", () => {
  const fault = faultOf(() => strict.set('{\n"a": 1,\n"servers": []}', {}));
  assert.equal(fault.line, 3);
  assert.equal(fault.message, '"servers" is not an object');
});

Deno.test("jsonFormat keeps a byte order mark", () => {
  const text = '\uFEFF{"a":1}';
  assert.equal(
    strict.set(text, { b: 2 }),
    '\uFEFF{"a":1,"servers": {"svc":{"b":2}}}',
  );
});

Deno.test("jsonFormat removes the entry, and an empty container only when told so", () => {
  const text = strict.set('{"a":1}', { b: 2 });
  assert.equal(strict.remove(text, true), '{"a":1}');
  assert.equal(strict.remove(text, false), '{"a":1,"servers": {}}');
  const shared = '{"servers":{"x":1,"svc":{}}}';
  assert.equal(strict.remove(shared, true), '{"servers":{"x":1}}');
  assert.equal(strict.remove('{"a":1}', true), '{"a":1}');
});

const format = tomlFormat("mcp_servers");
const BLOCK = '[mcp_servers.svc]\ncommand = "a"';

Deno.test("tomlFormat adds the block behind everything else, an empty line between", () => {
  const value = { command: "a" };
  assert.equal(format.set("", value), `${BLOCK}\n`);
  assert.equal(format.set("x = 1", value), `x = 1\n\n${BLOCK}\n`);
  assert.equal(format.set("x = 1\n# c\n", value), `x = 1\n# c\n\n${BLOCK}\n`);
  assert.equal(
    format.set("x = 1\r\n", value),
    'x = 1\r\n\r\n[mcp_servers.svc]\r\ncommand = "a"\r\n',
  );
});

Deno.test("tomlFormat replaces the block in its place, with the tables below it", () => {
  const text = `x = 1\n\n[ mcp_servers . "svc" ] # mine\ncommand = "b"\n\n` +
    `# env\n[mcp_servers.svc.env]\nA = "b"\n\n# next\n[y]\nz = 1\n`;
  assert.equal(
    format.set(text, { command: "a" }),
    `x = 1\n\n${BLOCK}\n\n# next\n[y]\nz = 1\n`,
  );
  assert.equal(format.remove(text, false), "x = 1\n\n# next\n[y]\nz = 1\n");
});

Deno.test("tomlFormat removes tables of the entry that do not stand together", () => {
  const text = `${BLOCK}\n\n[y]\nz = 1\n\n[mcp_servers.svc.env]\nA = "b"\n`;
  assert.equal(format.remove(text, false), "[y]\nz = 1\n");
});

Deno.test("tomlFormat leaves tables with a name that only begins alike", () => {
  const text = '[mcp_servers.svc2]\ncommand = "a"\n\n[[mcp_servers_svc]]\n';
  assert.equal(format.remove(text, false), text);
});

Deno.test("tomlFormat names the line of a fault", () => {
  assert.throws(
    () => format.parse("a = 1\nb = ["),
    (error) =>
      error instanceof ConfigFault && error.line === 2 &&
      error.message === "it is not valid TOML (unfinished array)",
  );
});

Deno.test("tomlFormat reads integers that a number cannot hold", () => {
  assert.deepEqual({ ...format.parse("a = 9223372036854775807") }, {
    a: 9223372036854775807n,
  });
});

import assert from "node:assert/strict";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { VALUE_FORMATS } from "../../../src/cli/edits/value_format.ts";

const { json, jsonc, toml } = VALUE_FORMATS;

const inserted = (text: string, path: string[] = []) =>
  jsonc.set(text, [...path, "n"], { b: [1] });
const removed = (text: string, ...path: string[]) =>
  jsonc.remove(text, path, path);

Deno.test("jsonc.set adds a last property in the style of the text", () => {
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

Deno.test("jsonc.set stays behind the comments of the last property", () => {
  assert.equal(
    inserted('{\n  "a": 1 // one, {\n  /* end */\n}'),
    '{\n  "a": 1, // one, {\n  /* end */\n  "n": {\n    "b": [\n      1\n    ]\n  }\n}',
  );
});

Deno.test("jsonc.set keeps a comma at the end where there is one", () => {
  assert.equal(
    inserted('{\n  "a": 1, // one\n}'),
    '{\n  "a": 1, // one\n  "n": {\n    "b": [\n      1\n    ]\n  },\n}',
  );
  assert.equal(inserted('{"a":1,}'), '{"a":1,"n": {"b":[1]},}');
});

Deno.test("jsonc.set fills an empty object below, its comment first", () => {
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

Deno.test("jsonc.set replaces one value in its place and style", () => {
  const replaced = (text: string) => jsonc.set(text, ["a"], [1]);
  assert.equal(replaced('{"a":{"x":2},"b":3}'), '{"a":[1],"b":3}');
  assert.equal(
    replaced('{\n  "a": 2, // c\n  "b": 3\n}'),
    '{\n  "a": [\n    1\n  ], // c\n  "b": 3\n}',
  );
});

Deno.test("jsonc.remove takes one comma along, wherever the property stands", () => {
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

function faultOf(run: () => unknown): ConfigFault {
  try {
    run();
  } catch (error) {
    assert(error instanceof ConfigFault);
    return error;
  }
  assert.fail("no fault");
}

Deno.test("VALUE_FORMATS take comments and commas at the end only where the client does", () => {
  const text = '{\n  // c\n  "a": 1,\n}';
  assert.deepEqual({ ...jsonc.parse(text) }, { a: 1 });
  const { line, message } = faultOf(() => json.parse(text));
  assert.equal(line, 2);
  assert.equal(message, "it is not valid JSON (invalid comment token)");
  assert.equal(faultOf(() => json.parse('{\n"a": 1,\n}')).line, 3);
});

Deno.test("VALUE_FORMATS refuse JSON that is not an object, and take blank texts as empty", () => {
  assert.equal(faultOf(() => json.parse("[]")).message, "it is not an object");
  assert.deepEqual(json.parse(" \n"), {});
  assert.deepEqual(json.parse("\uFEFF"), {});
});

Deno.test("VALUE_FORMATS refuse to set a member of what is not an object, with its line", () => {
  const text = '{\n"a": 1,\n"servers": []}';
  const fault = faultOf(() => json.set(text, ["servers", "svc"], {}));
  assert.equal(fault.line, 3);
  assert.equal(fault.message, '"servers" is not an object');
});

Deno.test("VALUE_FORMATS keep a byte order mark of JSON", () => {
  assert.equal(
    json.set('\uFEFF{"a":1}', ["servers", "svc"], { b: 2 }),
    '\uFEFF{"a":1,"servers": {"svc":{"b":2}}}',
  );
});

const BLOCK = '[mcp_servers.svc]\ncommand = "a"';
const PLACE = ["mcp_servers", "svc"] as const;

Deno.test("toml.set adds the block behind everything else, an empty line between", () => {
  const value = { command: "a" };
  assert.equal(toml.set("", PLACE, value), `${BLOCK}\n`);
  assert.equal(toml.set("x = 1", PLACE, value), `x = 1\n\n${BLOCK}\n`);
  assert.equal(
    toml.set("x = 1\n# c\n", PLACE, value),
    `x = 1\n# c\n\n${BLOCK}\n`,
  );
  assert.equal(
    toml.set("x = 1\r\n", PLACE, value),
    'x = 1\r\n\r\n[mcp_servers.svc]\r\ncommand = "a"\r\n',
  );
});

Deno.test("toml.set replaces the block in its place, with the tables below it", () => {
  const text = `x = 1\n\n[ mcp_servers . "svc" ] # mine\ncommand = "b"\n\n` +
    `# env\n[mcp_servers.svc.env]\nA = "b"\n\n# next\n[y]\nz = 1\n`;
  assert.equal(
    toml.set(text, PLACE, { command: "a" }),
    `x = 1\n\n${BLOCK}\n\n# next\n[y]\nz = 1\n`,
  );
  assert.equal(
    toml.remove(text, PLACE, PLACE),
    "x = 1\n\n# next\n[y]\nz = 1\n",
  );
});

Deno.test("toml.remove removes tables of the entry that do not stand together", () => {
  const text = `${BLOCK}\n\n[y]\nz = 1\n\n[mcp_servers.svc.env]\nA = "b"\n`;
  assert.equal(toml.remove(text, PLACE, PLACE), "[y]\nz = 1\n");
});

Deno.test("toml.remove leaves tables with a name that only begins alike", () => {
  const text = '[mcp_servers.svc2]\ncommand = "a"\n\n[[mcp_servers_svc]]\n';
  assert.equal(toml.remove(text, PLACE, PLACE), text);
});

Deno.test("VALUE_FORMATS name the line of a fault in TOML", () => {
  const { line, message } = faultOf(() => toml.parse("a = 1\nb = ["));
  assert.equal(line, 2);
  assert.equal(message, "it is not valid TOML (unfinished array)");
});

Deno.test("VALUE_FORMATS read integers of TOML that a number cannot hold", () => {
  assert.deepEqual({ ...toml.parse("a = 9223372036854775807") }, {
    a: 9223372036854775807n,
  });
});

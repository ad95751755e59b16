import assert from "node:assert/strict";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { jsonFormat } from "../../../src/cli/agents/json_format.ts";

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

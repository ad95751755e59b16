import assert from "node:assert/strict";
import { VALUE_FORMATS } from "../../../src/cli/edits/value_format.ts";

const { jsonc, toml } = VALUE_FORMATS;

Deno.test("VALUE_FORMATS set values in objects that are made for them", () => {
  assert.equal(jsonc.set('{"c": 2}', ["a", "b"], 1), '{"c": 2, "a": {"b":1}}');
  assert.equal(
    jsonc.set("\uFEFF", ["a", "b"], 1),
    '\uFEFF{\n  "a": {\n    "b": 1\n  }\n}\n',
  );
  assert.equal(
    toml.set("\uFEFF# a\r\n", ["a", "b"], { c: 1 }),
    "\uFEFF# a\r\n\r\n[a.b]\r\nc = 1\r\n",
  );
});

Deno.test("VALUE_FORMATS put a plain value of TOML before the first table", () => {
  assert.equal(toml.set("[t]\n", ["a"], "b"), 'a = "b"\n[t]\n');
  assert.equal(
    toml.set("[t]\na = 'c'\n", ["a"], "b"),
    "a = \"b\"\n[t]\na = 'c'\n",
  );
  assert.equal(toml.set("a = 'c' # d", ["a"], "b"), 'a = "b" # d');
});

Deno.test("VALUE_FORMATS remove a value, or the object around it", () => {
  const text = '{"a": {"b": 1}, "c": 2}';
  assert.equal(jsonc.remove(text, ["a", "b"], ["a", "b"]), '{"a": {}, "c": 2}');
  assert.equal(jsonc.remove(text, ["a", "b"], ["a"]), '{ "c": 2}');
  assert.equal(jsonc.remove(text, ["x"], ["x"]), text);
  assert.equal(
    toml.remove('a = "b"\nc = 1\n\n[t.s]\nd = 1\n', ["a"], ["a"]),
    "c = 1\n\n[t.s]\nd = 1\n",
  );
  assert.equal(
    toml.remove("c = 1\n\n[t.s]\nd = 1\n", ["t", "s"], []),
    "c = 1\n",
  );
});

import assert from "node:assert/strict";
import {
  homeOf,
  isRecord,
  textsOf,
  textValuesOf,
  TOOL_NAMES,
} from "../../../src/cli/agents/agent.ts";
import { TOOL_LIST } from "../../../src/mcp/server.ts";

Deno.test("TOOL_NAMES are the tools that the server has", () => {
  assert.deepEqual([...TOOL_NAMES].sort(), Object.keys(TOOL_LIST).sort());
});

Deno.test("homeOf takes HOME, then USERPROFILE, and refuses an environment without both", () => {
  assert.equal(homeOf({ HOME: "/h", USERPROFILE: "/u" }), "/h");
  assert.equal(homeOf({ HOME: "", USERPROFILE: "/u" }), "/u");
  assert.throws(() => homeOf({}), RangeError);
});

Deno.test("textsOf and textValuesOf refuse anything that is not text", () => {
  assert.deepEqual(textsOf(["a"]), ["a"]);
  assert.equal(textsOf(["a", 1]), undefined);
  assert.equal(textsOf("a"), undefined);
  assert.deepEqual(textValuesOf({ a: "b" }), { a: "b" });
  assert.deepEqual(textValuesOf(undefined), {});
  assert.equal(textValuesOf({ a: 1 }), undefined);
  assert.equal(textValuesOf("a"), undefined);
});

Deno.test("isRecord holds for objects with keys only", () => {
  assert.equal(isRecord({}), true);
  for (const value of [[], null, "a", undefined]) {
    assert.equal(isRecord(value), false);
  }
});

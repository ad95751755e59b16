import assert from "node:assert/strict";
import {
  parseProtectedTools,
  parseToolRules,
} from "../../src/settings/tool_rules.ts";

Deno.test("parseToolRules reads pairs in their order, names without capitals", () => {
  assert.deepEqual(
    parseToolRules(
      "SVC_TOOL_POLICY",
      " mcp__DB__* = lossless, Read=normal\nFetch=NEVER,",
    ),
    [
      { pattern: "mcp__db__*", rule: "lossless" },
      { pattern: "read", rule: "normal" },
      { pattern: "fetch", rule: "never" },
    ],
  );
});

Deno.test("parseToolRules refuses what is no pair, naming the variable and the value", () => {
  for (
    const raw of ["Read", "Read=always", "=never", "a=b=never", "a b$=never"]
  ) {
    assert.throws(
      () => parseToolRules("SVC_TOOL_POLICY", raw),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.includes("SVC_TOOL_POLICY=") &&
        error.message.includes("name=lossless"),
    );
  }
});

Deno.test("parseProtectedTools makes lossless rules of names", () => {
  assert.deepEqual(parseProtectedTools("Bash, mcp__x__*"), [
    { pattern: "bash", rule: "lossless" },
    { pattern: "mcp__x__*", rule: "lossless" },
  ]);
  assert.throws(() => parseProtectedTools("Bash=never"), RangeError);
});

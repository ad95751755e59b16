import assert from "node:assert/strict";
import { COMPRESSION_ROWS } from "../../src/settings/compression_rows.ts";

Deno.test("COMPRESSION_ROWS turns code-aware compression off and on by flags of their own", () => {
  const { flag, flagAliases } = COMPRESSION_ROWS.codeAware;
  assert.deepEqual([flag, flagAliases], ["no-code-aware", ["code-aware"]]);
});

Deno.test("COMPRESSION_ROWS takes both modes, and refuses those of the library by name", () => {
  const { mode } = COMPRESSION_ROWS;
  for (const choice of mode.choices ?? []) mode.parse(choice);
  for (const word of ["audit", "optimize", "simulate"]) {
    assert.throws(() => mode.parse(word), {
      message:
        `Cannot use SVC_MODE="${word}": must be cache or token; ${word} is a mode of the library, not of the proxy`,
    });
  }
});

const { toolPolicy, protectToolResults } = COMPRESSION_ROWS;

Deno.test("COMPRESSION_ROWS reads rules in their order, names without capitals", () => {
  assert.deepEqual(
    toolPolicy.parse(
      " mcp__DB__* = lossless, Read=normal\nFetch=NEVER,",
    ),
    [
      { pattern: "mcp__db__*", rule: "lossless" },
      { pattern: "read", rule: "normal" },
      { pattern: "fetch", rule: "never" },
    ],
  );
});

Deno.test("COMPRESSION_ROWS refuses rules that are no pairs, naming the variable and the value", () => {
  for (
    const raw of ["Read", "Read=always", "=never", "a=b=never", "a b$=never"]
  ) {
    assert.throws(
      () => toolPolicy.parse(raw),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.includes("SVC_TOOL_POLICY=") &&
        error.message.includes("name=lossless"),
    );
  }
});

Deno.test("COMPRESSION_ROWS makes lossless rules of names", () => {
  assert.deepEqual(protectToolResults.parse("Bash, mcp__x__*"), [
    { pattern: "bash", rule: "lossless" },
    { pattern: "mcp__x__*", rule: "lossless" },
  ]);
  assert.throws(() => protectToolResults.parse("Bash=never"), RangeError);
});

import assert from "node:assert/strict";
import { headerOf, quoted } from "../../../src/cli/completions/shell_text.ts";
import { scriptOf } from "./shell.ts";

Deno.test("quoted makes one word of any text", () => {
  assert.equal(quoted("it's $(x)"), `'it'\\''s $(x)'`);
  assert.equal(quoted(""), "''");
});

Deno.test("headerOf is among the first two lines of every script", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const lines = (await scriptOf(shell)).split("\n").slice(0, 2);
    assert(lines.includes(headerOf(shell)), shell);
  }
});

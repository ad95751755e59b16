import assert from "node:assert/strict";
import { bashScript } from "../../../src/cli/completions/bash.ts";
import { shellTest } from "./shell.ts";

/** A command line as bash cuts it, up to the cursor, and what is offered. */
const CASES: readonly (readonly [
  words: readonly string[],
  offered: readonly string[],
])[] = [
  [["mc"], ["mcp"]],
  [["mcp", "un"], ["uninstall"]],
  [["help", "mc"], ["mcp"]],
  [["mcp", "help", "se"], ["serve"]],
  [["proxy", "--stat"], ["--stateless"]],
  [["mcp", "install", "--d"], ["--dry-run"]],
  [["proxy", "--mode", ""], ["cache", "token"]],
  [["proxy", "--mode", "=", "t"], ["token"]],
  [["proxy", "--mode="], ["--mode=cache", "--mode=token"]],
  [["proxy", "--mode", "="], ["cache", "token"]],
  [["proxy", "--mode", "token", "--budget-p"], ["--budget-period"]],
  [["proxy", "--port", ""], []],
  [["mcp", "install", "--agent", "claude", "co"], ["codex"]],
  [["mcp", "install", "--agent", "claude", "--f"], ["--force"]],
  [["config", "get", "telemetry_"], ["telemetry_endpoint"]],
  [["config", "set", "mode", ""], []],
  [["config", "unset", "mode", "telemetry_"], ["telemetry_endpoint"]],
  [["completions", ""], ["bash", "zsh", "fish"]],
  [["compress", "bu"], ["build.log"]],
  [["compress", "--tool", "proxy", "bu"], ["build.log"]],
  [["compress", "--", "bu"], ["build.log"]],
  [["proxy", "--ca-file", "=", "tw"], ["two words.txt"]],
  [["log", "mcp", "ins"], []],
  [["demo", ""], ["-h", "--help"]],
  [["bogus", "mc"], []],
];

shellTest(
  "bash",
  "bash completes commands, flags, choices and files",
  async ({ script, run }) => {
    const tries = CASES.map(([words]) => {
      const all = ["svc", ...words].map((word) => `'${word}'`).join(" ");
      return `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _svc
      (IFS='|'; printf '%s\\n' "\${COMPREPLY[*]}")`;
    });
    const printed = await run([
      "-c",
      `set -f; set -u; . '${script}'; ${tries.join("\n")}`,
    ]);
    const lines = printed.split("\n");
    for (const [i, [words, offered]] of CASES.entries()) {
      assert.deepEqual(lines[i], offered.join("|"), words.join(" "));
    }
  },
);

shellTest(
  "bash",
  "bash knows which function completes svc",
  async ({ script, run }) => {
    const printed = await run(["-c", `. '${script}'; complete -p svc`]);
    assert.equal(printed, "complete -F _svc svc\n");
  },
);

Deno.test("bashScript quotes nothing that a shell would run", () => {
  const script = bashScript({
    path: [],
    summary: "$(touch x)",
    commands: [],
    flags: [{ names: ["--it's"], summary: "`touch x`" }],
    slots: [],
  });
  assert.doesNotMatch(script, /touch/);
  assert.match(script, /words='--it'\\''s'/);
});

import assert from "node:assert/strict";
import { fishScript } from "../../../src/cli/completions/fish.ts";
import { shellTest } from "./shell.ts";

/** A command line up to the cursor, and what is offered first; an empty text for nothing. */
const CASES: readonly (readonly [line: string, offered: string])[] = [
  [
    "svc mc",
    "mcp\tserve the tools over MCP, or register them with an agent",
  ],
  ["svc mcp un", "uninstall\ttake out what install registered"],
  ["svc help mc", "mcp"],
  [
    "svc mcp install --dr",
    "--dry-run\tshow the changes, make none",
  ],
  ["svc savings --by m", "model\twhat a row is for"],
  ["svc savings --by=m", "--by=model\twhat a row is for"],
  ["svc mcp install --agent claude cod", "codex"],
  ["svc config get telemetry_", "telemetry_endpoint"],
  ["svc config set mode t", ""],
  ["svc config unset mode telemetry_", "telemetry_endpoint"],
  ["svc completions z", "zsh"],
  ["svc compress bu", "build.log"],
  ["svc compress --tool proxy bu", "build.log"],
  ["svc compress -- bu", "build.log"],
  ["svc proxy --ca-file tw", "two words.txt"],
  ["svc log mcp ins", ""],
  ["svc demo bu", ""],
];

shellTest(
  "fish",
  "fish completes commands, flags, choices and files, with what they do",
  async ({ script, run }) => {
    const tries = CASES.map(([line]) =>
      `complete -C '${line}' | head -1; or true; echo '=='`
    );
    const printed = await run([
      "--no-config",
      "-c",
      [`source '${script}'`, ...tries].join("\n"),
    ]);
    const answers = printed.split("==\n").map((text) => text.trimEnd());
    for (const [i, [line, offered]] of CASES.entries()) {
      assert.equal(answers[i], offered, line);
    }
  },
);

Deno.test("fishScript quotes nothing that a shell would run", () => {
  const script = fishScript({
    path: [],
    summary: "",
    commands: [],
    flags: [{ names: ["--now"], summary: "it's (touch x) \\" }],
    slots: [],
  });
  assert.match(script, / -l now -d 'it\\'s \(touch x\) \\\\'\n/);
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { zshScript } from "../../../src/cli/completions/zsh.ts";
import { scriptOf, shellTest } from "./shell.ts";

/** A command line up to the cursor, and a part of the list that is shown. */
const CASES: readonly (readonly [line: string, listed: string])[] = [
  ["svc mc", "mcp  -- serve the tools over MCP"],
  ["svc mcp un", "uninstall  -- take out what install registered"],
  ["svc help m", "mcp"],
  ["svc mcp install --d", "--dry-run  -- show the changes, make none"],
  ["svc proxy --mode ", "cache  token"],
  ["svc proxy --mode=", "cache  token"],
  ["svc mcp install --agent claude --f", "--force"],
  ["svc mcp install --agent claude --agent co", "codex"],
  ["svc config get telemetry_", "telemetry_endpoint"],
  ["svc completions ", "bash  fish  zsh"],
  ["svc compress bu", "build.log"],
  ["svc compress --tool proxy tw", "two"],
  ["svc proxy --ca-file ", "build.log"],
];

/** Types each line into a zsh on a terminal of its own, asks for the list, and waits until it is there. */
const DRIVER = `
zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z "PS1= RPS1= LISTMAX=1000; unset zle_bracketed_paste; stty cols 200 rows 200; autoload -Uz compinit; compinit -u -D; bindkey '^T' list-choices; $1; print -r -- REA''DY"
zpty -r z seen '*READY*'
shift
while (( $# )); do
  zpty -w -n z "$1"$'\\C-t'
  zpty -r z seen "*\${(b)2}*" || exit 1
  print -r -- "$1 => $2"
  zpty -w -n z $'\\C-u'
  shift 2
done
zpty -d z
`;

for (const way of ["read at the start", "loaded by name"] as const) {
  shellTest(
    "zsh",
    `zsh completes commands, flags, choices and files, with what they do, when the script is ${way}`,
    async ({ script, directory, run }) => {
      await Deno.writeTextFile(join(directory, "_svc"), await scriptOf("zsh"));
      const load = way === "loaded by name"
        ? `fpath=('${directory}' $fpath); autoload -Uz _svc; compdef _svc svc`
        : `source '${script}'`;
      const cases = way === "loaded by name" ? CASES.slice(0, 3) : CASES;
      const printed = await run([
        "-f",
        "-c",
        DRIVER,
        "zsh",
        load,
        ...cases.flat(),
      ]);
      assert.deepEqual(
        printed.trimEnd().split("\n"),
        cases.map(([line, listed]) => `${line} => ${listed}`),
      );
    },
  );
}

Deno.test("zshScript quotes what would end a text or a specification", () => {
  const script = zshScript({
    path: [],
    summary: "",
    commands: [],
    flags: [{ names: ["--now"], summary: "it's [a: b] $(touch x)" }],
    slots: [],
  });
  assert.match(
    script,
    / --now'\[it'\\''s \\\[a\\: b\\\] \$\(touch x\)\]' /,
  );
});

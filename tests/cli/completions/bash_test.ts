import assert from "node:assert/strict";
import { bashScript } from "../../../src/cli/completions/bash.ts";
import { scriptOf, shellTest } from "./shell.ts";
import { join } from "node:path";
import { zshScript } from "../../../src/cli/completions/zsh.ts";
import { fishScript } from "../../../src/cli/completions/fish.ts";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";

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

/** A command line up to the cursor, and a part of the list that is shown. */
const ZSH_CASES: readonly (readonly [line: string, listed: string])[] = [
  ["svc mc", "mcp  -- serve the tools over MCP"],
  ["svc mcp un", "uninstall  -- remove what install registered"],
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
      const cases = way === "loaded by name"
        ? ZSH_CASES.slice(0, 3)
        : ZSH_CASES;
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

/** A command line up to the cursor, and what is offered first; an empty text for nothing. */
const FISH_CASES: readonly (readonly [line: string, offered: string])[] = [
  ["svc mc", "mcp\tserve the tools over MCP, or register them with agents"],
  ["svc mcp un", "uninstall\tremove what install registered"],
  ["svc help mc", "mcp"],
  ["svc mcp install --dr", "--dry-run\tshow the changes, make none"],
  ["svc savings --by m", "model\tone row for each"],
  ["svc savings --by=m", "--by=model\tone row for each"],
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
    const tries = FISH_CASES.map(([line]) =>
      `complete -C '${line}' | head -1; or true; echo '=='`
    );
    const printed = await run([
      "--no-config",
      "-c",
      [`source '${script}'`, ...tries].join("\n"),
    ]);
    const answers = printed.split("==\n").map((text) => text.trimEnd());
    for (const [i, [line, offered]] of FISH_CASES.entries()) {
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

Deno.test("svc completions prints a script with all commands, and nothing else", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const io = fakeIo();
    assert.equal(await runCli(["completions", shell], io), 0);
    assert.equal(io.err(), "");
    for (const word of ["proxy", "doctor", "uninstall", "opencode", "budget"]) {
      assert.match(io.out(), new RegExp(word), `${shell}: ${word}`);
    }
    // Only the program itself starts that one.
    assert.doesNotMatch(io.out(), /proxy-worker/);
  }
});

Deno.test("svc completions says on a terminal that a script belongs in a file", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  assert.equal(await runCli(["completions", "fish"], io), 0);
  assert.match(io.err(), /in a file: svc completions --help/);
});

Deno.test("svc completions names the shells when none or another is given", async () => {
  for (const args of [[], ["powershell"]]) {
    const io = fakeIo();
    assert.equal(await runCli(["completions", ...args], io), 2);
    assert.match(io.err(), /bash\|zsh\|fish/);
    assert.match(io.err(), /svc completions --help/);
    assert.equal(io.out(), "");
  }
});

Deno.test("svc completions is proposed to who types nearly that", async () => {
  for (const word of ["completion", "completoins"]) {
    const io = fakeIo();
    assert.equal(await runCli([word, "bash"], io), 2);
    assert.match(io.err(), /Did you mean completions\?/, word);
  }
});

Deno.test("svc completions --help says where each script goes", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["completions", "--help"], io), 0);
  for (const place of ["bash-completion", ".zfunc/_svc", "svc.fish"]) {
    assert(io.out().includes(place), place);
  }
});

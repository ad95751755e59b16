import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";

async function run(args: string[]) {
  const io = fakeIo();
  const exitCode = await runCli(["unwrap", ...args], io);
  return { exitCode, out: io.out(), err: io.err() };
}

Deno.test("defineUnwrap prints help, examples first", async () => {
  const { exitCode, out } = await run(["--help"]);
  assert.equal(exitCode, 0);
  assert.match(out, /^Examples:\n {2}svc unwrap claude/);
});

Deno.test("defineUnwrap unwraps the named agents or all, and nothing else", async () => {
  const cases: [string[], RegExp][] = [
    [["claude", "codex"], /^Claude Code: nothing.*\nCodex: nothing.*\n$/],
    [["--all"], /^Claude.*\nCodex.*\nOpenCode.*\nCline.*\nOpenClaw.*\n$/],
    [["--all", "--dry-run"], /^Claude.*\n(.*\n){3}OpenClaw.*\n$/],
  ];
  for (const [args, said] of cases) {
    const { exitCode, out } = await run(args);
    assert.equal(exitCode, 0);
    assert.match(out, said);
  }
});

Deno.test("defineUnwrap ends with 2 without an agent, with an unknown one, and with both", async () => {
  const cases: [string[], RegExp][] = [
    [
      [],
      /name agents, or all of them with --all \(claude, codex, opencode, cline, openclaw\)/,
    ],
    [["emacs"], /'emacs' is invalid.*claude, codex, opencode/],
    [["claude", "--all"], /name agents, or all/],
  ];
  for (const [args, said] of cases) {
    const { exitCode, err } = await run(args);
    assert.equal(exitCode, 2);
    assert.match(err, said);
  }
});

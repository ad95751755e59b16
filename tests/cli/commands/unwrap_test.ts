import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { runCli } from "../../../src/cli/run.ts";
import { denoSystem } from "../../../src/cli/wrap/deno_system.ts";
import { fakeIo } from "../fake_io.ts";
import { inHome } from "../uninstall/home.ts";

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

Deno.test("defineUnwrap leaves a file that a running agent needs", async () => {
  await inHome(async (home) => {
    const agent = KEEPABLE.claude;
    const base = "http://127.0.0.1:8787";
    const request = { agent, base, dryRun: false, forRun: true } as const;
    await keepAgent(home.io(), request);
    const lease = join(home.path, ".svc/wraps/8787-7.lease");
    await Deno.mkdir(dirname(lease), { recursive: true });
    const held = await denoSystem().hold(lease, '{"agent":"claude"}');
    const io = home.io();
    assert.equal(await runCli(["unwrap", "--all"], io), 1);
    assert.match(io.err(), /svc wrap claude runs and needs the file/);
    assert.match(io.out(), /^Codex: nothing to give back/);
    await held.release();
    const later = home.io();
    assert.equal(await runCli(["unwrap", "claude"], later), 0);
    assert.match(later.out(), /was removed: svc made it/);
  });
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

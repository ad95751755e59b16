import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { inHome } from "../uninstall/home.ts";
import { askedProxy } from "../wrap/running.ts";
import { join } from "node:path";

async function run(args: string[]) {
  const io = fakeIo();
  const exitCode = await runCli(["wrap", ...args], io);
  return { exitCode, out: io.out(), err: io.err() };
}

Deno.test("defineWrap prints help, examples first", async () => {
  const { exitCode, out } = await run(["--help"]);
  assert.equal(exitCode, 0);
  assert.match(out, /^Examples:\n {2}svc wrap claude /);
});

Deno.test("defineWrap ends with 2 without an agent, with an unknown one, and with options that make no sense", async () => {
  const cases: [string[], RegExp][] = [
    [["--keep"], /missing required argument 'agent'/],
    [["emacs"], /'emacs' is invalid.*claude, codex, opencode/],
    [["claude", "--port", "x"], /Give a port from 1 to 65535/],
    [["claude", "--keep", "--", "-p"], /arguments for the agent with --keep/],
    [["claude", "--keep", "--print-env"], /--keep with --print-env/],
    [["codex", "--1m"], /--1m with codex: only claude has it/],
    [["claude", "-p", "x"], /unknown option '-p'/],
  ];
  for (const [args, said] of cases) {
    const { exitCode, err } = await run(args);
    assert.equal(exitCode, 2);
    assert.match(err, said);
  }
});

Deno.test("defineWrap keeps no agent pointed to the proxy whose address is in the environment", async () => {
  await inHome(async (home) => {
    const io = home.io({
      env: { HOME: home.path, ANTHROPIC_BASE_URL: "http://127.0.0.1:4000/a" },
    });
    assert.equal(await runCli(["wrap", "claude", "--keep"], io), 1);
    assert.match(
      io.err(),
      /ANTHROPIC_BASE_URL in the environment is http:\/\/127\.0\.0\.1:4000\. Take it out; if requests are to go there, make it the upstream of svc proxy/,
    );
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("defineWrap keeps no agent pointed to another program", async () => {
  await inHome(async (home) => {
    const ask = () => Promise.resolve({ status: 200, text: "hi" });
    const io = home.io({ ask });
    assert.equal(await runCli(["wrap", "claude", "--keep"], io), 1);
    assert.match(io.err(), /port 8787/);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("defineWrap edits the agent's file with the port of the proxy, and svc unwrap gives it back", async () => {
  await inHome(async (home) => {
    const file = ".claude/settings.json";
    const before = '{\r\n\t"model": "opus", // mine\r\n}';
    await home.write({ [file]: before });
    const read = () => Deno.readTextFile(join(home.path, file));
    const wrap = ["wrap", "claude", "--keep", "--port", "9001"];
    const ask = askedProxy(() => 5);
    assert.equal(await runCli([...wrap, "--dry-run"], home.io({ ask })), 0);
    assert.equal(await read(), before);
    assert.equal(await runCli(wrap, home.io({ ask })), 0);
    assert.match(await read(), /"http:\/\/127\.0\.0\.1:9001"/);
    assert.equal(await runCli(["unwrap", "claude"], home.io()), 0);
    assert.equal(await read(), before);
  });
});

import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";

const SUBCOMMANDS = ["serve", "install", "uninstall", "status"];

async function run(args: string[], texts: Record<string, string> = {}) {
  const files = fakeFiles(new Map(Object.entries(texts)));
  const io = fakeIo({ files });
  const exitCode = await runCli(["mcp", ...args], io);
  return { exitCode, out: io.out(), err: io.err(), texts: files.texts };
}

Deno.test("defineMcp prints help, examples first, for itself and every subcommand", async () => {
  const pages = [
    ["--help"],
    ["help"],
    ...SUBCOMMANDS.map((s) => [s, "--help"]),
  ];
  for (const args of [...pages, ["help", "install"]]) {
    const { exitCode, out, err } = await run(args);
    assert.equal(exitCode, 0, args.join(" "));
    assert.match(out, /^Examples:\n {2}svc mcp /);
    assert.match(out, /\nUsage: svc mcp/);
    assert.equal(err, "");
  }
  const { out } = await run(["--help"]);
  for (const name of SUBCOMMANDS) assert.ok(out.includes(`\n  ${name} `));
});

Deno.test("defineMcp ends with 2 without a subcommand, with an unknown one, and on unknown flags", async () => {
  const cases: [string[], RegExp][] = [
    [[], /Usage: svc mcp/],
    [["bogus"], /unknown command 'bogus'\n\(svc mcp --help lists/],
    [["instal"], /unknown command 'instal'\n\(Did you mean install\?\)/],
    [["help", "bogus"], /unknown command 'bogus'/],
    [["install", "--bogus"], /unknown option.*\n\(svc mcp install --help/],
    [
      ["install", "--agent", "emacs"],
      /'emacs' is invalid.*claude, codex, opencode/,
    ],
    [["install", "--proxy-url", "ftp://a"], /Cannot use --proxy-url="ftp:/],
    [["status", "x"], /too many arguments/],
  ];
  for (const [args, message] of cases) {
    const { exitCode, out, err, texts } = await run(args);
    assert.equal(exitCode, 2, args.join(" "));
    assert.match(err, message);
    assert.equal(out, "");
    assert.equal(texts.size, 0);
  }
});

Deno.test("defineMcp registers with the agents that are here, and says where it looked when there is none", async () => {
  const here = await run(["install"], { "/home/a/.codex/auth.json": "{}" });
  assert.equal(here.exitCode, 0);
  assert.match(here.out, /^Codex: registered/);
  assert.equal(here.texts.has("/home/a/.claude.json"), false);
  const none = await run(["install"]);
  assert.equal(none.exitCode, 1);
  assert.match(
    none.err,
    /Cannot find an agent: .*\/home\/a\/\.claude, .*\/home\/a\/\.codex, .*--agent claude/,
  );
});

Deno.test("defineMcp registers with named agents, each once, with the proxy's URL", async () => {
  const { exitCode, out, texts } = await run([
    ...["install", "--agent", "claude", "--agent", "claude", "opencode"],
    ...["--proxy-url", "http://127.0.0.1:9000"],
  ]);
  assert.equal(exitCode, 0);
  assert.equal(out.match(/registered in/g)?.length, 2);
  const { mcpServers } = JSON.parse(texts.get("/home/a/.claude.json")!);
  assert.deepEqual(mcpServers.svc, {
    type: "stdio",
    command: "/opt/deno",
    args: [
      ...["run", "/opt/svc/main.ts", "mcp", "serve"],
      ...["--proxy-url", "http://127.0.0.1:9000"],
    ],
  });
});

Deno.test("defineMcp passes --dry-run, --force and --json on", async () => {
  const theirs = '{"mcpServers":{"svc":{"command":"x"}}}';
  const file = "/home/a/.claude.json";
  const args = ["install", "--agent", "claude"];
  assert.equal((await run(args, { [file]: theirs })).exitCode, 1);
  const dry = await run([...args, "--force", "--dry-run"], { [file]: theirs });
  assert.equal(dry.exitCode, 0);
  assert.equal(dry.texts.get(file), theirs);
  const forced = await run([...args, "--force"], { [file]: theirs });
  assert.match(forced.texts.get(file)!, /opt\/deno/);
  const status = await run(["status", "--json"], { [file]: theirs });
  assert.equal(JSON.parse(status.out).agents.length, 3);
  const gone = await run(["uninstall", "--dry-run"], { [file]: theirs });
  assert.match(gone.out, /Claude Code: left alone/);
});

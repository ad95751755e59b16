import type { McpOptions, RunningMcp } from "../../../src/cli/opened.ts";
import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import type { GivenUp } from "../../../src/cli/io.ts";
import { type McpServeFlags, serveMcp } from "../../../src/cli/commands/mcp.ts";
import type { Config } from "../../../src/settings/resolve.ts";

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

/** Runs the command; the client leaves at once. */
async function mcpServeRun(
  flags: McpServeFlags,
  env: Record<string, string> = {},
) {
  const started: { config: Config; options: McpOptions }[] = [];
  const io = fakeIo({
    env: { HOME: "/home/a", ...env },
    startMcp(config, options) {
      started.push({ config, options });
      return Promise.resolve<RunningMcp>({
        finished: Promise.resolve(),
        stop: () => Promise.resolve(),
      });
    },
  });
  const exitCode = await serveMcp(io, flags);
  return { io, exitCode, ...started[0]! };
}

async function proxyOf(flags: McpServeFlags, env?: Record<string, string>) {
  const { options } = await mcpServeRun(flags, env);
  return options.proxy?.href;
}

Deno.test("serveMcp ends with 0 when the client leaves, and says nothing on stdout", async () => {
  const { io, exitCode, config } = await mcpServeRun({}, { SVC_TYPO: "1" });
  assert.equal(exitCode, 0);
  assert.equal(io.out(), "");
  assert.match(io.err(), /SVC_TYPO is not a setting/);
  assert.equal(io.handlers(), 0);
  assert.equal(config.paths?.workspace, "/home/a/.svc");
});

Deno.test("serveMcp tells who starts it by hand what it waits for", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  assert.equal(await serveMcp(io, {}), 0);
  assert.match(io.err(), /svc mcp install/);
  assert.equal(io.out(), "");
});

Deno.test("serveMcp stops the server on a stop signal", async () => {
  const finished = Promise.withResolvers<void>();
  const io = fakeIo({
    startMcp: () =>
      Promise.resolve({
        finished: finished.promise,
        stop: () => Promise.resolve(finished.resolve()),
      }),
  });
  const running = serveMcp(io, {});
  await io.listening;
  io.signal();
  assert.equal(await running, 0);
});

Deno.test("serveMcp asks the proxy of the flag, of the variable, then of this configuration", async () => {
  const SVC_PROXY_URL = "http://localhost:9001/a";
  assert.equal(await proxyOf({}), "http://127.0.0.1:8787/");
  assert.equal(
    await proxyOf({}, { SVC_PORT: "9000" }),
    "http://127.0.0.1:9000/",
  );
  assert.equal(await proxyOf({}, { SVC_PROXY_URL }), SVC_PROXY_URL);
  assert.equal(
    await proxyOf({ proxyUrl: "https://box:1/" }, { SVC_PROXY_URL }),
    "https://box:1/",
  );
  assert.equal(await proxyOf({ direct: true }, { SVC_PROXY_URL }), undefined);
});

Deno.test("serveMcp does not call the proxy's variable unknown", async () => {
  const { io } = await mcpServeRun({}, { SVC_PROXY_URL: "http://[::1]:1" });
  assert.equal(io.err(), "");
});

Deno.test("serveMcp refuses another machine unless the command line names it", async () => {
  for (const host of ["example.com", "10.0.0.1", "127.0.0.1.example.com"]) {
    await assert.rejects(
      mcpServeRun({}, { SVC_PROXY_URL: `http://${host}:8787` }),
      (error: Error) =>
        error instanceof CliFailure && error.exitCode === 2 &&
        error.message.includes(host) && error.message.includes("--proxy-url"),
    );
  }
});

Deno.test("serveMcp refuses what is no URL, and repeats no password", async () => {
  for (
    const proxyUrl of ["", "localhost:8787", "ftp://a", "http://u:hush@a:1"]
  ) {
    await assert.rejects(
      mcpServeRun({ proxyUrl }),
      (error: Error) =>
        error instanceof CliFailure && error.exitCode === 2 &&
        !error.message.includes("hush"),
    );
  }
});

Deno.test("serveMcp refuses a setting that cannot be used", async () => {
  await assert.rejects(
    mcpServeRun({}, { SVC_PORT: "soon" }),
    (error: Error) => error instanceof CliFailure && error.exitCode === 2,
  );
});

Deno.test("serveMcp says on stderr what is done, with --debug only", async () => {
  const quiet = await mcpServeRun({});
  assert.equal(quiet.options.debug, undefined);
  const { io, options } = await mcpServeRun({ debug: true });
  options.debug?.("retrieve abc");
  assert.match(io.err(), /^svc mcp: serving; proxy 127\.0\.0\.1:8787\n/);
  assert.match(io.err(), /svc mcp: retrieve abc\n$/);
});

Deno.test("serveMcp gives up what stateless and offline forbid, but the network only where it asks no proxy", async () => {
  const givenUp = async (flags: McpServeFlags, env: Record<string, string>) => {
    const calls: GivenUp[] = [];
    const io = fakeIo({
      env: { HOME: "/home/a", ...env },
      giveUp: (what) => void calls.push(what),
    });
    await serveMcp(io, flags);
    return calls;
  };
  const both = { SVC_STATELESS: "1", SVC_OFFLINE: "1" };
  assert.deepEqual(await givenUp({}, {}), [{ files: false, network: false }]);
  assert.deepEqual(await givenUp({}, both), [{ files: true, network: false }]);
  assert.deepEqual(await givenUp({ direct: true }, both), [
    { files: true, network: true },
  ]);
});

import type { McpOptions, RunningMcp } from "../../../src/cli/opened.ts";
import assert from "node:assert/strict";
import { fakeFiles, fakeIo, refused, svc } from "../fake_io.ts";
import type { GivenUp } from "../../../src/cli/io.ts";
import type { Config } from "../../../src/settings/resolve.ts";

async function run(args: string[], texts: Record<string, string> = {}) {
  const files = fakeFiles(new Map(Object.entries(texts)));
  const io = fakeIo({ files });
  const exitCode = await svc(["mcp", ...args].join(" "), io);
  return { exitCode, out: io.out(), err: io.err(), texts: files.texts };
}

Deno.test("svc mcp ends with 2 without a subcommand, with an unknown one, and on unknown flags", async () => {
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

Deno.test("svc mcp registers with the agents that are here, and says where it looked when there is none", async () => {
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

Deno.test("svc mcp registers with named agents, each once, with the proxy's URL", async () => {
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

Deno.test("svc mcp passes --dry-run, --force and --json on", async () => {
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
async function serve(flags = "", env: Record<string, string> = {}) {
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
  assert.equal(await svc(`mcp serve${flags}`, io), 0);
  return { io, ...started[0]! };
}

async function proxyOf(flags = "", env?: Record<string, string>) {
  return (await serve(flags, env)).options.proxy?.href;
}

Deno.test("svc mcp serve ends with 0 when the client leaves, and says nothing on stdout", async () => {
  const { io, config } = await serve("", { SVC_TYPO: "1" });
  assert.equal(io.out(), "");
  assert.match(io.err(), /SVC_TYPO is not a setting/);
  assert.equal(io.handlers(), 0);
  assert.equal(config.paths?.workspace, "/home/a/.svc");
});

Deno.test("svc mcp serve tells who starts it by hand what it waits for", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  assert.equal(await svc("mcp serve", io), 0);
  assert.match(io.err(), /svc mcp install/);
  assert.equal(io.out(), "");
});

Deno.test("svc mcp serve stops the server on a stop signal", async () => {
  const finished = Promise.withResolvers<void>();
  const io = fakeIo({
    startMcp: () =>
      Promise.resolve({
        finished: finished.promise,
        stop: () => Promise.resolve(finished.resolve()),
      }),
  });
  const running = svc("mcp serve", io);
  await io.listening;
  io.signal();
  assert.equal(await running, 0);
});

Deno.test("svc mcp serve asks the proxy of the flag, of the variable, then of this configuration", async () => {
  const SVC_PROXY_URL = "http://localhost:9001/a";
  assert.equal(await proxyOf(), "http://127.0.0.1:8787/");
  assert.equal(
    await proxyOf("", { SVC_PORT: "9000" }),
    "http://127.0.0.1:9000/",
  );
  assert.equal(await proxyOf("", { SVC_PROXY_URL }), SVC_PROXY_URL);
  assert.equal(
    await proxyOf(" --proxy-url https://box:1/", { SVC_PROXY_URL }),
    "https://box:1/",
  );
  assert.equal(await proxyOf(" --direct", { SVC_PROXY_URL }), undefined);
});

Deno.test("svc mcp serve does not call the proxy's variable unknown", async () => {
  const { io } = await serve("", { SVC_PROXY_URL: "http://[::1]:1" });
  assert.equal(io.err(), "");
});

Deno.test("svc mcp serve refuses another machine unless the command line names it", async () => {
  for (const host of ["example.com", "10.0.0.1", "127.0.0.1.example.com"]) {
    const env = { HOME: "/a", SVC_PROXY_URL: `http://${host}:8787` };
    const said = new RegExp(`${host}.* --proxy-url`);
    await refused("mcp serve", fakeIo({ env }), [2, said]);
  }
});

Deno.test("svc mcp serve refuses what is no URL, and repeats no password", async () => {
  for (const url of ["", "localhost:8787", "ftp://a", "http://u:hush@a:1"]) {
    const io = fakeIo();
    await refused(`mcp serve --proxy-url=${url}`, io, [2, /--proxy-url/]);
    assert.doesNotMatch(io.err(), /hush/);
  }
  const env = { HOME: "/a", SVC_PORT: "soon" };
  await refused("mcp serve", fakeIo({ env }), [2, /SVC_PORT="soon"/]);
});

Deno.test("svc mcp serve says on stderr what is done, with --debug only", async () => {
  const quiet = await serve();
  assert.equal(quiet.options.debug, undefined);
  const { io, options } = await serve(" --debug");
  options.debug?.("retrieve abc");
  assert.match(io.err(), /^svc mcp: serving; proxy 127\.0\.0\.1:8787\n/);
  assert.match(io.err(), /svc mcp: retrieve abc\n$/);
});

Deno.test("svc mcp serve gives up what stateless and offline forbid, but the network only where it asks no proxy", async () => {
  const givenUp = async (flags: string, env: Record<string, string>) => {
    const calls: GivenUp[] = [];
    const io = fakeIo({
      env: { HOME: "/home/a", ...env },
      giveUp: (what) => void calls.push(what),
    });
    await svc(`mcp serve${flags}`, io);
    return calls;
  };
  const both = { SVC_STATELESS: "1", SVC_OFFLINE: "1" };
  assert.deepEqual(await givenUp("", {}), [{ files: false, network: false }]);
  assert.deepEqual(await givenUp("", both), [{ files: true, network: false }]);
  assert.deepEqual(await givenUp(" --direct", both), [
    { files: true, network: true },
  ]);
});

import assert from "node:assert/strict";
import { BUILD_FACTS, buildInfo, versionLine } from "../../src/build_info.ts";
import { runCli } from "../../src/cli/run.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { systemError } from "../../src/cli/failure.ts";
import { textWidth } from "../../src/cli/terminal.ts";
import { fakeFiles, type FakeIo, fakeIo } from "./fake_io.ts";

/** Runs a proxy until it waits, then stops it. */
async function proxyOnce(args: string[], io: FakeIo): Promise<number> {
  const exit = runCli(["proxy", ...args], io);
  await io.listening;
  io.signal();
  return await exit;
}

Deno.test("runCli prints the version and how it was built to stdout", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["--version"], io), 0);
  assert.equal(io.out(), `${versionLine(buildInfo())}\n`);
  assert.equal(io.err(), "");
});

Deno.test("runCli names the releases at the end of its help, if the build knows them", async () => {
  const help = async () => {
    const io = fakeIo();
    assert.equal(await runCli(["--help"], io), 0);
    return io.out();
  };
  assert.doesNotMatch(await help(), /Releases/);
  const releases = "https://code.example/team/svc/releases";
  const world = globalThis as { [BUILD_FACTS]?: unknown };
  world[BUILD_FACTS] = { way: "deno compile", releases };
  try {
    assert((await help()).endsWith(`\n\nReleases: ${releases}\n`));
  } finally {
    delete world[BUILD_FACTS];
  }
});

Deno.test("runCli prints help to stdout, examples first, for every command", async () => {
  for (
    const args of [["--help"], ["proxy", "--help"], ["compress", "-h"], [
      "demo",
      "--help",
    ], [
      "help",
      "proxy",
    ]]
  ) {
    const io = fakeIo();
    assert.equal(await runCli(args, io), 0);
    assert.match(io.out(), /^Examples:\n {2}svc /);
    assert.match(io.out(), /\nUsage: svc/);
    assert.equal(io.err(), "");
  }
});

Deno.test("runCli without a command says how it is used and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli([], io), 2);
  assert.equal(io.out(), "");
  assert.match(io.err(), /Usage: svc/);
});

Deno.test("runCli names an unknown flag and the one that was meant, and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["proxy", "--prot", "1"], io), 2);
  assert.match(io.err(), /unknown option '--prot'\n\(Did you mean --port\?\)/);
  assert.match(io.err(), /svc proxy --help/);
  assert.deepEqual(io.configs, []);
});

Deno.test("runCli names an unknown command and the one that was meant, and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["prxy"], io), 2);
  assert.match(io.err(), /unknown command 'prxy'\n\(Did you mean proxy\?\)/);
});

Deno.test("runCli refuses help for an unknown command as it refuses the command", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["help", "prxy"], io), 2);
  assert.match(io.err(), /unknown command 'prxy'\n\(Did you mean proxy\?\)/);
  assert.equal(io.out(), "");
  for (const args of [["help"], ["help", "--help"]]) {
    const io = fakeIo();
    assert.equal(await runCli(args, io), 0, args.join(" "));
    assert.match(io.out(), /\nUsage: svc/);
  }
});

Deno.test("runCli finds the help of a subcommand in every order, and takes help as a file's name", async () => {
  for (const args of [["help", "mcp", "install"], ["mcp", "help", "install"]]) {
    const io = fakeIo();
    assert.equal(await runCli(args, io), 0, args.join(" "));
    assert.match(io.out(), /\nUsage: svc mcp install /);
  }
  for (const args of [["help", "mcp", "bogus"], ["mcp", "help", "bogus"]]) {
    const io = fakeIo();
    assert.equal(await runCli(args, io), 2, args.join(" "));
    assert.match(io.err(), /unknown command 'bogus'\n\(svc mcp --help/);
  }
  const io = fakeIo();
  assert.equal(await runCli(["compress", "help"], io), 1);
  assert.match(io.err(), /Cannot read "\/project\/help"/);
});

Deno.test("runCli refuses two names of one flag with different values, and takes equal ones", async () => {
  const both = (
    a: string,
    b: string,
  ) => ["--anthropic-api-url", a, "--msg-api-url", b];
  const io = fakeIo();
  assert.equal(
    await runCli(["proxy", ...both("http://a", "http://b")], io),
    2,
  );
  assert.match(
    io.err(),
    /--anthropic-api-url="http:\/\/a" together with --msg-api-url="http:\/\/b"/,
  );
  const equal = fakeIo();
  assert.equal(await proxyOnce(both("http://a", "http://a/"), equal), 0);
  assert.equal(equal.configs[0]?.upstreams.messages, "http://a");
});

Deno.test("runCli ends with 2 on an upstream that is the proxy itself", async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [
      ["--port", "8904"],
      { CHAT_TARGET_API_URL: "http://127.0.0.1:8904" },
      /CHAT_TARGET_API_URL="http:\/\/127\.0\.0\.1:8904"/,
    ],
    [
      ["--host", "::", "--msg-api-url", "http://box:8787/x"],
      {},
      /--msg-api-url="http:\/\/box:8787\/x"/,
    ],
  ];
  for (const [args, env, named] of cases) {
    const io = fakeIo({ env: { HOME: "/h", ...env } });
    assert.equal(await runCli(["proxy", ...args], io), 2);
    assert.match(io.err(), named);
    assert.match(io.err(), /svc itself listens there/);
    assert.deepEqual(io.configs, []);
  }
});

Deno.test("runCli ends with 2 on a host that is no name, from a variable", async () => {
  const io = fakeIo({ env: { HOME: "/h", SVC_HOST: "bad..host" } });
  assert.equal(await runCli(["proxy"], io), 2);
  assert.match(io.err(), /^error: Cannot use SVC_HOST="bad\.\.host": must be/);
});

Deno.test("runCli warns once of variables that are no settings", async () => {
  const env = { HOME: "/h", SVC_PRT: "1", SVC_X: "1", SVC_PORT: "1" };
  const proxy = fakeIo({ env });
  await proxyOnce([], proxy);
  const compress = fakeIo({ env });
  await runCli(["compress"], compress);
  for (const io of [proxy, compress]) {
    const [first, second] = io.err().split("\n");
    assert.equal(
      first,
      "Warning: SVC_PRT (did you mean SVC_PORT?), SVC_X are not settings of this version: ignored",
    );
    assert.doesNotMatch(second!, /Warning/);
  }
});

Deno.test("runCli ends with 2 on a flag without its value and on one argument too many", async () => {
  for (
    const args of [["proxy", "--port"], ["proxy", "x"], ["compress", "a", "b"]]
  ) {
    assert.equal(await runCli(args, fakeIo()), 2, args.join(" "));
  }
});

Deno.test("runCli ends with 2 on a value that cannot be used, from a flag or a variable", async () => {
  const byFlag = fakeIo();
  assert.equal(await runCli(["proxy", "--port", "70000"], byFlag), 2);
  assert.match(byFlag.err(), /^error: Cannot use --port="70000"/);
  const byVariable = fakeIo({ env: { HOME: "/h", SVC_MODE: "audit" } });
  assert.equal(await runCli(["proxy"], byVariable), 2);
  assert.match(byVariable.err(), /^error: Cannot use SVC_MODE="audit"/);
});

Deno.test("runCli hands every flag of svc proxy to the configuration", async () => {
  const io = fakeIo();
  const args = [
    ...["--host", "::1", "--port", "9", "--mode", "token"],
    ...["--anthropic-api-url", "http://a", "--chat-api-url=http://b/"],
    ...["--no-ccr", "--stateless"],
  ];
  assert.equal(await proxyOnce(args, io), 0);
  const [config] = io.configs;
  assert.equal(config?.host, "::1");
  assert.equal(config.port, 9);
  assert.equal(config.mode, "token");
  assert.partialDeepStrictEqual(config.upstreams, {
    messages: "http://a",
    chat: "http://b",
  });
  assert.deepEqual(config.ccr, {
    enabled: false,
    backend: "memory",
    ttlSeconds: 1800,
  });
  assert.equal(config.lossless, false);
  assert.equal(config.paths, undefined);
});

Deno.test("runCli takes svc proxy without flags as the defaults", async () => {
  const io = fakeIo();
  assert.equal(await proxyOnce([], io), 0);
  assert.equal(io.configs[0]?.mode, "cache");
  assert.equal(io.configs[0].ccr.enabled, true);
});

Deno.test("runCli reads the remaining switches of svc proxy", async () => {
  const io = fakeIo();
  await proxyOnce(
    ["--no-optimize", "--lossless", "--msg-api-url", "http://c"],
    io,
  );
  assert.equal(io.configs[0]?.mode, "passthrough");
  assert.equal(io.configs[0].lossless, true);
  assert.equal(io.configs[0].upstreams.messages, "http://c");
});

Deno.test("runCli hands the flags of svc compress to the library", async () => {
  const io = fakeIo();
  const args = ["compress", "--lossless", "--query", "why", "--tool", "Bash"];
  assert.equal(await runCli(args, io), 0);
  assert.deepEqual(io.compressed[0]?.options, {
    codeAware: true,
    folds: true,
    lossless: true,
    query: "why",
    toolName: "Bash",
  });
});

Deno.test("runCli leaves source code alone for svc compress by flag and by variable", async () => {
  const codeAware = async (args: string[], env: Record<string, string>) => {
    const io = fakeIo({ env });
    assert.equal(await runCli(["compress", ...args], io), 0);
    return io.compressed[0]?.options.codeAware;
  };
  assert.equal(await codeAware([], {}), true);
  assert.equal(await codeAware(["--no-code-aware"], {}), false);
  assert.equal(await codeAware([], { SVC_CODE_AWARE_ENABLED: "0" }), false);
});

Deno.test("runCli takes SVC_LOSSLESS and SVC_NO_CCR for svc compress as for the proxy", async () => {
  for (const name of ["SVC_LOSSLESS", "SVC_NO_CCR"]) {
    const lossless = async (value: string) => {
      const io = fakeIo({ env: { [name]: value } });
      assert.equal(await runCli(["compress"], io), 0);
      return io.compressed[0]?.options.lossless;
    };
    assert.equal(await lossless("1"), true);
    assert.equal(await lossless("off"), undefined);
    const io = fakeIo({ env: { [name]: "x" } });
    assert.equal(await runCli(["compress"], io), 2);
    assert.match(io.err(), new RegExp(`Cannot use ${name}="x"`));
  }
});

Deno.test("runCli says in the help of svc compress where the original is and how to get it", async () => {
  const io = fakeIo();
  await runCli(["compress", "--help"], io);
  assert.match(io.out(), /original is\s+stored in the workspace/);
  assert.match(io.out(), /curl http:\/\/127\.0\.0\.1:8787\/v1\/retrieve/);
});

Deno.test("runCli says in the help of svc proxy where settings are stored and what signals do", async () => {
  const io = fakeIo();
  await runCli(["proxy", "--help"], io);
  assert.match(io.out(), /settings\.json in the workspace/);
  assert.match(io.out(), /SIGTERM: .* 10 s to finish/);
  assert.match(io.out(), /SIGHUP: read settings\.json/);
});

/** Every command that prints a help page of its own. */
const PAGES = [
  ["--help"],
  ...["proxy", "compress", "demo", "log", "show", "savings", "perf", "doctor"]
    .map((name) => [name, "--help"]),
  ["completions", "--help"],
  ["uninstall", "--help"],
  ...Object.entries({
    config: ["list", "get", "set", "unset", "path"],
    telemetry: ["list", "show"],
    ccr: ["list", "show", "stats", "clear"],
    mcp: ["serve", "install", "uninstall", "status"],
  }).flatMap(([name, subs]) => [
    [name, "--help"],
    ...subs.map((sub) => [name, sub, "--help"]),
  ]),
];

Deno.test("runCli prints help pages of 80 columns, which narrow terminals bear too", async () => {
  for (const args of PAGES) {
    const page = async (columns: string) => {
      const io = fakeIo({ env: { HOME: "/h", COLUMNS: columns } });
      assert.equal(await runCli(args, io), 0);
      return io.out().split("\n");
    };
    for (const line of await page("")) {
      assert(line.length <= 80, `${args.join(" ")}: ${line}`);
    }
    // Where a line is longer, one of its words alone is.
    for (const line of await page("60")) {
      assert(line.length <= 60 || /^ *(\S+ )?\S+$/.test(line), line);
    }
  }
});

Deno.test("runCli breaks its talk at blanks on a terminal, and nowhere else", async () => {
  const talk = async (stderrIsTerminal: boolean) => {
    const io = fakeIo({ stderrIsTerminal, terminalColumns: () => 60 });
    await runCli(["config", "get", "wat"], io);
    await runCli(["show"], io);
    return io.err().split("\n");
  };
  assert.equal((await talk(false)).length, 3);
  const lines = await talk(true);
  assert(lines.length > 4);
  for (const line of lines) assert(textWidth(line) <= 60, line);
});

Deno.test("runCli does not show the command of worker processes, and refuses it to people", async () => {
  const help = fakeIo();
  await runCli(["--help"], help);
  assert.doesNotMatch(help.out(), /proxy-worker/);
  const io = fakeIo();
  assert.equal(await runCli(["proxy-worker"], io), 2);
  assert.match(io.err(), /by hand: svc proxy --workers <number> starts them/);
});

Deno.test("runCli uses stored settings for svc proxy, below the environment and flags", async () => {
  const text = JSON.stringify({
    MSG_TARGET_API_URL: "http://a",
    CHAT_TARGET_API_URL: "http://a",
    SVC_PORT: 1,
    SVC_HOST: "bad..host",
  });
  const io = fakeIo({
    env: { HOME: "/h", SVC_CHAT_TARGET_API_URL: "http://b" },
    files: fakeFiles(new Map([["/h/.svc/settings.json", text]])),
  });
  assert.equal(await proxyOnce(["--port", "2"], io), 0);
  const [config] = io.configs;
  assert.equal(config?.upstreams.messages, "http://a");
  assert.equal(config.upstreams.chat, "http://b");
  assert.equal(config.port, 2);
  assert.equal(config.host, "127.0.0.1");
  assert.match(
    io.err(),
    /^Warning: Cannot use SVC_HOST="bad\.\.host": .*settings\.json/m,
  );
});

Deno.test("runCli takes a file named like a command as a file", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["compress", "proxy"], io), 1);
  assert.equal(
    io.err(),
    'error: Cannot read "/project/proxy": there is no such file\n',
  );
});

Deno.test("runCli reports a failure of the service by its message and ends with 1", async () => {
  const error = new ServiceError("configuration_error", "Cannot listen there");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  assert.equal(await runCli(["proxy"], io), 1);
  assert.equal(io.err(), "error: Cannot listen there\n");
});

Deno.test("runCli reports a failure nobody foresaw with its place, and ends with 1", async () => {
  const io = fakeIo({
    openLibrary: () => Promise.reject(new Error("Bad luck")),
  });
  assert.equal(await runCli(["compress"], io), 1);
  assert.match(io.err(), /^error: Bad luck \(at .*run_test\.ts/);
});

Deno.test("runCli succeeds silently when the reader of stdout has gone", async () => {
  for (const args of [["--help"], ["log", "--help"], ["completions", "bash"]]) {
    const io = fakeIo({
      stdout: () => {
        throw systemError("EPIPE", "Broken pipe");
      },
    });
    assert.equal(await runCli(args, io), 0);
    assert.equal(io.err(), "");
  }
});

Deno.test("runCli does not take another broken pipe for that of stdout", async () => {
  const io = fakeIo({
    openLibrary: () => Promise.reject(systemError("EPIPE", "Broken pipe")),
  });
  assert.equal(await runCli(["compress"], io), 1);
  assert.match(io.err(), /Broken pipe/);
});

Deno.test("runCli says that stdout could not be written, by any command", async () => {
  for (const args of [["compress"], ["--help"]]) {
    const io = fakeIo({
      stdout: () => {
        throw systemError("ENOSPC", "No space left on device (os error 28)");
      },
    });
    assert.equal(await runCli(args, io), 1);
    assert.equal(
      io.err(),
      "error: Cannot write standard output: no space left on device\n",
    );
  }
});

Deno.test("runCli colours errors on a terminal only", async () => {
  const io = fakeIo({ stderrIsTerminal: true });
  await runCli(["compress", "nowhere"], io);
  assert.ok(io.err().startsWith("\x1b[31merror:\x1b[0m "));
});

Deno.test("runCli names the flag of the runtime that a command is missing, and ends with 1", async () => {
  const io = fakeIo({
    readFile: () =>
      Promise.reject(
        new Deno.errors.NotCapable(
          'Requires read access to "/a", run again with the --allow-read flag',
        ),
      ),
  });
  assert.equal(await runCli(["compress", "/a"], io), 1);
  assert.equal(
    io.err(),
    "error: Cannot do that: svc was started without the permission --allow-read=/a; add it, docs/permissions.md lists what each command needs\n",
  );
});

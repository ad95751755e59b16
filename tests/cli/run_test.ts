import assert from "node:assert/strict";
import { BUILD_FACTS, buildInfo, versionLine } from "../../src/build_info.ts";
import { runCli } from "../../src/cli/run.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { systemError } from "../../src/cli/failure.ts";
import { textWidth } from "../../src/cli/terminal.ts";
import { fakeFiles, type FakeIo, fakeIo, refused, svc } from "./fake_io.ts";

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

/** Command lines that make no sense, with what is said of them. */
const SENSELESS: readonly (readonly [string, RegExp])[] = [
  ["proxy --prot 1", /unknown option '--prot'\n\(Did you mean --port\?\)/],
  ["proxy --prot 1", /svc proxy --help/],
  ["prxy", /unknown command 'prxy'\n\(Did you mean proxy\?\)/],
  ["help prxy", /unknown command 'prxy'\n\(Did you mean proxy\?\)/],
  ["help mcp bogus", /unknown command 'bogus'\n\(svc mcp --help/],
  ["mcp help bogus", /unknown command 'bogus'\n\(svc mcp --help/],
  ["proxy --port", /argument missing/],
  ["proxy x", /too many arguments/],
  ["compress a b", /too many arguments/],
  ["proxy --port 70000", /^error: Cannot use --port="70000"/],
  ["proxy-worker", /by hand: svc proxy --workers <number> starts them/],
  [
    "proxy --anthropic-api-url http://a --msg-api-url http://b",
    /--anthropic-api-url="http:\/\/a" together with --msg-api-url="http:\/\/b"/,
  ],
  [
    "proxy --host :: --msg-api-url http://box:8787/x",
    /--msg-api-url="http:\/\/box:8787\/x".*svc itself listens there/,
  ],
];

/** Variables that cannot be used, with what is said of them. */
const UNUSABLE: readonly (readonly [Record<string, string>, RegExp])[] = [
  [{ SVC_MODE: "audit" }, /^error: Cannot use SVC_MODE="audit"/],
  [
    { SVC_HOST: "bad..host" },
    /^error: Cannot use SVC_HOST="bad\.\.host": must/,
  ],
  [
    { SVC_PORT: "8904", CHAT_TARGET_API_URL: "http://127.0.0.1:8904" },
    /CHAT_TARGET_API_URL="http:\/\/127\.0\.0\.1:8904".*svc itself listens/,
  ],
];

Deno.test("runCli ends with 2 on what makes no sense, names it and what was meant, and starts nothing", async () => {
  for (const [line, message] of SENSELESS) {
    const io = fakeIo();
    await refused(line, io, [2, message]);
    assert.equal(io.out(), "");
    assert.deepEqual(io.configs, []);
  }
  for (const [variables, message] of UNUSABLE) {
    const io = fakeIo({ env: { HOME: "/h", ...variables } });
    await refused("proxy", io, [2, message]);
    assert.deepEqual(io.configs, []);
  }
  const io = fakeIo();
  assert.equal(await runCli([], io), 2);
  assert.equal(io.out(), "");
  assert.match(io.err(), /Usage: svc/);
});

Deno.test("runCli finds the help of a command in every order, and takes help as a file's name", async () => {
  const pages = {
    "help": "svc ",
    "help --help": "svc ",
    "help proxy": "svc proxy ",
    "help mcp install": "svc mcp install ",
    "mcp help install": "svc mcp install ",
  };
  for (const [line, usage] of Object.entries(pages)) {
    const io = fakeIo();
    assert.equal(await svc(line, io), 0, line);
    assert(io.out().includes(`\nUsage: ${usage}`), line);
  }
  await refused("compress help", fakeIo(), [
    1,
    /Cannot read "\/project\/help"/,
  ]);
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

Deno.test("runCli hands the flags of svc proxy to the configuration", async () => {
  const configOf = async (line: string) => {
    const io = fakeIo();
    assert.equal(await proxyOnce(line.split(" ").filter(Boolean), io), 0);
    return io.configs[0]!;
  };
  const config = await configOf(
    "--host ::1 --port 9 --mode token --anthropic-api-url http://a --chat-api-url=http://b/ --no-ccr --stateless",
  );
  assert.partialDeepStrictEqual(config, {
    ...{ host: "::1", port: 9, mode: "token", lossless: false },
    upstreams: { messages: "http://a", chat: "http://b" },
    ccr: { enabled: false, backend: "memory", ttlSeconds: 1800 },
    paths: undefined,
  });
  assert.partialDeepStrictEqual(await configOf(""), {
    ...{ mode: "cache", ccr: { enabled: true } },
  });
  const more = "--no-optimize --lossless --msg-api-url http://c";
  assert.partialDeepStrictEqual(await configOf(more), {
    ...{ mode: "passthrough", lossless: true },
    upstreams: { messages: "http://c" },
  });
  // Two names of one flag, with the same value.
  const same = "--anthropic-api-url http://a --msg-api-url http://a/";
  assert.equal((await configOf(same)).upstreams.messages, "http://a");
});

Deno.test("runCli hands flags and variables of svc compress to the library", async () => {
  const usual = { codeAware: true, folds: true };
  const cases: readonly (readonly [string, Record<string, string>, object])[] =
    [
      ["", {}, usual],
      [
        " --lossless --query why --tool Bash",
        {},
        { ...usual, lossless: true, query: "why", toolName: "Bash" },
      ],
      [" --no-code-aware", {}, { ...usual, codeAware: false }],
      ["", { SVC_CODE_AWARE_ENABLED: "0" }, { ...usual, codeAware: false }],
      ["", { SVC_LOSSLESS: "1" }, { ...usual, lossless: true }],
      ["", { SVC_NO_CCR: "1" }, { ...usual, lossless: true }],
      ["", { SVC_LOSSLESS: "off", SVC_NO_CCR: "off" }, usual],
    ];
  for (const [flags, env, options] of cases) {
    const io = fakeIo({ env });
    assert.equal(await svc(`compress${flags}`, io), 0);
    assert.deepEqual(io.compressed[0]?.options, options);
  }
  for (const name of ["SVC_LOSSLESS", "SVC_NO_CCR"]) {
    const said = new RegExp(`Cannot use ${name}="x"`);
    await refused("compress", fakeIo({ env: { [name]: "x" } }), [2, said]);
  }
});

Deno.test("runCli says in help pages where things are, and what signals do", async () => {
  const pages: readonly (readonly [string, readonly RegExp[]])[] = [
    ["compress", [
      /original is\s+stored in the workspace/,
      /curl http:\/\/127\.0\.0\.1:8787\/v1\/retrieve/,
    ]],
    ["proxy", [
      /settings\.json in the workspace/,
      /SIGTERM: .* 10 s to finish/,
      /SIGHUP: read settings\.json/,
    ]],
    ["uninstall", [/SVC_WORKSPACE_DIR/, /Exit codes: 0/]],
    ["telemetry", [/\nThis command sends nothing\./]],
  ];
  for (const [name, parts] of pages) {
    const io = fakeIo();
    await svc(`${name} --help`, io);
    for (const part of parts) assert.match(io.out(), part);
  }
});

/** Every command that prints a help page of its own. */
const PAGES = [
  ["--help"],
  ...["proxy", "compress", "demo", "log", "show", "savings", "perf", "doctor"]
    .map((name) => [name, "--help"]),
  ...["completions", "uninstall", "wrap", "unwrap", "recover", "install"]
    .map((name) => [name, "--help"]),
  ...Object.entries({
    config: ["list", "get", "set", "unset", "path", "profiles", "features"],
    telemetry: ["list", "show"],
    ccr: ["list", "show", "stats", "clear"],
    mcp: ["serve", "install", "uninstall", "status"],
  }).flatMap(([name, subs]) => [
    [name, "--help"],
    ...subs.map((sub) => [name, sub, "--help"]),
  ]),
];

Deno.test("runCli prints help pages of 80 columns, examples first, which narrow terminals bear too", async () => {
  for (const args of PAGES) {
    const page = async (columns: string) => {
      const io = fakeIo({ env: { HOME: "/h", COLUMNS: columns } });
      assert.equal(await runCli(args, io), 0);
      return io.out().split("\n");
    };
    const lines = await page("");
    for (const line of lines) {
      assert(line.length <= 80, `${args.join(" ")}: ${line}`);
    }
    const text = lines.join("\n");
    const name = args.slice(0, -1).join(" ");
    if (!["telemetry list", "telemetry show"].includes(name)) {
      assert(text.startsWith("Examples:\n  "), name);
    }
    assert.match(text, new RegExp(`^Usage: svc${name && ` ${name}`} `, "m"));
    assert.doesNotMatch(text, /\n\n\n/, name);
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

Deno.test("runCli does not show the command of worker processes", async () => {
  const help = fakeIo();
  await svc("--help", help);
  assert.doesNotMatch(help.out(), /proxy-worker/);
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

Deno.test("runCli says that stdout could not be written, and why, by any command", async () => {
  const full = systemError(
    "ENOSPC",
    "No space left on device (os error 28): w",
  );
  const broken = systemError("EIO", "Input/output error (os error 5)");
  const foreign = new Error("Bad luck");
  const cases: readonly (readonly [string, Error, RegExp])[] = [
    [
      "compress",
      full,
      /^error: Cannot write standard output: no space left on device\n$/,
    ],
    [
      "--help",
      full,
      /^error: Cannot write standard output: no space left on device\n$/,
    ],
    [
      "--help",
      broken,
      /^error: Cannot write standard output: Input\/output error\n$/,
    ],
    ["--help", foreign, /^error: Bad luck \(at /],
  ];
  for (const [line, error, message] of cases) {
    const io = fakeIo({
      stdout: () => {
        throw error;
      },
    });
    await refused(line, io, [1, message]);
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

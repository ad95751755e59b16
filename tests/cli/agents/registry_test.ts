import { isJsonObject } from "../../../src/bytes/json_parts.ts";
import assert from "node:assert/strict";
import { withValue } from "../../../src/cli/agents/plan.ts";
import {
  homeOf,
  textsOf,
  textValuesOf,
  TOOL_NAMES,
} from "../../../src/cli/agents/agent.ts";
import { TOOL_LIST } from "../../../src/mcp/server.ts";
import {
  AGENTS,
  CLAUDE_CODE,
  CODEX,
  OPENCODE,
  programLaunch,
} from "../../../src/cli/agents/registry.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";
import type { FileWorld } from "../../../src/cli/io.ts";
import {
  inspectedPaths,
  launchFor,
  locate,
  presentAgents,
  proxyUrlOf,
} from "../../../src/cli/agents/locate.ts";
import { fakeFiles } from "../fake_io.ts";

Deno.test("TOOL_NAMES are the tools that the server has", () => {
  assert.deepEqual([...TOOL_NAMES].sort(), Object.keys(TOOL_LIST).sort());
});

Deno.test("homeOf takes HOME, then USERPROFILE, and refuses an environment without both", () => {
  assert.equal(homeOf({ HOME: "/h", USERPROFILE: "/u" }), "/h");
  assert.equal(homeOf({ HOME: "", USERPROFILE: "/u" }), "/u");
  assert.throws(() => homeOf({}), RangeError);
});

Deno.test("textsOf and textValuesOf refuse anything that is not text", () => {
  assert.deepEqual(textsOf(["a"]), ["a"]);
  assert.equal(textsOf(["a", 1]), undefined);
  assert.equal(textsOf("a"), undefined);
  assert.deepEqual(textValuesOf({ a: "b" }), { a: "b" });
  assert.deepEqual(textValuesOf(undefined), {});
  assert.equal(textValuesOf({ a: 1 }), undefined);
  assert.equal(textValuesOf("a"), undefined);
});

Deno.test("isJsonObject holds for objects with keys only", () => {
  assert.equal(isJsonObject({}), true);
  for (const value of [[], null, "a", undefined]) {
    assert.equal(isJsonObject(value), false);
  }
});

Deno.test("CLAUDE_CODE keeps the user's file in the home directory, or where CLAUDE_CONFIG_DIR says", () => {
  assert.deepEqual(CLAUDE_CODE.places({ HOME: "/h" }), {
    candidates: ["/h/.claude/.config.json", "/h/.claude.json"],
    fallback: "/h/.claude.json",
    directory: "/h/.claude",
  });
  assert.deepEqual(CLAUDE_CODE.places({ CLAUDE_CONFIG_DIR: "/c" }), {
    candidates: ["/c/.config.json", "/c/.claude.json"],
    fallback: "/c/.claude.json",
    directory: "/c",
  });
});

Deno.test("CLAUDE_CODE writes an entry of the kind stdio, and reads its launch back", () => {
  assert.deepEqual(CLAUDE_CODE.valueOf(OTHER), {
    type: "stdio",
    command: "/old/svc",
    args: ["mcp", "serve"],
  });
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(CLAUDE_CODE.launchOf(CLAUDE_CODE.valueOf(launch)), launch);
  }
});

Deno.test("programLaunch reads an entry without arguments, and refuses what starts no program", () => {
  assert.deepEqual(programLaunch({ command: "x" }), {
    command: ["x"],
    env: {},
  });
  const others = [
    { type: "http", url: "http://a" },
    { command: ["x"] },
    { command: "x", args: [1] },
    { command: "x", env: { A: 1 } },
    "x",
  ];
  for (const value of others) assert.equal(programLaunch(value), undefined);
});

Deno.test("CODEX keeps its file in ~/.codex, or where CODEX_HOME says", () => {
  const places = CODEX.places({ HOME: "/h" });
  assert.equal(places.fallback, "/h/.codex/config.toml");
  assert.equal(places.directory, "/h/.codex");
  const { fallback } = CODEX.places({ HOME: "/h", CODEX_HOME: "/c" });
  assert.equal(fallback, "/c/config.toml");
});

Deno.test("CODEX writes a table, and reads its launch back", () => {
  assert.equal(
    withValue(CODEX, "", CODEX.valueOf(LAUNCH)),
    `[mcp_servers.svc]
command = "/opt/my deno"
args = [ "run", "a\\"b\\\\c", "mcp", "serve" ]

[mcp_servers.svc.env]
SVC_WORKSPACE_DIR = "/home/ä/.svc"
`,
  );
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(CODEX.launchOf(CODEX.valueOf(launch)), launch);
  }
});

Deno.test("OPENCODE looks for its three files in ~/.config or XDG_CONFIG_HOME", () => {
  assert.deepEqual(OPENCODE.places({ HOME: "/h" }), {
    candidates: [
      "/h/.config/opencode/opencode.jsonc",
      "/h/.config/opencode/opencode.json",
      "/h/.config/opencode/config.json",
    ],
    fallback: "/h/.config/opencode/opencode.json",
    directory: "/h/.config/opencode",
  });
  const { fallback } = OPENCODE.places({ XDG_CONFIG_HOME: "/x" });
  assert.equal(fallback, "/x/opencode/opencode.json");
});

Deno.test("OPENCODE takes the file that OPENCODE_CONFIG names", () => {
  assert.deepEqual(OPENCODE.places({ OPENCODE_CONFIG: "/o/my.json" }), {
    candidates: ["/o/my.json"],
    fallback: "/o/my.json",
    directory: "/o",
  });
});

Deno.test("OPENCODE writes a local entry, and reads its launch back", () => {
  assert.deepEqual(OPENCODE.valueOf(OTHER), {
    type: "local",
    command: ["/old/svc", "mcp", "serve"],
    enabled: true,
  });
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(OPENCODE.launchOf(OPENCODE.valueOf(launch)), launch);
  }
  for (const value of ["x", { command: "x" }, { type: "remote" }]) {
    assert.equal(OPENCODE.launchOf(value), undefined);
  }
});

function world(
  texts: Record<string, string>,
  env: Record<string, string> = {},
): FileWorld {
  return {
    env: { HOME: "/h", PATH: "/bin:/usr/bin", ...env },
    cwd: "/project",
    files: fakeFiles(new Map(Object.entries(texts))),
  };
}

const DIRECTORY = "/h/.config/opencode";

Deno.test("locate takes the file that wins, the one with an entry before it, and else the one to make", async () => {
  const { opencode } = AGENTS;
  const json = `${DIRECTORY}/opencode.json`;
  const jsonc = `${DIRECTORY}/opencode.jsonc`;
  const entry = '{"mcp":{"svc":{}}}';
  const fileOf = async (texts: Record<string, string>) =>
    (await locate(opencode, world(texts))).file;
  assert.deepEqual(await locate(opencode, world({})), {
    file: json,
    text: undefined,
  });
  assert.equal(await fileOf({ [json]: "{}" }), json);
  assert.equal(await fileOf({ [json]: "{}", [jsonc]: "{}" }), jsonc);
  assert.equal(await fileOf({ [json]: entry, [jsonc]: "{}" }), json);
  assert.equal(await fileOf({ [json]: entry, [jsonc]: "{" }), json);
});

Deno.test("locate starts relative paths in the current directory", async () => {
  const io = world({}, { CODEX_HOME: "my" });
  const { file } = await locate(AGENTS.codex, io);
  assert.equal(file, "/project/my/config.toml");
});

Deno.test("presentAgents finds an agent by its directory, its file or its program", async () => {
  const found = async (path: string, env = {}) =>
    (await presentAgents(world({ [path]: "" }, env))).map(({ id }) => id);
  assert.deepEqual(await found("/h/.codex/x"), ["codex"]);
  assert.deepEqual(await found("/h/.claude.json"), ["claude"]);
  assert.deepEqual(await found("/usr/bin/opencode"), ["opencode"]);
  assert.deepEqual(await found("/bin/codex.exe"), ["codex"]);
  assert.deepEqual(await found("/elsewhere/codex"), []);
});

Deno.test("presentAgents does not take the directory of a file that OPENCODE_CONFIG names for OpenCode's", async () => {
  const env = { OPENCODE_CONFIG: "/etc/opencode.json" };
  assert.deepEqual(await presentAgents(world({ "/etc/hosts": "" }, env)), []);
});

Deno.test("inspectedPaths names directories, and files beside them", () => {
  assert.deepEqual(inspectedPaths(world({})), [
    "/h/.claude",
    "/h/.claude.json",
    "/h/.codex",
    DIRECTORY,
  ]);
});

const launchWorld = {
  env: { HOME: "/h", PATH: "/bin" },
  cwd: "/project",
  selfCommand: () => ["/opt/deno", "run", "/opt/svc/main.ts"],
};

Deno.test("launchFor is this program with mcp serve and nothing else", () => {
  assert.deepEqual(launchFor(launchWorld, undefined), {
    command: [...launchWorld.selfCommand(), "mcp", "serve"],
    env: {},
  });
});

Deno.test("launchFor keeps directories that are set, as absolute paths, settings of the server, and the proxy", () => {
  const env = {
    SVC_WORKSPACE_DIR: "w",
    DENO_DIR: "/cache",
    SVC_PROXY_URL: "http://127.0.0.1:9/",
    SVC_STATELESS: "1",
    SVC_LOSSLESS: "",
  };
  assert.deepEqual(launchFor({ ...launchWorld, env }, undefined).env, {
    SVC_WORKSPACE_DIR: "/project/w",
    DENO_DIR: "/cache",
    SVC_STATELESS: "1",
    SVC_PROXY_URL: "http://127.0.0.1:9",
  });
});

Deno.test("launchFor appends the proxy's URL, which proxyUrlOf reads back", () => {
  const launch = launchFor(launchWorld, "http://127.0.0.1:9000/");
  assert.deepEqual(launch.command.slice(-2), [
    "--proxy-url",
    "http://127.0.0.1:9000",
  ]);
  assert.equal(proxyUrlOf(launch), "http://127.0.0.1:9000");
  assert.equal(proxyUrlOf(launchFor(launchWorld, undefined)), undefined);
});

Deno.test("launchFor refuses a URL that the server would refuse, without showing a password", () => {
  const env = { SVC_PROXY_URL: "http://u:secret@h" };
  for (
    const run of [
      () => launchFor(launchWorld, "ftp://u:secret@h"),
      () => launchFor({ ...launchWorld, env }, undefined),
    ]
  ) {
    assert.throws(
      run,
      (error) => error instanceof RangeError && !/secret/.test(error.message),
    );
  }
});

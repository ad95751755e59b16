import assert from "node:assert/strict";
import { join } from "node:path";
import {
  completionItems,
  failureText,
  listText,
  routedText,
  stayingText,
  stillRouted,
  takeInventory,
} from "../../../src/cli/uninstall/inventory.ts";
import { scriptOf } from "../completions/shell.ts";
import { type Home, test, WORKSPACE, world } from "./home.ts";
import { gather } from "../../../src/cli/doctor/found.ts";

const PLACES = {
  bash: ".local/share/bash-completion/completions/svc",
  zsh: ".zfunc/_svc",
  fish: ".config/fish/completions/svc.fish",
} as const;

test("completionItems finds what svc completions printed, where its help says", async (home) => {
  for (const [shell, place] of Object.entries(PLACES)) {
    await home.write({ [place]: await scriptOf(shell) });
  }
  const { items } = await completionItems({ HOME: home.path });
  assert.deepEqual(
    items.map(({ shown }) => shown),
    Object.values(PLACES).map((place) => join(home.path, place)),
  );
});

test("completionItems leaves completions that somebody else wrote", async (home) => {
  for (const place of Object.values(PLACES)) {
    await home.write({ [place]: "# mine\ncomplete -c svc\n" });
  }
  assert.deepEqual((await completionItems({ HOME: home.path })).items, []);
});

Deno.test("completionItems finds nothing without a home directory", async () => {
  assert.deepEqual((await completionItems({})).items, []);
});

async function routed(
  home: Home,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const io = home.io({ env: { HOME: home.path, ...env } });
  const found = await gather({ io, machine: world().machine });
  try {
    return await stillRouted(found);
  } finally {
    found[Symbol.dispose]();
  }
}

test("stillRouted names files and variables that lead to the proxy, each once", async (home) => {
  const base = "http://127.0.0.1:8787";
  const provider = { options: { baseURL: `${base}/v1` } };
  await home.write({
    ".claude/settings.json": JSON.stringify({ env: {} }),
    ".codex/config.toml": `openai_base_url = "${base}/v1"\n`,
    ".config/opencode/opencode.json": JSON.stringify({
      provider: { a: provider },
    }),
  });
  const all = await routed(home, { ANTHROPIC_BASE_URL: base });
  assert.equal(all.length, 3);
  assert.match(all[0]!, /^ANTHROPIC_BASE_URL in the shell$/);
  assert.match(all[1]!, /^openai_base_url in .*config\.toml$/);
  assert.match(all[2]!, /^the provider "a" in .*opencode\.json$/);
});

test("stillRouted names nothing that leads elsewhere", async (home) => {
  const ANTHROPIC_BASE_URL = "http://127.0.0.1:9999";
  assert.deepEqual(await routed(home, { ANTHROPIC_BASE_URL }), []);
  assert.deepEqual(await routed(home), []);
});

test("takeInventory looks at the workspace of a stateless shell too, and changes nothing", async (home) => {
  await home.write(WORKSPACE);
  const before = await home.all();
  const io = home.io({ env: { HOME: home.path, SVC_STATELESS: "1" } });
  const { findings, inUse } = await takeInventory(io, world());
  assert.equal(
    findings.items.flatMap(({ paths }) => paths).length,
    Object.keys(WORKSPACE).length,
  );
  assert.equal(inUse, undefined);
  assert.deepEqual(await home.all(), before);
});

test("takeInventory works with settings that no proxy would start with", async (home) => {
  await home.write(WORKSPACE);
  const io = home.io({ env: { HOME: home.path, SVC_RPM: "many" } });
  assert((await takeInventory(io, world())).findings.items.length > 0);
});

test("takeInventory finds nothing to remove without a home directory", async (home) => {
  const io = home.io({ env: { HOME: "", TMPDIR: home.path } });
  const { findings, installs } = await takeInventory(io, world());
  assert.deepEqual(findings.items, []);
  assert.deepEqual(installs, []);
});

Deno.test("listText is a table with registrations first, and the sum", () => {
  const launch = { command: ["svc"], env: {} };
  const installs = [
    { agent: "codex", file: "/h/config.toml", launch, created: false },
  ] as const;
  const items = [
    { what: "logs", shown: "/w/logs/*", paths: [], bytes: 1500 },
    { what: "settings", shown: "/w/settings.json", paths: [], bytes: 500 },
  ];
  assert.equal(
    listText({ installs, wrapped: [], services: [] }, items),
    `svc put this on your machine, 2.00 kB in all:

  What                 Size       Where
  MCP server in Codex             /h/config.toml
  logs                 1.50 kB    /w/logs/*
  settings             500 bytes  /w/settings.json
`,
  );
  assert.equal(listText({ installs: [], wrapped: [], services: [] }, []), "");
});

Deno.test("stayingText names ten paths and counts the others", () => {
  const staying = Array.from({ length: 13 }, (_, i) => ({
    path: `/w/${i}`,
    why: "not made by svc",
  }));
  const lines = stayingText(staying).trimEnd().split("\n");
  assert.equal(lines.length, 12);
  assert.equal(lines[1], "  /w/0: not made by svc");
  assert.equal(lines.at(-1), "  and 3 further paths");
  assert.equal(stayingText([]), "");
});

Deno.test("routedText is empty where nobody sends requests to the proxy", () => {
  const inventory = {
    installs: [],
    wrapped: [],
    services: [],
    findings: { items: [], staying: [], directories: [] },
    inUse: undefined,
    proxyUrl: "http://127.0.0.1:8787",
  };
  assert.equal(routedText({ ...inventory, routed: [] }), "");
  assert.match(
    routedText({ ...inventory, routed: ["X in the shell"] }),
    /to http:\/\/127\.0\.0\.1:8787, [^]*\n {2}X in the shell\n$/,
  );
});

Deno.test("failureText says what a code means, and gives an unknown one as it is", () => {
  assert.match(failureText("EACCES"), /no permission/);
  assert.match(failureText("EIO"), /EIO/);
});

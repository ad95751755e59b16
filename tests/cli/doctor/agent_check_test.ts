import assert from "node:assert/strict";
import { VALUE_FORMATS } from "../../../src/cli/edits/value_format.ts";
import {
  agentFiles,
  isLoopback,
  keepCommand,
  leadsTo,
  ownPlace,
  routeVerdict,
  targetOf,
} from "../../../src/cli/doctor/routing.ts";
import { systemError } from "../../../src/cli/failure.ts";
import { programPath } from "../../../src/cli/agents/locate.ts";
import { fakeFiles } from "../fake_io.ts";
import { foundIn, worldOf, type WorldParts } from "./world.ts";
import {
  checkAgent,
  installedVersion,
} from "../../../src/cli/doctor/agent_check.ts";
import { AGENT_ROWS } from "../../../src/cli/doctor/agent_rows.ts";

const FORMAT = VALUE_FORMATS.jsonc;

Deno.test("agentFiles reads those that are there, in the order given, and says which cannot be read", async () => {
  const texts = new Map([
    ["/project/b.json", '{"a": 1, /* why */}'],
    ["/c.json", "{"],
  ]);
  const files = fakeFiles(texts);
  const all = await agentFiles(["/a.json", "b.json", "/c.json"], FORMAT, {
    cwd: "/project",
    files,
  });
  assert.deepEqual(all.map(({ path }) => path), ["/project/b.json", "/c.json"]);
  assert.deepEqual({ ...all[0]?.values }, { a: 1 });
  assert.match(all[1]?.fault ?? "", /not valid JSON/);
  const read = () => Promise.reject(systemError("EACCES", "closed"));
  const [closed] = await agentFiles(["/a.json"], FORMAT, {
    cwd: "/",
    files: { ...files, read },
  });
  assert.equal(closed?.fault, "EACCES");
});

const OWN = { host: "127.0.0.1", port: 8787, names: ["box", "192.168.1.2"] };

Deno.test("targetOf tells where a base URL leads", () => {
  const cases: Readonly<Record<string, string>> = {
    "http://127.0.0.1:8787": "here",
    "http://localhost:8787/": "here",
    "http://LOCALHOST.:8787/v1/": "here",
    "http://[::1]:8787": "here",
    "http://box:8787/p/name": "here",
    "http://192.168.1.2:8787": "here",
    "https://127.0.0.1:8787": "https",
    "http://127.0.0.1:9000": "other_port",
    "http://localhost": "other_port",
    "https://api.anthropic.com": "elsewhere",
    "http://other:8787": "elsewhere",
    "127.0.0.1:8787": "invalid",
    "localhost:8787": "invalid",
    "file:///etc/passwd": "invalid",
  };
  for (const [text, kind] of Object.entries(cases)) {
    assert.equal(targetOf(text, OWN).kind, kind, text);
  }
});

Deno.test("targetOf shows neither user names nor paths, which may be secrets", () => {
  const { shown, path } = targetOf(
    "https://u:key@host.example/secret/?q=1",
    OWN,
  );
  assert.equal(shown, "https://host.example");
  assert.equal(path, "/secret");
  assert.equal(targetOf("u:key@host", OWN).shown, "no URL");
});

Deno.test("isLoopback knows names and addresses of this machine's loopback", () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost", "[::1]"]) {
    assert(isLoopback(host), host);
  }
  for (
    const host of ["0.0.0.0", "::", "10.0.0.1", "box", "localhost.example"]
  ) {
    assert(!isLoopback(host), host);
  }
});

Deno.test("leadsTo is true for every name of the loopback with the port of the proxy", () => {
  const is = (text: string) =>
    leadsTo(new URL(text), "http://127.0.0.1:8787/p/shop");
  assert.ok(is("http://localhost:8787/v1") && is("http://[::1]:8787"));
  assert.ok(!is("http://localhost:8788") && !is("https://localhost:8787"));
});

Deno.test("routeVerdict passes only for what leads to the proxy", async () => {
  const found = await foundIn();
  const of = (text: string, fault?: string) =>
    routeVerdict(
      { from: "X", target: targetOf(text, ownPlace(found)), fault },
      found,
      "set it",
    );
  assert.equal(of("http://localhost:8787").status, "pass");
  assert.equal(of("http://localhost:8787", "is wrong").status, "fail");
  assert.equal(of("https://localhost:8787").status, "fail");
  assert.equal(of("localhost").status, "fail");
  assert.equal(of("http://localhost:1").status, "warn");
  assert.match(of("http://localhost:1").summary, /expected at http:.*:8787/);
  const past = of("https://u:key@api.example/key");
  assert.equal(past.status, "warn");
  assert.match(past.summary, /past the proxy, to https:\/\/api\.example$/);
  assert(!JSON.stringify(past).includes("key"));
});

Deno.test("keepCommand names the port unless it is the usual one", () => {
  const command = (port: number) => keepCommand("codex", { proxy: { port } });
  assert.equal(command(8787), "svc wrap codex --keep");
  assert.equal(command(9000), "svc wrap codex --keep --port 9000");
});

const HERE = "http://127.0.0.1:8787";
const check = async (id: string, parts: WorldParts) =>
  await checkAgent(
    AGENT_ROWS.find((row) => row.id === id)!,
    await foundIn(parts),
  );

Deno.test("checkAgent says nothing of an agent that is not here, and warns of one that is not routed", async () => {
  assert.equal(await check("gemini", {}), undefined);
  const used = { "/home/a/.gemini/settings.json": "{}" };
  const verdict = await check("gemini", { texts: used });
  assert.equal(verdict?.status, "warn");
  assert.match(verdict.summary, /^Gemini CLI does not use the proxy/);
  assert.match(verdict.hint ?? "", /^svc wrap gemini /);
});

Deno.test("checkAgent passes for a variable or a file that leads to the proxy, and says which", async () => {
  const texts = { "/home/a/.gemini/.env": `GOOGLE_GEMINI_BASE_URL=${HERE}\n` };
  const file = await check("gemini", { texts });
  assert.equal(file?.status, "pass");
  assert.match(
    file.summary,
    /GOOGLE_GEMINI_BASE_URL in \/home\/a\/\.gemini\/\.env/,
  );
  const env = { GOOGLE_GEMINI_BASE_URL: HERE, PATH: "/bin" };
  const shell = await check("gemini", { texts: { "/bin/gemini": "" }, env });
  assert.match(shell?.summary ?? "", /^GOOGLE_GEMINI_BASE_URL in the shell/);
});

Deno.test("checkAgent fails for a wrong end of the URL, and warns of one that leads elsewhere without its path", async () => {
  const texts = { "/home/a/.aider.conf.yml": "" };
  const bare = await check("aider", { texts, env: { OPENAI_BASE_URL: HERE } });
  assert.equal(bare?.status, "fail");
  assert.match(bare.summary, /has no \/v1/);
  const either = { COPILOT_PROVIDER_BASE_URL: `${HERE}/v1`, PATH: "/bin" };
  const fit = await check("copilot", {
    texts: { "/bin/copilot": "" },
    env: either,
  });
  assert.equal(fit?.status, "pass");
  const past = { OPENAI_BASE_URL: "https://x.example/secret" };
  const elsewhere = await check("aider", { texts, env: past });
  assert.equal(elsewhere?.status, "warn");
  assert(!JSON.stringify(elsewhere).includes("secret"));
});

Deno.test("checkAgent says that Cursor's base URL cannot be seen", async () => {
  const verdict = await check("cursor", { texts: { "/home/a/.cursor/x": "" } });
  assert.equal(verdict?.status, "skip");
  assert.match(verdict.summary, /^Cursor: .*own database/);
});

Deno.test("checkAgent names the version, and whether it is the one that was tried", async () => {
  const at = async (version: string) => {
    const texts = {
      "/bin/codex": "",
      "/bin/node_modules/@openai/codex/package.json":
        `{"name": "@openai/codex", "version": "${version}"}`,
    };
    return (await check("codex", { texts, env: { PATH: "/bin" } }))?.summary;
  };
  const { version = "" } = AGENT_ROWS[1]!.tried!;
  assert.match(await at(version) ?? "", /; version [\d.]+ was tried$/);
  assert.match(
    await at("0.0.1") ?? "",
    /; version 0\.0\.1 was not tried, [\d.]+ was \(\d{4}-/,
  );
});

Deno.test("checkAgent says that svc wrap --keep wrote the address", async () => {
  const path = "/home/a/.codex/config.toml";
  const file = {
    path,
    target: path,
    digest: null,
    directories: [],
    before: null,
    after: "x",
    format: "toml",
    steps: [],
  };
  const journal = { version: 1, files: [file], emptied: [], pending: [] };
  const texts = {
    [path]: `openai_base_url = "${HERE}/v1"\n`,
    "/home/a/.svc/edits/wrap-codex.json": JSON.stringify({
      ...journal,
      owner: "wrap-codex",
    }),
  };
  const verdict = await check("codex", { texts });
  assert.match(verdict?.summary ?? "", /; written by svc wrap --keep$/);
  assert.equal(verdict?.details["kept"], true);
});

async function version(
  texts: Record<string, string>,
  real = "/bin/x",
  name = "@a/x",
) {
  const { io, machine } = worldOf({
    env: { PATH: "/none:/bin" },
    texts: { "/bin/x": "", ...texts },
    machine: { realPath: () => Promise.resolve(real) },
  });
  return await installedVersion({ program: "x", package: name }, io, machine);
}

const named = (version: string) => JSON.stringify({ name: "x", version });

Deno.test("installedVersion takes it from the package of npm, not from files that only say how modules are read", async () => {
  const root = "/lib/node_modules/@a/x";
  const texts = {
    [`${root}/dist/package.json`]: '{"type": "module", "version": "0.0.0"}',
    [`${root}/package.json`]: named("1.2.3"),
  };
  assert.equal(await version(texts, `${root}/dist/x.js`), "1.2.3");
  const beside = { "/bin/node_modules/@a/x/package.json": named("4.5.6") };
  assert.equal(await version(beside), "4.5.6");
  const others = { "/work/package.json": named("7.8.9") };
  assert.equal(await version(others, "/work/venv/bin/x"), undefined);
});

Deno.test("installedVersion takes it from the record of PyPI's package, or from the path", async () => {
  const site = "/venv/lib/python3.12/site-packages";
  const texts = {
    [`${site}/x_chat-0.86.1.dist-info`]: "",
    [`${site}/x_chatty-1.0.dist-info`]: "",
  };
  assert.equal(await version(texts, "/venv/bin/x", "x-chat"), undefined);
  const { io, machine } = worldOf({
    env: { PATH: "/bin" },
    texts: { "/bin/x": "" },
    machine: { realPath: () => Promise.resolve("/venv/bin/x") },
  });
  const namesIn = (directory: string) =>
    Promise.resolve(
      directory === "/venv/lib"
        ? ["python3.12"]
        : ["x_chat-0.86.1.dist-info", "x_chatty-1.0.dist-info"],
    );
  const world = { ...io, files: { ...io.files, namesIn } };
  const row = { program: "x", package: "x-chat" };
  assert.equal(await installedVersion(row, world, machine), "0.86.1");
  assert.equal(await version({}, "/h/.local/share/x/versions/2.1.0"), "2.1.0");
});

Deno.test("installedVersion is undefined where nothing says it, or the program is not in PATH", async () => {
  assert.equal(await version({ "/bin/package.json": "{" }), undefined);
  const { io, machine } = worldOf({});
  assert.equal(
    await installedVersion({ program: "x", package: undefined }, io, machine),
    undefined,
  );
});

Deno.test("programPath is the first in PATH", async () => {
  const { io } = worldOf({
    env: { PATH: "/a:/b:/c" },
    texts: { "/b/x": "", "/c/x": "" },
  });
  assert.equal(await programPath("x", io), "/b/x");
});

import assert from "node:assert/strict";
import {
  locate,
  lookedAt,
  presentAgents,
  type Surroundings,
} from "../../../src/cli/agents/locate.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { fakeFiles } from "../fake_io.ts";

function world(
  texts: Record<string, string>,
  env: Record<string, string> = {},
): Surroundings {
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

Deno.test("lookedAt names directories, and files beside them", () => {
  assert.deepEqual(lookedAt(world({})), [
    "/h/.claude",
    "/h/.claude.json",
    "/h/.codex",
    DIRECTORY,
  ]);
});

import assert from "node:assert/strict";
import { KEEPABLE, keptFile } from "../../../src/cli/edits/keep_rows.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";

function fileOf(
  id: keyof typeof KEEPABLE,
  env: Record<string, string>,
  present: readonly string[] = [],
): Promise<string> {
  const files = fakeFiles(new Map(present.map((path) => [path, ""])));
  return keptFile(KEEPABLE[id], fakeIo({ files, env, cwd: "/work" }));
}

Deno.test("keptFile follows the variables that place agents' files", async () => {
  const env = { HOME: "/home/a" };
  const cases = [
    ["claude", {}, "/home/a/.claude/settings.json"],
    ["claude", { CLAUDE_CONFIG_DIR: "c" }, "/work/c/settings.json"],
    ["codex", {}, "/home/a/.codex/config.toml"],
    ["codex", { CODEX_HOME: "/x" }, "/x/config.toml"],
    ["opencode", {}, "/home/a/.config/opencode/opencode.json"],
    ["opencode", { OPENCODE_CONFIG: "/o.json" }, "/o.json"],
  ] as const;
  for (const [id, more, path] of cases) {
    assert.equal(await fileOf(id, { ...env, ...more }), path);
  }
});

Deno.test("keptFile takes the file that is there", async () => {
  const path = "/home/a/.config/opencode/opencode.jsonc";
  assert.equal(await fileOf("opencode", { HOME: "/home/a" }, [path]), path);
});

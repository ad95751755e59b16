import assert from "node:assert/strict";
import { join } from "node:path";
import {
  AGENT_HOMES,
  filesOf,
  kindOf,
  retainedHomes,
} from "../../../src/cli/recover/homes.ts";
import { inHome } from "../uninstall/home.ts";
import { CODEX_HOME, rollout } from "./old_home.ts";

Deno.test("AGENT_HOMES place durable homes by the variables of their agents", () => {
  const places = (env: Record<string, string>) =>
    AGENT_HOMES.map(({ durable }) => durable({ HOME: "/h", ...env }));
  assert.deepEqual(places({}), [
    "/h/.codex",
    "/h/.claude",
    "/h/.local/share/opencode",
  ]);
  assert.deepEqual(
    places({ CODEX_HOME: "/c", CLAUDE_CONFIG_DIR: "/d", XDG_DATA_HOME: "/e" }),
    ["/c", "/d", "/e/opencode"],
  );
});

Deno.test("kindOf tells the files of Codex apart", () => {
  const kinds = {
    [rollout(1)]: "session",
    [rollout(1, "archived_sessions")]: "session",
    "history.jsonl": "history",
    "config.toml": "config",
    "rules/config.toml": "other",
    "state_5.sqlite": "database",
    "state_5.sqlite-wal": undefined,
    "sessions/.a.jsonl.svc-draft": undefined,
    "log/codex-tui.log": undefined,
    "prompts/log/a.md": "other",
  };
  for (const [path, kind] of Object.entries(kinds)) {
    assert.equal(kindOf(CODEX_HOME, path), kind, path);
  }
});

Deno.test("retainedHomes finds homes of the present user only, and no links to others", async () => {
  await inHome(async ({ path, write }) => {
    const name = (end: string) => `tmp/headroom-codex-home-${end}`;
    await write({
      [`${name("a")}/x`]: "",
      [`${name("b")}/x`]: "",
      "tmp/c": "",
    });
    await Deno.chmod(join(path, name("a")), 0o700);
    await Deno.chmod(join(path, name("b")), 0o777);
    await Deno.symlink(join(path, name("a")), join(path, name("l")));
    const directories = [join(path, "tmp"), join(path, "tmp"), "/nowhere"];
    const found = (user: number) =>
      retainedHomes(CODEX_HOME, directories, user);
    assert.deepEqual(await found(Deno.uid()!), [join(path, name("a"))]);
    assert.deepEqual(await found(Deno.uid()! + 1), []);
    const claude = AGENT_HOMES.find(({ id }) => id === "claude")!;
    assert.deepEqual(await retainedHomes(claude, directories, Deno.uid()), []);
  });
});

Deno.test("filesOf lists files with hostile names, follows no link, and has nothing where nothing is", async () => {
  await inHome(async ({ path, write }) => {
    await write({ "h/a/b\n\x1b[2J": "", "h/c": "", "o/secret": "" });
    await Deno.symlink(join(path, "o"), join(path, "h", "link"));
    assert.deepEqual(await filesOf(join(path, "h")), [
      { path: "a/b\n\x1b[2J", kind: "file" },
      { path: "c", kind: "file" },
      { path: "link", kind: "link" },
    ]);
    assert.deepEqual(await filesOf(join(path, "none")), []);
  });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  AGENT_HOMES,
  auditText,
  filesOf,
  kindOf,
  retainedHomes,
} from "../../../src/cli/recover/homes.ts";
import { inHome } from "../uninstall/home.ts";
import {
  CODEX_HOME,
  type OldHome,
  rollout,
  session,
  withOldHome,
} from "./old_home.ts";
import { DatabaseSync } from "node:sqlite";
import { planOf } from "../../../src/cli/recover/plan.ts";

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

Deno.test("auditText counts sessions, and names those that index or history do not know", async () => {
  await withOldHome(async ({ target }) => {
    const path = join(target, "state_5.sqlite");
    await Deno.remove(path);
    using db = new DatabaseSync(path);
    db.exec("CREATE TABLE threads (id TEXT)");
    const id = (last: number) => rollout(last).slice(-42, -6);
    for (const last of [1, 2, 3, 9]) {
      db.prepare("INSERT INTO threads VALUES (?)").run(id(last));
    }
    assert.equal(
      await auditText(CODEX_HOME, target),
      `${target}: 4 sessions, 1 of them archived\n` +
        "  in its index (state_5.sqlite): 4\n" +
        `  not in its index: 1 (${id(4)})\n` +
        `  in its index only: 1 (${id(9)})\n` +
        "  in its history only: 1 (a)\n",
    );
  });
});

Deno.test("auditText says what is wrong with an index, and is short where nothing is", async () => {
  await withOldHome(async ({ target, path }) => {
    assert.match(
      await auditText(CODEX_HOME, target),
      /index \(state_5\.sqlite\) cannot be read: .*not a database/,
    );
    assert.equal(
      await auditText(CODEX_HOME, join(path, "none")),
      `${join(path, "none")}: 0 sessions, 0 of them archived\n` +
        "  in its history only: 0\n",
    );
  });
});

const planned = async ({ source, target }: OldHome) => {
  const plan = await planOf({ home: CODEX_HOME, source, target });
  return Promise.all(plan.map(async ({ path, from, what, content }) => ({
    path,
    what,
    text: content && from && new TextDecoder().decode(
      content(await Deno.readFile(join(source, from))),
    ),
  })));
};

Deno.test("planOf takes what is new, what went on, lines and keys, and leaves the rest", async () => {
  await withOldHome(async (home) => {
    const plan = await planned(home);
    const texts = Object.fromEntries(
      plan.map(({ path, text }) => [path, text]),
    );
    const twin = plan.find(({ what }) => what.startsWith("went on otherwise"))!;
    assert.match(twin.path, /^sessions\/.*-98f8-[\da-f]{12}\.jsonl$/);
    assert.equal(
      twin.text,
      session(3, '{"n":4}\n').replace(
        "01a22235-a9f5-7bc3-98f8-000000000003",
        twin.path.slice(-42, -6),
      ),
    );
    assert.deepEqual(texts, {
      [rollout(1)]: session(1, '{"n":1}\n{"n":5}\n'),
      [twin.path]: twin.text,
      [rollout(4, "archived_sessions")]: session(4, '{"n":4}\n{"n":5}\n'),
      [rollout(5)]: session(5, '{"n":6}\n', "openai"),
      "history.jsonl":
        '{"session_id":"a","ts":1}\n{"session_id":"b","ts":2}\n{"session_id":"a","ts":3}\n',
      "config.toml": 'new = 1\nmodel = "mine" # kept\n',
      "auth.json": undefined,
      "state_5.sqlite": undefined,
      "goals_1.sqlite-wal": "log",
      "goals_1.sqlite": "goals",
      "AGENTS.md": "be brief",
    });
    const places = plan.map(({ path }) => path);
    const at = (path: string) => places.indexOf(path);
    assert(at("goals_1.sqlite-wal") < at("goals_1.sqlite"));
  });
});

Deno.test("planOf gives sessions the provider of the durable configuration, and none where theirs is still there", async () => {
  await withOldHome(async (home) => {
    const config = (text: string) => home.write({ ".codex/config.toml": text });
    const provider = async () => {
      const plan = await planned(home);
      const { text } = plan.find(({ path }) => path === rollout(5))!;
      return /"model_provider":"(\w+)"/.exec(text ?? "")?.[1];
    };
    await config('model_provider = "own"\n');
    assert.equal(await provider(), "own");
    await config(
      "[model_providers.headroom]\nbase_url = 'https://x.example'\n",
    );
    assert.equal(await provider(), "headroom");
  });
});

Deno.test("planOf leaves a configuration that cannot be parsed alone, and says so", async () => {
  await withOldHome(async (home) => {
    for (const text of ["a = ", "a = '\xff'"]) {
      await home.write({});
      await Deno.writeFile(
        join(home.target, "config.toml"),
        Uint8Array.from(text, (c) => c.charCodeAt(0)),
      );
      const found = (await planned(home)).filter(({ path }) =>
        path === "config.toml"
      );
      assert.deepEqual(found.map(({ text }) => text), [undefined]);
      assert.match(found[0]!.what, /^left alone, it is not (valid TOML|UTF-8)/);
    }
  });
});

Deno.test("planOf leaves out links, files below files, and files in the place of links to nothing", async () => {
  await withOldHome(async (home) => {
    await home.write({
      ".codex/rules": "a file",
      "tmp/headroom-codex-home-x/rules/a": "below it",
      "tmp/headroom-codex-home-x/dangling": "x",
    });
    await Deno.symlink("/etc/passwd", join(home.source, "link"));
    await Deno.symlink("nowhere", join(home.target, "dangling"));
    const plan = await planned(home);
    for (const path of ["rules/a", "link", "dangling"]) {
      const found = plan.filter((finding) => finding.path === path);
      assert.deepEqual(found.map(({ text }) => text), [undefined], path);
    }
  });
});

Deno.test("planOf keeps bytes of sessions and histories that are no UTF-8", async () => {
  await withOldHome(async (home) => {
    const odd = Uint8Array.of(0xff, 0x7b, 0x0a);
    await Deno.writeFile(join(home.source, "history.jsonl"), odd);
    await Deno.writeFile(join(home.source, rollout(5)), odd);
    const { source, target } = home;
    const plan = await planOf({ home: CODEX_HOME, source, target });
    const made = (path: string) =>
      plan.find((finding) => finding.path === path)!.content!(odd);
    assert.deepEqual([...made(rollout(5))], [...odd]);
    assert.deepEqual([...made("history.jsonl").slice(0, 3)], [...odd]);
  });
});

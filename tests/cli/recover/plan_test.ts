import assert from "node:assert/strict";
import { join } from "node:path";
import { planOf } from "../../../src/cli/recover/plan.ts";
import {
  CODEX_HOME,
  type OldHome,
  rollout,
  session,
  withOldHome,
} from "./old_home.ts";

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

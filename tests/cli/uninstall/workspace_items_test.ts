import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  foreignReason,
  workspaceItems,
} from "../../../src/cli/uninstall/workspace_items.ts";
import { LEDGER_MIGRATIONS } from "../../../src/ledger/schema.ts";
import { resolvePaths } from "../../../src/settings/paths.ts";
import { migrateTo } from "../../../src/writer/schema.ts";
import { type Home, test, WORKSPACE } from "./home.ts";
import type { Findings } from "../../../src/cli/uninstall/disk.ts";

const WHY = "another program's, by what is in it";

async function reasonFor(
  home: Home,
  name: string,
  text: string,
): Promise<string | undefined> {
  await home.write({ [name]: text });
  return await foreignReason(join(home.path, name), name);
}

function database(path: string, write: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path);
  try {
    write(db);
  } finally {
    db.close();
  }
}

test("foreignReason tells a database of svc from another program's, also while all of it is in the write-ahead log", async (home) => {
  const path = join(home.path, "ledger.db");
  database(path, (db) => db.exec("CREATE TABLE mine (a)"));
  assert.equal(await foreignReason(path, "ledger.db"), WHY);
  await Deno.remove(path);
  using db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
  migrateTo(db, "1.2.3", LEDGER_MIGRATIONS);
  assert(
    (await Deno.stat(path)).size < (await Deno.stat(`${path}-wal`)).size,
  );
  assert.equal(await foreignReason(path, "ledger.db"), undefined);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  assert.equal((await Deno.stat(`${path}-wal`)).size, 0);
  assert.equal(await foreignReason(path, "ledger.db"), undefined);
  assert.equal(await reasonFor(home, "ccr_store.db", ""), undefined);
  assert.equal(await reasonFor(home, "ccr_store.db", "notes"), WHY);
});

test("foreignReason tells settings and logs of svc from other programs'", async (home) => {
  const cases: [string, string, string | undefined][] = [
    ["settings.json", "", undefined],
    ["settings.json", "{}", undefined],
    ["settings.json", '{"rpm": 60}', undefined],
    ["settings.json", '{"rpm": "many"}', undefined],
    ["settings.json", '{"rpm": 60, "permissions": {}}', WHY],
    ["settings.json", '{"editor.fontSize": 12}', WHY],
    ["settings.json", "// mine", WHY],
    ["proxy.log", "", undefined],
    ["proxy.log", '{"time":"2026-03-15T10:30:00.000Z"}', undefined],
    ["proxy-1.log.2", "GET / 200", WHY],
    ["notes.txt", "mine", undefined],
  ];
  for (const [name, text, why] of cases) {
    assert.equal(await reasonFor(home, name, text), why, text);
  }
});

test("workspaceItems takes no file of another program in a directory that was there before", async (home) => {
  await home.write({
    "work/settings.json": '{"editor.fontSize": 12}',
    "work/logs/proxy.log": "GET / 200",
    "work/ledger.db-wal": "",
  });
  database(
    join(home.path, "work/ledger.db"),
    (db) => db.exec("CREATE TABLE mine (a)"),
  );
  const env = { HOME: home.path, SVC_WORKSPACE_DIR: "work" };
  const { items, staying } = await workspaceItems(resolvePaths(env), {
    cwd: home.path,
    hasRecord: false,
  });
  assert.deepEqual(items, []);
  assert.deepEqual(
    staying,
    ["ledger.db", "ledger.db-wal", "settings.json", "logs/proxy.log"]
      .map((name) => ({ path: join(home.path, "work", name), why: WHY })),
  );
});

function found(
  home: Home,
  env: Readonly<Record<string, string>> = {},
  hasRecord = false,
): Promise<Findings> {
  const paths = resolvePaths({ HOME: home.path, ...env });
  return workspaceItems(paths, { cwd: home.path, hasRecord });
}

function pathsOf({ items }: Findings): string[] {
  return items.flatMap(({ paths }) => paths).sort();
}

test("workspaceItems finds every file that svc writes, and leaves nothing over", async (home) => {
  await home.write(WORKSPACE);
  const findings = await found(home);
  const all = Object.keys(WORKSPACE).map((name) => join(home.path, name));
  assert.deepEqual(pathsOf(findings), all.sort());
  assert.deepEqual(findings.staying, []);
});

test("workspaceItems takes no file whose name is only like one of svc", async (home) => {
  const names = [
    "ccr_store.db.bak",
    "my_ledger.db",
    "proxy_savings.json.bak",
    "settings.json.old",
    "models.json",
    "logs/other.log",
    "logs/debug_400/mine.json",
    "config/install_id.txt",
    "sub/ccr_store.db",
  ];
  const texts = names.map((name) => [`.svc/${name}`, ""] as const);
  await home.write(Object.fromEntries(texts));
  const findings = await found(home);
  assert.deepEqual(pathsOf(findings), []);
  const staying = findings.staying.map(({ path }) => path).sort();
  const outer = names.map((name) => name.replace(/^sub\/.*/, "sub"));
  assert.deepEqual(
    staying,
    outer.map((name) => join(home.path, ".svc", name)).sort(),
  );
});

test("workspaceItems follows no link: not to a file, not to a directory, not to the workspace", async (home) => {
  await home.write({
    "dotfiles/settings.json": "{}",
    "big/logs/proxy.log": "",
    ".svc/ledger.db": "",
  });
  const at = (name: string) => join(home.path, name);
  await Deno.symlink(at("dotfiles/settings.json"), at(".svc/settings.json"));
  await Deno.symlink(at("big/logs"), at(".svc/logs"));
  await Deno.symlink(at(".svc"), at("linked"));
  const findings = await found(home);
  assert.deepEqual(pathsOf(findings), [at(".svc/ledger.db")]);
  assert.deepEqual(findings.staying, [
    { path: at(".svc/settings.json"), why: LINK },
    { path: at(".svc/logs"), why: LINK },
  ]);
  const linked = await found(home, { SVC_WORKSPACE_DIR: at("linked") });
  assert.deepEqual(linked.items, []);
  assert.deepEqual(linked.staying[0], { path: at("linked"), why: LINK });
});

const LINK = "a link, which svc does not follow";

test("workspaceItems takes of a directory of configuration elsewhere only the id, and leaves the directory", async (home) => {
  await home.write({ "conf/install_id": "x", "conf/editor.toml": "" });
  const SVC_CONFIG_DIR = join(home.path, "conf");
  const findings = await found(home, { SVC_CONFIG_DIR });
  assert.deepEqual(pathsOf(findings), [join(SVC_CONFIG_DIR, "install_id")]);
  assert.deepEqual(findings.staying, []);
  assert.deepEqual(findings.directories, []);
});

test("workspaceItems says of no file both that it goes and that it stays where the workspace holds the configuration itself", async (home) => {
  await home.write({ ".svc/install_id": "3f9a5c1e", ".svc/models.json": "" });
  const env = { SVC_CONFIG_DIR: join(home.path, ".svc") };
  const findings = await found(home, env);
  assert.deepEqual(pathsOf(findings), [join(home.path, ".svc/install_id")]);
  const staying = findings.staying.map(({ path }) => path);
  assert.deepEqual(staying, [join(home.path, ".svc/models.json")]);
});

test("workspaceItems names the files that variables place elsewhere, and does not take them", async (home) => {
  await home.write({ "a.json": "{}", "b.json": "{}" });
  const findings = await found(home, {
    SVC_SETTINGS_PATH: "a.json",
    SVC_SAVINGS_PATH: join(home.path, "b.json"),
  });
  assert.deepEqual(findings.items, []);
  assert.deepEqual(findings.staying.map(({ why }) => why), [
    "SVC_SETTINGS_PATH names it: remove it yourself",
    "SVC_SAVINGS_PATH names it: remove it yourself",
  ]);
});

test("workspaceItems says nothing of the record of registrations while it goes with the last of them", async (home) => {
  await home.write({ ".svc/mcp_installs.json": "{}" });
  assert.deepEqual((await found(home, {}, true)).staying, []);
  assert.equal((await found(home)).staying.length, 1);
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { foreignReason } from "../../../src/cli/uninstall/foreign.ts";
import { workspaceItems } from "../../../src/cli/uninstall/workspace_items.ts";
import { LEDGER_MIGRATIONS } from "../../../src/ledger/schema.ts";
import { resolvePaths } from "../../../src/settings/paths.ts";
import { migrateTo } from "../../../src/writer/schema.ts";
import { type Home, inHome } from "./home.ts";

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

Deno.test("foreignReason tells a database of svc from another program's, also while all of it is in the write-ahead log", async () => {
  await inHome(async (home) => {
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
});

Deno.test("foreignReason tells settings and logs of svc from other programs'", async () => {
  await inHome(async (home) => {
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
});

Deno.test("workspaceItems takes no file of another program in a directory that was there before", async () => {
  await inHome(async (home) => {
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
});

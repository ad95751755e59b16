import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { auditText } from "../../../src/cli/recover/audit.ts";
import { CODEX_HOME, rollout, withOldHome } from "./old_home.ts";

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

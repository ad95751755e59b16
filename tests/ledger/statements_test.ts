import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Statements } from "../../src/ledger/statements.ts";

Deno.test("Statements run by name on tables that come later, and say what has changed", () => {
  using db = new DatabaseSync(":memory:");
  const sql = new Statements(db, {
    add: "INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING",
    list: "SELECT n FROM t WHERE n > ? ORDER BY n",
  });
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  assert.deepEqual([1, 2, 1].map((n) => sql.run("add", n)), [1, 1, 0]);
  assert.deepEqual(sql.all("list", 0).map(({ n }) => n), [1, 2]);
  assert.equal(sql.get("list", 1)?.["n"], 2);
  assert.equal(sql.get("list", 2), undefined);
});

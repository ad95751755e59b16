import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../../src/writer/in_transaction.ts";

Deno.test("inTransaction undoes everything on an error and leaves no transaction open", () => {
  using db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE t (a)");
  const insert = () => db.exec("INSERT INTO t VALUES (1)");
  assert.throws(
    () =>
      inTransaction(db, () => {
        insert();
        throw new Error("no");
      }),
    /^Error: no$/,
  );
  assert.equal(db.isTransaction, false);
  assert.equal(inTransaction(db, () => (insert(), 7)), 7);
  assert.equal(db.prepare("SELECT * FROM t").all().length, 1);
});

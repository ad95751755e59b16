import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrate, SCHEMA_VERSION, schemaOf } from "../../src/ccr/schema.ts";

const FIRST =
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT); CREATE TABLE t (a)";

Deno.test("migrate makes the tables of this version in an empty database", () => {
  using db = new DatabaseSync(":memory:");
  assert.deepEqual(schemaOf(db), { version: 0, writtenBy: "" });
  migrate(db, "1.0.0");
  assert.deepEqual(schemaOf(db), {
    version: SCHEMA_VERSION,
    writtenBy: "1.0.0",
  });
});

Deno.test("migrate brings an older schema up and keeps its rows", () => {
  using db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0", [FIRST]);
  db.exec("INSERT INTO t VALUES (1)");
  const newer = [FIRST, "ALTER TABLE t ADD COLUMN b DEFAULT 2"];
  migrate(db, "2.0.0", newer);
  migrate(db, "3.0.0", newer);
  assert.deepEqual({ ...db.prepare("SELECT * FROM t").get() }, { a: 1, b: 2 });
  assert.deepEqual(schemaOf(db), { version: 2, writtenBy: "2.0.0" });
});

Deno.test("migrate leaves a newer schema alone", () => {
  using db = new DatabaseSync(":memory:");
  migrate(db, "2.0.0", [FIRST, "CREATE TABLE u (a)"]);
  migrate(db, "1.0.0", [FIRST]);
  assert.deepEqual(schemaOf(db), { version: 2, writtenBy: "2.0.0" });
});

Deno.test("migrate changes nothing when a statement fails", () => {
  using db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0", [FIRST]);
  assert.throws(() =>
    migrate(db, "3.0.0", [FIRST, "CREATE TABLE u (a)", "CREATE TABLE t (a)"])
  );
  assert.deepEqual(schemaOf(db), { version: 1, writtenBy: "1.0.0" });
  assert.throws(() => db.prepare("SELECT * FROM u"));
  migrate(db, "2.0.0", [FIRST, "CREATE TABLE u (a)"]);
  assert.equal(schemaOf(db).version, 2);
});

Deno.test("schemaOf refuses tables of another program", () => {
  for (const sql of ["CREATE TABLE t (a)", FIRST]) {
    using db = new DatabaseSync(":memory:");
    db.exec(sql);
    assert.throws(() => schemaOf(db), /tables of another program/);
    assert.throws(() => migrate(db, "1.0.0"), /tables of another program/);
  }
});

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrateTo, schemaOf, whyReadOnly } from "../../src/writer/schema.ts";

const FIRST =
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT); CREATE TABLE t (a)";

Deno.test("migrateTo brings an older schema up and keeps its rows", () => {
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", [FIRST]);
  db.exec("INSERT INTO t VALUES (1)");
  const newer = [FIRST, "ALTER TABLE t ADD COLUMN b DEFAULT 2"];
  migrateTo(db, "2.0.0", newer);
  migrateTo(db, "3.0.0", newer);
  assert.deepEqual({ ...db.prepare("SELECT * FROM t").get() }, { a: 1, b: 2 });
  assert.deepEqual(schemaOf(db), { version: 2, writtenBy: "2.0.0" });
});

Deno.test("migrateTo leaves a newer schema alone", () => {
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "2.0.0", [FIRST, "CREATE TABLE u (a)"]);
  migrateTo(db, "1.0.0", [FIRST]);
  assert.deepEqual(schemaOf(db), { version: 2, writtenBy: "2.0.0" });
});

Deno.test("migrateTo changes nothing when a statement fails", () => {
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", [FIRST]);
  assert.throws(() =>
    migrateTo(db, "3.0.0", [FIRST, "CREATE TABLE u (a)", "CREATE TABLE t (a)"])
  );
  assert.deepEqual(schemaOf(db), { version: 1, writtenBy: "1.0.0" });
  assert.throws(() => db.prepare("SELECT * FROM u"));
  migrateTo(db, "2.0.0", [FIRST, "CREATE TABLE u (a)"]);
  assert.equal(schemaOf(db).version, 2);
});

Deno.test("migrateTo begins behind versions that nobody has, and changes no file of one", () => {
  const migrations = [FIRST, null, null];
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", migrations);
  assert.equal(schemaOf(db).version, 3);
  db.exec("UPDATE meta SET value = '1' WHERE name = 'schema_version'");
  assert.throws(() => migrateTo(db, "2.0.0", migrations), /is older/);
  assert.deepEqual(schemaOf(db), { version: 1, writtenBy: "1.0.0" });
});

Deno.test("whyReadOnly says what is wrong with a version", () => {
  const why = (version: number) =>
    whyReadOnly({ version, writtenBy: "9.9.9" }, [FIRST, null, null, FIRST]);
  assert.deepEqual([0, 3, 4].map(why), [undefined, undefined, undefined]);
  assert.match(why(2) ?? "", /schema 2 is older than those of released/);
  assert.match(why(5) ?? "", /schema 5, written by version 9.9.9, is newer/);
});

Deno.test("schemaOf refuses tables of another program", () => {
  for (const sql of ["CREATE TABLE t (a)", FIRST]) {
    using db = new DatabaseSync(":memory:");
    db.exec(sql);
    assert.throws(() => schemaOf(db), /tables of another program/);
    assert.throws(
      () => migrateTo(db, "1.0.0", [FIRST]),
      /tables of another program/,
    );
  }
});

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Unchanged } from "../../src/ccr/unchanged.ts";

Deno.test("Unchanged reads again when another connection has written, or what it is told to forget", async () => {
  const place = await Deno.makeTempDir();
  const path = `${place}/a.db`;
  using db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1)",
  );
  const unchanged = new Unchanged(db);
  let reads = 0;
  const get = (name: string) =>
    unchanged.get(name, () => {
      reads++;
      return db.prepare("SELECT n FROM t").get()?.["n"];
    });
  assert.deepEqual([get("a"), get("a"), reads], [1, 1, 1]);
  assert.deepEqual([get("b"), reads], [1, 2]);

  using other = new DatabaseSync(path);
  other.exec("UPDATE t SET n = 2");
  assert.deepEqual([get("a"), reads], [1, 2], "one state in a turn");
  await nextTurn();
  assert.deepEqual([get("a"), get("a"), get("b"), reads], [2, 2, 2, 4]);

  db.exec("UPDATE t SET n = 3");
  unchanged.forget("a");
  assert.deepEqual([get("a"), get("b"), reads], [3, 2, 5]);
  unchanged.forget();
  assert.deepEqual([get("a"), get("b"), reads], [3, 3, 7]);
  await Deno.remove(place, { recursive: true });
});

Deno.test("Unchanged remembers that there is nothing", () => {
  using db = new DatabaseSync(":memory:");
  const unchanged = new Unchanged(db);
  let reads = 0;
  for (let i = 0; i < 3; i++) {
    assert.equal(unchanged.get("a", () => void reads++), undefined);
  }
  assert.equal(reads, 1);
});

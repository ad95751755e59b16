import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import {
  lifetimeOf,
  lifetimeSql,
  prepareLifetimes,
} from "../../src/ccr/lifetimes.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { entryOf } from "./samples.ts";

const HALF_HOUR_MS = 30 * 60_000;

Deno.test("lifetimeOf goes by what is noted, else by this process, but never below 30 minutes", () => {
  assert.equal(lifetimeOf(1, 5000), 1);
  assert.equal(lifetimeOf(5000, 1), 5000);
  assert.equal(lifetimeOf(0, 1), HALF_HOUR_MS);
  assert.equal(lifetimeOf(0, HALF_HOUR_MS + 1), HALF_HOUR_MS + 1);
});

Deno.test("lifetimeSql says in SQL what lifeOf does", () => {
  using db = new DatabaseSync(":memory:");
  const sql = db.prepare(`SELECT ${lifetimeSql("column1", "7")} AS life
    FROM (VALUES (0), (3))`);
  assert.deepEqual(sql.all().map((row) => row["life"]), [7, 3]);
});

Deno.test("prepareLifetimes finds each life once, without passing over the originals", () => {
  using db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const lives = prepareLifetimes(db);
  assert.deepEqual(lives(), []);
  for (const ttlMs of [50, 1, 50, 7]) {
    const entries = [1, 2].map((i) => entryOf(`${ttlMs} ${i}`, 0));
    new Transactions(db, { ttlMs, maxBytes: 1e6 }).run({ now: 0, entries });
  }
  assert.deepEqual(lives(), [1, 7, 50]);
  const plans = [
    "SELECT min(life_ms) FROM entries",
    "SELECT min(life_ms) FROM entries WHERE life_ms > 5",
  ].flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  for (const { detail } of plans) assert.match(`${detail}`, /^SEARCH.*by_life/);
});

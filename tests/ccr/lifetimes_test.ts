import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { prepareLifetimes } from "../../src/ccr/lifetimes.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { entryOf } from "./samples.ts";

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

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrate, MIGRATIONS } from "../../src/ccr/schema.ts";
import { schemaOf } from "../../src/writer/schema.ts";

Deno.test("migrate makes the tables of this version in an empty database", () => {
  using db = new DatabaseSync(":memory:");
  assert.deepEqual(schemaOf(db), { version: 0, writtenBy: "" });
  migrate(db, "1.0.0");
  assert.deepEqual(schemaOf(db), {
    version: MIGRATIONS.length,
    writtenBy: "1.0.0",
  });
});

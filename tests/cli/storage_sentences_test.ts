import assert from "node:assert/strict";
import {
  absolute,
  STORAGE_SENTENCES,
} from "../../src/cli/storage_sentences.ts";

const say = (event: string, fields: Record<string, string | number>) =>
  STORAGE_SENTENCES[event]!(fields);

Deno.test("STORAGE_SENTENCES advises by the reason why a database cannot be used", () => {
  for (const event of ["ledger_unavailable", "ccr_store_unavailable"]) {
    const because = (reason: string) => say(event, { path: "/w/a.db", reason });
    assert.match(
      because("file is not a database"),
      /^Cannot use the database \/w\/a\.db \(file is not a database\)\. .* in memory only, until the proxy stops\. Stop the proxy, move the file away/,
    );
    assert.match(because("database is locked"), /Another program holds it/);
    assert.match(
      because("unable to open database file"),
      /Set SVC_WORKSPACE_DIR to a directory that you can write to/,
    );
    assert.doesNotMatch(because("file is not a database"), /SVC_WORKSPACE_DIR/);
  }
});

Deno.test("STORAGE_SENTENCES says what is lost of the ledger", () => {
  const lost = (fields: Record<string, number>) =>
    say("ledger_rows_lost", fields);
  assert.match(lost({ rows: 1 }), /^1 entry of the ledger could not/);
  assert.match(lost({ rows: 2 }), /^2 entries/);
  assert.match(lost({ waiting: 9 }), /oldest of 9 waiting entries/);
});

Deno.test("absolute names a place that does not depend on the directory", () => {
  assert.equal(absolute("w/a"), `${Deno.cwd()}/w/a`);
  assert.equal(absolute("/w/a"), "/w/a");
});

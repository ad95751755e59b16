import assert from "node:assert/strict";
import {
  databaseAdvice,
  databaseProblem,
} from "../../src/cli/database_advice.ts";

Deno.test("databaseAdvice depends on the reason", () => {
  const cases = [
    ["file is not a database", /Stop the proxy, move the file away .*new one$/],
    ["database disk image is malformed", /move the file away/],
    ["database is locked", /Another program holds it/],
    ["database or disk is full", /Make room/],
    ["attempt to write a readonly database", /^\. Look there$/],
    ["unable to open database file", /^\. Look there$/],
    ["its schema 9 is newer than 7: use that version", /^$/],
  ] as const;
  for (const [reason, advice] of cases) {
    assert.match(databaseAdvice(reason, "Look there"), advice, reason);
  }
});

Deno.test("databaseProblem says once what cannot be read", () => {
  const reason = "file is not a database";
  const said = databaseProblem(
    "/w/a.db",
    new Error(`Cannot read the ledger /w/a.db: ${reason}`),
  );
  assert.match(
    said,
    /^Cannot read the ledger \/w\/a\.db: file is not a database\. Stop/,
  );
  assert.match(
    databaseProblem("/w/a.db", new Error(reason)),
    /^Cannot use the database \/w\/a\.db: file is not a database\. Stop/,
  );
  assert.match(
    databaseProblem("/w/a.db", "unable to open database file"),
    /or set SVC_WORKSPACE_DIR to the directory that the proxy uses$/,
  );
});

Deno.test("databaseProblem names the flag of the runtime that is missing, and nothing else to do", () => {
  const denied = new Deno.errors.NotCapable(
    'Requires write access to "/w", run again with the --allow-write flag',
  );
  assert.equal(
    databaseProblem("/w/a.db", denied),
    "Cannot use the database /w/a.db: svc was started without --allow-write=/w",
  );
});

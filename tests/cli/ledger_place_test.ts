import assert from "node:assert/strict";
import { CliFailure } from "../../src/cli/failure.ts";
import {
  ledgerPlace,
  noLedger,
  openedLedger,
} from "../../src/cli/ledger_place.ts";
import { fakeIo } from "./fake_io.ts";

Deno.test("ledgerPlace finds the ledger of the workspace and names unknown variables", () => {
  const env = { SVC_WORKSPACE_DIR: "/w", SVC_PROT: "1" };
  const io = fakeIo({ env });
  assert.equal(ledgerPlace(io).path, "/w/ledger.db");
  assert.match(io.err(), /SVC_PROT/);
});

Deno.test("ledgerPlace says whom to ask where nothing is on disk", () => {
  const env = { HOME: "/home/a", SVC_STATELESS: "1", SVC_PORT: "9000" };
  assert.throws(
    () => ledgerPlace(fakeIo({ env })),
    (error) =>
      error instanceof CliFailure && error.exitCode === 1 &&
      /SVC_STATELESS.*127\.0\.0\.1:9000\/transformations\/feed/.test(
        error.message,
      ),
  );
});

Deno.test("ledgerPlace refuses settings that make no sense", () => {
  const io = fakeIo({ env: { HOME: "/home/a", SVC_PORT: "x" } });
  assert.throws(
    () => ledgerPlace(io),
    (error) => error instanceof CliFailure && error.exitCode === 2,
  );
});

Deno.test("openedLedger names the file that it cannot use", async () => {
  const openLedger = () => Promise.reject(new Error("not a database"));
  await assert.rejects(
    openedLedger("/w/ledger.db", fakeIo({ openLedger })),
    /Cannot use the database \/w\/ledger\.db \(not a database\)/,
  );
  assert.equal(await openedLedger("/w/ledger.db", fakeIo()), undefined);
});

Deno.test("noLedger says what to do", () => {
  assert.match(
    noLedger("/w/ledger.db"),
    /no \/w\/ledger\.db\. Start svc proxy/,
  );
});

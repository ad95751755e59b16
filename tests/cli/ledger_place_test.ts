import assert from "node:assert/strict";
import type { CliIo } from "../../src/cli/io.ts";
import { CliFailure } from "../../src/cli/failure.ts";
import {
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../../src/cli/ledger_place.ts";
import { fakeFiles, fakeIo } from "./fake_io.ts";

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
      /SVC_STATELESS.*127\.0\.0\.1:9000\/dashboard.*9000\/transformations\/feed/
        .test(
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

const place = (io: CliIo) => ledgerPlace(io);

/** A world in which a proxy answers. */
function beside(
  config: object,
  ledger: object,
  parts: Partial<CliIo> = {},
): CliIo {
  const bodies: Readonly<Record<string, object>> = {
    "/health": { service: "svc-proxy", config, checks: { ledger } },
    "/stats": { requests: { total: 12 } },
  };
  return fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w" },
    ask: ({ pathname }) =>
      Promise.resolve({ status: 200, text: JSON.stringify(bodies[pathname]) }),
    ...parts,
  });
}

Deno.test("openedLedger names the file that it cannot use, and what to do", async () => {
  const openLedger = () => Promise.reject(new Error("file is not a database"));
  const io = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" }, openLedger });
  await assert.rejects(
    openedLedger(place(io), io),
    /^CliFailure: Cannot use the database \/w\/ledger\.db: file is not a database\. Stop the proxy, move the file away .*: it makes a new one$/,
  );
  const memory = beside({ workspace: "/w" }, {
    backend: "memory",
    degraded: true,
  }, { openLedger });
  await assert.rejects(
    openedLedger(place(memory), memory),
    /a new one\. The proxy at \S+:8787 cannot use its ledger and counts in memory: it has 12 requests/,
  );
  const none = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" } });
  assert.equal(await openedLedger(place(none), none), undefined);
});

Deno.test("noLedger says what to do", async () => {
  const io = fakeIo({ env: { SVC_WORKSPACE_DIR: "/w" } });
  assert.match(
    await noLedger(place(io), io),
    /no \/w\/ledger\.db\. Start svc proxy/,
  );
});

Deno.test("noLedger and noneFound say where the requests of a running proxy are", async () => {
  const stateless = beside({ workspace: null, stateless: true }, {
    backend: "memory",
  });
  assert.match(
    await noLedger(place(stateless), stateless),
    /^there is no \/w\/ledger\.db\. The proxy at http:\/\/127\.0\.0\.1:8787 keeps nothing on disk: it has 12 requests, until it stops; see \S+\/dashboard, or curl \S+\/stats and/,
  );
  const other = beside({ workspace: "/b" }, { backend: "sqlite" });
  assert.match(
    await noneFound("No requests", place(other), other),
    /^No requests\. The proxy at \S+ keeps its files in \/b: set SVC_WORKSPACE_DIR to that$/,
  );
  const same = beside({ workspace: "/w" }, { backend: "sqlite" });
  assert.equal(
    await noneFound("No requests", place(same), same),
    "No requests",
  );
});

Deno.test("noLedger asks at the port that is stored", async () => {
  const asked: string[] = [];
  const io = fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w" },
    files: fakeFiles(new Map([["/w/settings.json", '{"port": 9001}']])),
    ask(url) {
      asked.push(url.host);
      return Promise.resolve(undefined);
    },
  });
  await noLedger(place(io), io);
  assert.deepEqual(asked, ["127.0.0.1:9001"]);
});

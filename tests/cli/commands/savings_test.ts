import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import {
  inWorkspace,
  memoryLedger,
  openFile,
  REQUESTS,
  SUNDAY,
} from "../savings/ledger.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { runSavings } from "../../../src/cli/commands/savings.ts";

const world = () =>
  fakeIo({
    now: () => SUNDAY,
    openLedger: () =>
      Promise.resolve({
        reader: memoryLedger().reader,
        [Symbol.dispose]: () => {},
      }),
  });

Deno.test("svc savings takes what rows are for, a time and a format", async () => {
  const io = world();
  const args = ["savings", "--by", "project", "--since", "today", "--json"];
  assert.equal(await runCli(args, io), 0);
  const { by, since, total } = JSON.parse(io.out());
  assert.deepEqual([by, since, total.requests], [
    "project",
    "2026-03-15T00:00:00.000Z",
    3,
  ]);
});

Deno.test("svc savings shows days of all time unless told", async () => {
  const io = world();
  assert.equal(await runCli(["savings"], io), 0);
  assert.match(io.out(), /^DAY .*\n2026-03-14 .*\n2026-03-15 .*\ntotal /);
});

Deno.test("svc savings refuses what it does not know", async () => {
  for (
    const args of [["--by", "moon"], ["--since", "soon"], ["--json", "--csv"]]
  ) {
    assert.equal(
      await runCli(["savings", ...args], world()),
      2,
      args.join(" "),
    );
  }
});

Deno.test("svc savings refuses --by beside --output, which has rows of its own", async () => {
  for (const by of ["kind", "day"]) {
    const io = world();
    assert.equal(await runCli(["savings", "--output", "--by", by], io), 2);
    assert.match(io.err(), /'--output' cannot be used with option '--by /);
    assert.equal(io.out(), "");
  }
  const alone = world();
  assert.equal(await runCli(["savings", "--output", "--json"], alone), 0);
});

Deno.test("svc savings --cache shows what conversations found in the provider's cache", async () => {
  const io = world();
  assert.equal(await runCli(["savings", "--cache"], io), 0);
  assert.match(io.err(), /^No request of a conversation in .*ledger\.db/);
  const json = world();
  const args = ["savings", "--cache", "--json", "--since", "2h"];
  assert.equal(await runCli(args, json), 0);
  const { since, rows, total } = JSON.parse(json.out());
  assert.deepEqual([since, rows, total.requests], [
    "2026-03-15T00:00:00.000Z",
    [],
    0,
  ]);
  for (const other of [["--by", "day"], ["--output"]]) {
    assert.equal(await runCli(["savings", "--cache", ...other], world()), 2);
  }
});

const RUN = { by: "day", format: "text" } as const;

Deno.test("runSavings reads the ledger of the workspace, without a proxy", () =>
  inWorkspace(REQUESTS, async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      openLedger: openFile,
    });
    await runSavings(RUN, io);
    const lines = io.out().trimEnd().split("\n");
    assert.match(lines[1]!, /^2026-03-14 +1 +600 +400 /);
    assert.match(lines.at(-1)!, /^total +4 +1,800 +1,200 /);
    assert.equal(io.err(), "");
    // The file is as closed as before: nothing waits.
    await runSavings({ ...RUN, format: "csv", since: SUNDAY }, io);
    assert.match(io.out(), /\r\ntotal,3,1,1200,/);
  }));

Deno.test("runSavings says what to do where there is nothing, and gives programs an empty table", async () => {
  const io = fakeIo();
  await runSavings(RUN, io);
  assert.equal(io.out(), "");
  assert.match(io.err(), /^Nothing saved yet: there is no .*Start svc proxy/);
  await runSavings({ ...RUN, format: "json" }, io);
  const { exists, rows, total } = JSON.parse(io.out());
  assert.deepEqual([exists, rows, total.requests], [false, [], 0]);
});

Deno.test("runSavings says when nothing lies in the span", () =>
  inWorkspace([], async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      openLedger: openFile,
    });
    await runSavings({ ...RUN, since: SUNDAY }, io);
    assert.match(io.err(), /^No requests since 2026-03-15 \(UTC\) in /);
    assert.equal(io.out(), "");
  }));

Deno.test("runSavings refuses a workspace without files, and a file that is no ledger", async () => {
  const stateless = fakeIo({ env: { SVC_STATELESS: "1" } });
  await assert.rejects(runSavings(RUN, stateless), CliFailure);
  const broken = fakeIo({
    openLedger: () => Promise.reject(new Error("not a database")),
  });
  await assert.rejects(runSavings(RUN, broken), /not a database/);
});

import assert from "node:assert/strict";
import { fakeIo, refused, svc } from "../fake_io.ts";
import {
  inWorkspace,
  memoryLedger,
  openFile,
  REQUESTS,
  SUNDAY,
} from "../savings/ledger.ts";

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
  await svc("savings --by project --since today --json", io);
  const { by, since, total } = JSON.parse(io.out());
  assert.deepEqual([by, since, total.requests], [
    "project",
    "2026-03-15T00:00:00.000Z",
    3,
  ]);
});

Deno.test("svc savings refuses what it does not know, and --by beside views with rows of their own", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["--by moon", /moon/],
    ["--since soon", /Give a time/],
    ["--json --csv", /cannot be used/],
    ["--output --by kind", /'--output' cannot be used with option '--by /],
    ["--output --by day", /'--output' cannot be used with option '--by /],
    ["--cache --by day", /'--cache' cannot be used with option '--by /],
    ["--cache --output", /'--cache' cannot be used with option '--output/],
  ];
  for (const [flags, message] of cases) {
    const io = world();
    await refused(`savings ${flags}`, io, [2, message]);
    assert.equal(io.out(), "");
  }
  assert.equal(await svc("savings --output --json", world()), 0);
});

Deno.test("svc savings --cache shows what conversations found in the provider's cache", async () => {
  const io = world();
  assert.equal(await svc("savings --cache", io), 0);
  assert.match(io.err(), /^No request of a conversation in .*ledger\.db/);
  const json = world();
  assert.equal(await svc("savings --cache --json --since 2h", json), 0);
  const { since, rows, total } = JSON.parse(json.out());
  assert.deepEqual([since, rows, total.requests], [
    "2026-03-15T00:00:00.000Z",
    [],
    0,
  ]);
});

Deno.test("svc savings reads the ledger of the workspace, without a proxy", () =>
  inWorkspace(REQUESTS, async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      now: () => SUNDAY,
      openLedger: openFile,
    });
    await svc("savings", io);
    const lines = io.out().trimEnd().split("\n");
    assert.match(lines[1]!, /^2026-03-14 +1 +600 +400 /);
    assert.match(lines.at(-1)!, /^total +4 +1,800 +1,200 /);
    assert.equal(io.err(), "");
    // The file is as closed as before: nothing waits.
    await svc("savings --csv --since today", io);
    assert.match(io.out(), /\r\ntotal,3,1,1200,/);
  }));

Deno.test("svc savings says what to do where there is nothing, and gives programs an empty table", async () => {
  const io = fakeIo();
  await svc("savings", io);
  assert.equal(io.out(), "");
  assert.match(io.err(), /^Nothing saved yet: there is no .*Start svc proxy/);
  await svc("savings --json", io);
  const { exists, rows, total } = JSON.parse(io.out());
  assert.deepEqual([exists, rows, total.requests], [false, [], 0]);
});

Deno.test("svc savings says when nothing lies in the span", () =>
  inWorkspace([], async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      now: () => SUNDAY,
      openLedger: openFile,
    });
    await svc("savings --since today", io);
    assert.match(io.err(), /^No requests since 2026-03-15 \(UTC\) in /);
    assert.equal(io.out(), "");
  }));

Deno.test("svc savings refuses a workspace without files, and a file that is no ledger", async () => {
  const stateless = fakeIo({ env: { SVC_STATELESS: "1" } });
  await refused("savings", stateless, [1, /SVC_STATELESS is on/]);
  const broken = fakeIo({
    openLedger: () => Promise.reject(new Error("not a database")),
  });
  await refused("savings", broken, [1, /not a database/]);
});

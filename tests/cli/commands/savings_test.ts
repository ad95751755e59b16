import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { memoryLedger, SUNDAY } from "../savings/ledger.ts";

const world = () =>
  fakeIo({
    now: () => SUNDAY,
    openLedger: () =>
      Promise.resolve({ reader: memoryLedger().reader, close: () => {} }),
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

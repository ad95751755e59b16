import assert from "node:assert/strict";
import { openLedger } from "../../src/ledger/open_ledger.ts";
import { ids, RECORD, standingClock } from "./samples.ts";

Deno.test("openLedger keeps nothing without a path", async () => {
  const logged: string[] = [];
  await using ledger = await openLedger(optionsOf(undefined, logged));
  assert.equal(ledger.state().backend, "memory");
  assert.deepEqual(logged, []);
});

Deno.test("openLedger falls back to memory with one warning, and leaves a file that it cannot use as it is", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/ledger.db`;
  const text = "no database ".repeat(100);
  await Deno.writeTextFile(path, text);
  const logged: string[] = [];
  {
    await using ledger = await openLedger(optionsOf(path, logged));
    assert.equal(ledger.state().backend, "memory");
    ledger.record(RECORD);
    assert.equal(ledger.report().requests.total, 1);
  }
  assert.deepEqual(logged, ["ledger_unavailable"]);
  assert.equal(await Deno.readTextFile(path), text);
  {
    // A path below a file cannot be made.
    await using ledger = await openLedger(optionsOf(`${path}/x.db`, logged));
    assert.equal(ledger.state().backend, "memory");
  }
  const ledger = await openLedger(optionsOf(`${dir}/good.db`, logged));
  assert.equal(ledger.state().backend, "sqlite");
  assert.equal(logged.length, 2);
  await ledger[Symbol.asyncDispose]();
  await Deno.remove(dir, { recursive: true });
});

function optionsOf(path: string | undefined, logged: string[]) {
  return {
    path,
    clock: standingClock(),
    log: (_: unknown, event: string) => void logged.push(event),
    version: "1.2.3",
    budget: undefined,
    newId: ids("id"),
  };
}

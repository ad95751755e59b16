import assert from "node:assert/strict";
import { within } from "../../src/ledger/within.ts";

Deno.test("within settles as its promise does, or with an error after the time", async () => {
  assert.equal(await within(Promise.resolve(1), 60_000), 1);
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), /no/);
  const never = new Promise(() => {});
  await assert.rejects(within(never, 1), /no answer within 1 ms/);
});

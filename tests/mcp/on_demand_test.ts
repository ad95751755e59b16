import assert from "node:assert/strict";
import { onDemand } from "../../src/mcp/on_demand.ts";

Deno.test("onDemand opens once, with the first who asks", async () => {
  let count = 0;
  const one = onDemand(() => Promise.resolve(++count));
  assert.equal(await one.opened(), undefined);
  assert.equal(count, 0);
  assert.deepEqual(await Promise.all([one.get(), one.get()]), [1, 1]);
  assert.equal(await one.opened(), 1);
});

Deno.test("onDemand tries again after a failure", async () => {
  let count = 0;
  const one = onDemand(() =>
    ++count === 1
      ? Promise.reject(new Error("locked"))
      : Promise.resolve("open")
  );
  await assert.rejects(one.get(), /locked/);
  assert.equal(await one.opened(), undefined);
  assert.equal(await one.get(), "open");
});

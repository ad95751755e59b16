import assert from "node:assert/strict";
import { fromWorkerIn, lineOf, toWorkerIn } from "../../src/cli/worker_talk.ts";

Deno.test("toWorkerIn and fromWorkerIn read what lineOf wrote", () => {
  const reload = { type: "reload", stored: { SVC_RPM: "1\n2" } } as const;
  assert.deepEqual(toWorkerIn(lineOf(reload)), reload);
  assert.equal(lineOf(reload).indexOf("\n"), lineOf(reload).length - 1);
  const ready = {
    type: "ready",
    port: 1,
    storeBackend: "memory",
    ledgerBackend: "sqlite",
  } as const;
  assert.deepEqual(fromWorkerIn(lineOf(ready)), ready);
});

Deno.test("toWorkerIn and fromWorkerIn give nothing for other lines", () => {
  for (const line of ["", "hello", "{", "null", "1", "[]", '{"type":"x"}']) {
    assert.equal(toWorkerIn(line), undefined);
    assert.equal(fromWorkerIn(line), undefined);
  }
  assert.equal(toWorkerIn('{"type":"ready"}'), undefined);
  assert.equal(fromWorkerIn('{"type":"stop"}'), undefined);
});

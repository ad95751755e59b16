import assert from "node:assert/strict";
import { makeResponseIds } from "../../src/ccr/response_ids.ts";
import type { CcrBatch } from "../../src/core/store.ts";

const clock = { now: () => 7, monotonic: () => 0 };

Deno.test("an id is known from the moment on when it is noted, whatever the store takes", async () => {
  const written = Promise.withResolvers<never>();
  const batches: CcrBatch[] = [];
  const ids = makeResponseIds({
    responseId: () => undefined,
    write: (batch) => {
      batches.push(batch);
      return written.promise;
    },
  }, clock);
  const noted = ids.note("seen", "last");
  assert.equal(ids.find("seen"), "last");
  assert.deepEqual(batches, [
    { now: 7, responseIds: new Map([["seen", "last"]]) },
  ]);
  written.reject(new Error("locked"));
  await assert.rejects(noted, /locked/);
  assert.equal(ids.find("seen"), "last");
});

Deno.test("an id that no request waits for is written with others", async () => {
  const when: (string | undefined)[] = [];
  const ids = makeResponseIds({
    responseId: () => undefined,
    write: (_, at) => {
      when.push(at);
      return Promise.resolve({ forms: new Map(), inserted: [] });
    },
  }, clock);
  await ids.note("seen", "last", "soon");
  await ids.note("seen", "later");
  assert.deepEqual(when, ["soon", "now"]);
  assert.equal(ids.find("seen"), "later");
});

Deno.test("an id of another process is found in the store", () => {
  const ids = makeResponseIds({
    responseId: (seen) => seen === "theirs" ? "last" : undefined,
    write: () => assert.fail("nothing is written"),
  }, clock);
  assert.equal(ids.find("theirs"), "last");
  assert.equal(ids.find("nobody's"), undefined);
});

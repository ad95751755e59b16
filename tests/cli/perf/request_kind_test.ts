import assert from "node:assert/strict";
import {
  endingOf,
  isTaken,
  promptOf,
} from "../../../src/cli/perf/request_kind.ts";
import { savedBy, took } from "../../../src/core/outcome.ts";
import { readerOf, traffic } from "../../ledger/traffic.ts";
import { requestOf } from "../inspect/samples.ts";

Deno.test("endingOf tells how a request ended", () => {
  const of = (parts: Parameters<typeof requestOf>[1]) =>
    endingOf(requestOf(1, parts));
  assert.equal(of({}), "answered");
  assert.equal(of({ costBasis: undefined }), "other");
  assert.equal(of({ status: 500 }), "failed");
  assert.equal(of({ status: 404 }), "client_errors");
  assert.equal(of({ status: 499 }), "aborted");
  assert.equal(of({ cached: true }), "cached");
  assert.equal(of({ status: 429, refusedBy: "budget" }), "refused");
});

Deno.test("promptOf is what was billed, and unknown where nobody said", () => {
  assert.equal(promptOf(requestOf(1)), 12 + 15_000 + 1988);
  const silent = { input: undefined, cacheRead: undefined };
  assert.equal(
    promptOf(requestOf(1, { ...silent, cacheWrite: undefined })),
    undefined,
  );
});

Deno.test("isTaken says of every request what the ledger says", () => {
  const entries = traffic(3, 200);
  const all = readerOf(entries).requests({ limit: entries.length, after: 0 });
  for (const [i, entry] of entries.entries()) {
    const logged = all[i]!;
    assert.equal(isTaken(logged), took(entry), `${entry.status}`);
    const saved = isTaken(logged)
      ? logged.tokensBefore - logged.tokensAfter
      : 0;
    assert.equal(saved, savedBy(entry));
  }
});

import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import {
  addedBy,
  billedInput,
  inputOf,
  isFailed,
  isRateLimited,
  removedBy,
  savedBy,
  succeeded,
} from "../../src/core/outcome.ts";
import { RECORD } from "../ledger/samples.ts";

Deno.test("billedInput sums what was reported, and says when nothing was", () => {
  assert.equal(billedInput({}), undefined);
  assert.equal(billedInput({ cacheWrite: 3 }), 3);
  assert.equal(billedInput({ input: 1, cacheRead: 2, cacheWrite: 3 }), 6);
});

Deno.test("an answer from the response cache sent and saved nothing", () => {
  const cached = { ...RECORD, cached: true };
  assert.equal(inputOf(cached), 0);
  assert.equal(savedBy(cached), 0);
  assert.equal(succeeded(cached), false);
});

Deno.test("what was taken away and what was added make up what was saved, where the provider took it", () => {
  const both = (entry: RequestRecord) => [removedBy(entry), addedBy(entry)];
  const savedTokens = { fresh: 300, kept: 250, addedFresh: 90, addedKept: 60 };
  const entry = { ...RECORD, savedTokens, tokensAfter: 600 };
  assert.deepEqual(both(entry), [550, 150]);
  assert.deepEqual(both({ ...entry, tokensAfter: 1200 }), [550, 750]);
  assert.deepEqual(both({ ...entry, status: 500 }), [0, 0]);
  assert.deepEqual(both({ ...entry, status: 499 }), [0, 0]);
  const billed = { ...entry, status: 499, usage: { input: 9 } };
  assert.deepEqual(both(billed), [550, 150]);
});

Deno.test("isRateLimited tells a rate limit from a spent budget", () => {
  const limited = { ...RECORD, status: 429 };
  assert.equal(isRateLimited(limited), true);
  assert.equal(isRateLimited({ ...limited, refusedBy: "budget" }), false);
  assert.equal(isRateLimited({ ...limited, refusedBy: "rate_limit" }), true);
  assert.equal(isRateLimited(RECORD), false);
});

Deno.test("isFailed holds for 5xx only", () => {
  const failed = (status: number) => isFailed({ ...RECORD, status });
  assert.deepEqual([499, 500, 529].map(failed), [false, true, true]);
});

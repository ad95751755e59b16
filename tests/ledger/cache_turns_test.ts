import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { memoryLedger, request, SUNDAY } from "../cli/savings/ledger.ts";
import { costOf } from "./samples.ts";

/** Turns of `a` and `b`, and what is none: an unanswered request, one without a conversation, a question. */
const REQUESTS: readonly Partial<RequestRecord>[] = [
  { conversation: "a", usage: { input: 9, cacheRead: 0, cacheWrite: 7 } },
  { conversation: "b", model: "m2" },
  { conversation: "a", status: 529, usage: {}, cost: undefined },
  { conversation: "", usage: { cacheRead: 5 } },
  { conversation: "a", usage: {}, cost: undefined },
  {
    conversation: "a",
    usage: { input: 8, cacheRead: 12, cacheWrite: 3, cacheWrite1h: 2 },
    furtherUsage: { input: 2, cacheRead: 5, cacheWrite: 1 },
    furtherRounds: 1,
    prefix: {
      verdict: "extended",
      previousBytes: 1,
      equalBytes: 1,
      firstDifference: "",
    },
  },
  { conversation: "a", usage: {}, cost: costOf(1, "estimated") },
  { conversation: "a", model: "m2", usage: { cacheRead: 90 } },
  { conversation: "a", provider: "responses", usage: { cacheRead: 90 } },
  { conversation: "a", usage: { cacheRead: 1 } },
];

const { reader } = memoryLedger(
  REQUESTS.map((parts, i) => request(`r${i}`, { at: SUNDAY + i, ...parts })),
);

Deno.test("cacheTurns shows answered requests of conversations beside the one billed before", () => {
  const turns = reader.cacheTurns({ after: 0, limit: 100 });
  assert.deepEqual(turns.map(({ seq }) => seq), [1, 2, 6, 7, 8, 9, 10]);
  assert.deepEqual(turns[0]!.before, undefined);
  assert.deepEqual(turns[1]!.model, "m2");
  // The first round found 7 tokens; that further rounds read them again is no news.
  const { read, verdict, before } = turns[2]!;
  assert.deepEqual([read, verdict], [7, "extended"]);
  assert.deepEqual(before, {
    at: SUNDAY,
    input: 9,
    cacheRead: 0,
    cacheWrite: 7,
  });
  assert.equal(turns[3]!.read, undefined);
  // What further rounds wrote is left in the cache, too.
  const other = turns.slice(4, 6).map(({ before }) => before);
  assert.deepEqual(other, [undefined, undefined], "of other caches");
  assert.deepEqual(turns[6]!.before, {
    at: SUNDAY + 5,
    input: 6,
    cacheRead: 7,
    cacheWrite: 3,
    cacheWrite1h: 2,
  });
});

Deno.test("cacheTurns takes a place, a time and a number", () => {
  const seqs = (query: { after?: number; since?: number; limit?: number }) =>
    reader.cacheTurns({ after: 0, limit: 100, ...query })
      .map(({ seq }) => seq);
  assert.deepEqual(seqs({ after: 2, limit: 2 }), [6, 7]);
  assert.deepEqual(seqs({ since: SUNDAY + 8 }), [9, 10]);
  assert.deepEqual(seqs({ after: 10 }), []);
});

Deno.test("cacheTurns looks for the request before among the last ones only, however many models a client names", () => {
  const before = (others: number) => {
    const models = Array.from({ length: others }, (_, i) => `other ${i}`);
    const { reader } = memoryLedger(
      ["m", ...models, "m"].map((model, i) =>
        request(`r${i}`, { conversation: "a", model })
      ),
    );
    return reader.cacheTurns({ after: others + 1, limit: 9 })[0]!.before;
  };
  assert.notEqual(before(19), undefined);
  assert.equal(before(20), undefined);
});

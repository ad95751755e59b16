import assert from "node:assert/strict";
import { Conversations } from "../../../src/cli/perf/conversations.ts";
import { requestOf } from "../inspect/samples.ts";

/** Requests of a conversation; the cache holds `reads[i]` of 100 prompt tokens. */
function add(all: Conversations, conversation: string, reads: number[]) {
  for (const [i, cacheRead] of reads.entries()) {
    all.add(requestOf(i, {
      conversation,
      tokensBefore: 1000 * (i + 1),
      input: 100 - cacheRead,
      cacheRead,
      cacheWrite: 0,
    }));
  }
}

Deno.test("Conversations compares the first five requests with the last five of long conversations", () => {
  const all = new Conversations();
  add(all, "long", [0, 10, 20, 30, 40, 50, 60, 80, 80, 90, 90]);
  add(all, "short", [99, 99]);
  const cache = all.cache();
  assert.equal(cache.long_conversations, 1);
  assert.equal(cache.first_5_hit_percent, 20);
  assert.equal(cache.last_5_hit_percent, 80);
  assert.equal(cache.requests, 13);
  assert.equal(cache.read_tokens, 550 + 198);
  assert.equal(cache.hit_percent, 57.54);
});

Deno.test("Conversations knows the sizes of each", () => {
  const all = new Conversations();
  add(all, "a", [0, 0, 0]);
  add(all, "b", [0]);
  const { count, requests, tokens } = all.sizes();
  assert.deepEqual([count, requests.p50, requests.max], [2, 1, 3]);
  assert.deepEqual([tokens.p50, tokens.max], [1000, 3000]);
});

Deno.test("Conversations counts requests outside of any, and those without reported tokens, only where it can", () => {
  const all = new Conversations();
  add(all, "", [50]);
  const silent = { input: undefined, cacheRead: undefined };
  all.add(requestOf(1, { ...silent, cacheWrite: undefined }));
  assert.equal(all.sizes().count, 1);
  assert.equal(all.cache().requests, 1);
  assert.equal(new Conversations().cache().hit_percent, null);
});

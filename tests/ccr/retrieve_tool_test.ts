import assert from "node:assert/strict";
import { retrieve, retrievedContent } from "../../src/ccr/retrieve_tool.ts";
import type { CcrEntry, CcrKey, CcrMiss } from "../../src/core/store.ts";

const KEY = "0123456789abcdef01234567" as CcrKey;
const ENTRY: CcrEntry = {
  key: KEY,
  original: 'all\n"of" it',
  strategy: "log",
  toolName: "Bash",
  originalTokens: 40,
  originalItems: 12,
  keptItems: 3,
  storedAt: 0,
};
const OPTIONS = { now: 90_000, ttlSeconds: 1800 };

/** A store with one entry, or one reason for its absence. */
function storeOf(found: CcrEntry | CcrMiss) {
  const asked: [string, number][] = [];
  const entry = (key: CcrKey, now: number) => {
    asked.push([key, now]);
    return key === KEY ? found : { status: "missing" as const };
  };
  return { entry, asked };
}

Deno.test("retrievedContent gives the original and its counts as compact JSON", () => {
  const store = storeOf(ENTRY);
  assert.equal(
    retrievedContent(store, KEY, OPTIONS),
    `{"hash":"${KEY}","original_content":"all\\n\\"of\\" it","original_item_count":12,"compressed_item_count":3}`,
  );
  assert.deepEqual(store.asked, [[KEY, 90_000]]);
});

Deno.test("retrieve finds the key in what a model copied along with it", () => {
  for (const hash of [`hash=${KEY}`, `[${KEY.toUpperCase()}] `]) {
    assert.ok(retrieve(storeOf(ENTRY), hash, OPTIONS).success);
  }
});

Deno.test("retrieve says that an original expired, and how old it was", () => {
  const store = storeOf({ status: "expired", ageMs: 2_000_400 });
  assert.deepEqual(retrieve(store, KEY, OPTIONS), {
    success: false,
    data: {
      error: "Entry expired (CCR TTL: 1800 seconds; age: 2000 seconds)",
      hash: KEY,
      status: "expired",
      ttl_seconds: 1800,
    },
  });
});

Deno.test("retrieve says that an original is missing, without asking for what is no key", () => {
  for (const hash of ["", "abc", `${KEY}00`, "x".repeat(1000)]) {
    const store = storeOf(ENTRY);
    const { success, data } = retrieve(store, hash, OPTIONS);
    assert.equal(success, false);
    assert.deepEqual(data, {
      error: "Entry not found (CCR TTL: 1800 seconds)",
      hash: hash.slice(0, 64),
      status: "missing",
      ttl_seconds: 1800,
    });
    assert.deepEqual(store.asked, []);
  }
});

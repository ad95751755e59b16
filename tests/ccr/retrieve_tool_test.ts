import assert from "node:assert/strict";
import {
  isWhole,
  lookUp,
  retrievalEvent,
  withPart,
} from "../../src/ccr/retrieve_tool.ts";
import type { CcrEntry, CcrKey, CcrMiss } from "../../src/core/store.ts";

const KEY = "0123456789abcdef01234567" as CcrKey;
const ENTRY: CcrEntry = {
  key: KEY,
  original: 'all\n"of" it',
  strategy: "log",
  toolName: "Bash",
  originalTokens: 40,
  formTokens: 20,
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

Deno.test("lookUp gives the original and its counts", () => {
  const store = storeOf(ENTRY);
  assert.deepEqual(lookUp(store, KEY, OPTIONS), {
    success: true,
    entry: ENTRY,
    items: 12,
    tokens: 40,
    data: {
      hash: KEY,
      original_content: ENTRY.original,
      original_item_count: 12,
      compressed_item_count: 3,
    },
  });
  assert.deepEqual(store.asked, [[KEY, 90_000]]);
});

/** The whole original. */
function whole() {
  const found = lookUp(storeOf(ENTRY), KEY, OPTIONS);
  assert.ok(found.success);
  return found;
}

Deno.test("withPart gives the part and says which it is, with a share of the tokens", () => {
  const cut = { ok: true, content: '"of"', items: 1, part: "line 2" } as const;
  const found = withPart(whole(), cut, 1800);
  assert.ok(found.success);
  assert.equal(found.data.original_content, '"of"');
  assert.equal(found.data.part, "line 2");
  assert.deepEqual([found.items, found.tokens], [1, 15]);
});

Deno.test("withPart says what is wrong with a part that is not there", () => {
  assert.deepEqual(withPart(whole(), { ok: false, error: "no line 9" }, 1800), {
    success: false,
    data: {
      error: "no line 9",
      hash: KEY,
      status: "bad_part",
      ttl_seconds: 1800,
    },
  });
});

Deno.test("isWhole is true without any part", () => {
  assert.ok(isWhole({ hash: KEY }));
  assert.ok(!isWhole({ hash: KEY, path: "a" }));
});

Deno.test("retrievalEvent says what was given back, and nothing of a miss", () => {
  const wanted = { hash: KEY, lines: "2" };
  const facts = { wanted, via: "http" as const, now: 5 };
  const cut = { ok: true, content: '"of"', items: 1, part: "line 2" } as const;
  const found = withPart(whole(), cut, 1800);
  assert.deepEqual(retrievalEvent(found, facts), {
    key: KEY,
    at: 5,
    via: "http",
    part: "lines",
    query: "",
    strategy: "log",
    toolName: "Bash",
    items: 1,
    totalItems: 12,
    tokens: 15,
  });
  const miss = lookUp(storeOf({ status: "missing" }), KEY, OPTIONS);
  assert.equal(retrievalEvent(miss, facts), undefined);
});

Deno.test("lookUp finds the key in what a model copied along with it", () => {
  for (const hash of [`hash=${KEY}`, `[${KEY.toUpperCase()}] `]) {
    assert.ok(lookUp(storeOf(ENTRY), hash, OPTIONS).success);
  }
});

Deno.test("lookUp says that an original expired, and how old it was", () => {
  const store = storeOf({ status: "expired", ageMs: 2_000_400 });
  assert.deepEqual(lookUp(store, KEY, OPTIONS), {
    success: false,
    data: {
      error: "Entry expired (CCR TTL: 1800 seconds; age: 2000 seconds)",
      hash: KEY,
      status: "expired",
      ttl_seconds: 1800,
    },
  });
});

Deno.test("lookUp says that an original is missing, without asking for what is no key", () => {
  for (const hash of ["", "abc", `${KEY}00`, "x".repeat(1000)]) {
    const store = storeOf(ENTRY);
    const { success, data } = lookUp(store, hash, OPTIONS);
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

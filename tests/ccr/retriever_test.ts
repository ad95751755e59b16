import assert from "node:assert/strict";
import {
  isWhole,
  lookUp,
  makeRetriever,
  retrievalEvent,
  withPart,
} from "../../src/ccr/retriever.ts";
import { cutOriginal } from "../../src/compute/open_router.ts";
import type {
  CcrBatch,
  CcrEntry,
  CcrKey,
  CcrMiss,
  RetrievalEvent,
} from "../../src/core/store.ts";

const KEY = "0123456789abcdef01234567" as CcrKey;
const ENTRY: CcrEntry = {
  key: KEY,
  original: "a\nb",
  strategy: "log",
  toolName: "Bash",
  originalTokens: 4,
  formTokens: 2,
  originalItems: 2,
  keptItems: 1,
  storedAt: 0,
};

function retriever(refusal?: Error) {
  const batches: CcrBatch[] = [];
  const counted: RetrievalEvent[] = [];
  const uncounted: unknown[] = [];
  const entry = (key: CcrKey) =>
    key === KEY ? ENTRY : { status: "missing" as const };
  const made = makeRetriever({
    store: {
      entry,
      write: (batch) => {
        batches.push(batch);
        return refusal
          ? Promise.reject(refusal)
          : Promise.resolve({ forms: new Map(), inserted: [] });
      },
    },
    clock: { now: () => 7, monotonic: () => 0 },
    ttlSeconds: 10,
    cut: cutOriginal,
    onRetrieved: (event) => void counted.push(event),
    onUncounted: (error) => void uncounted.push(error),
  });
  return { ...made, batches, counted, uncounted, entry };
}

Deno.test("give stores what it gave back, under the door that was used", async () => {
  const { give, batches, counted } = retriever();
  const found = await give({ hash: KEY }, "mcp");
  assert.ok(found.success);
  assert.equal(found.data.original_content, ENTRY.original);
  assert.equal(counted.length, 1);
  assert.equal(counted[0]!.via, "mcp");
  assert.deepEqual(batches, [{ now: 7, asked: counted }]);
});

Deno.test("give cuts out the part that is asked for, and says what is wrong with one", async () => {
  const { give, counted } = retriever();
  const found = await give({ hash: KEY, lines: "2" }, "http");
  assert.ok(found.success);
  assert.equal(found.data.original_content, "b");
  assert.equal(counted[0]?.part, "lines");
  const wrong = await give({ hash: KEY, lines: "7-9" }, "http");
  assert.ok(!wrong.success);
  assert.equal(wrong.data.status, "bad_part");
  assert.equal(counted.length, 1);
});

Deno.test("give counts nothing for an unknown hash", async () => {
  const { give, batches, counted } = retriever();
  assert.equal((await give({ hash: "f".repeat(24) }, "http")).success, false);
  assert.deepEqual([batches, counted], [[], []]);
});

Deno.test("give gives the original also when the store refuses the count", async () => {
  const refusal = new Error("locked");
  const { give, uncounted } = retriever(refusal);
  assert.ok((await give({ hash: KEY }, "http")).success);
  assert.deepEqual(uncounted, [refusal]);
});

Deno.test("answer leaves the event to the caller, who knows the conversation", async () => {
  const { answer, batches, counted, entry } = retriever();
  const { retrieved, event } = await answer({ entry }, { hash: KEY });
  assert.ok(retrieved.success);
  assert.equal(event?.via, "proxy");
  assert.deepEqual([counted, batches], [[], []]);
});

const LOOKED_UP: CcrEntry = {
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
  const store = storeOf(LOOKED_UP);
  assert.deepEqual(lookUp(store, KEY, OPTIONS), {
    success: true,
    entry: LOOKED_UP,
    items: 12,
    tokens: 40,
    data: {
      hash: KEY,
      original_content: LOOKED_UP.original,
      original_item_count: 12,
      compressed_item_count: 3,
    },
  });
  assert.deepEqual(store.asked, [[KEY, 90_000]]);
});

/** The whole original. */
function whole() {
  const found = lookUp(storeOf(LOOKED_UP), KEY, OPTIONS);
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
    assert.ok(lookUp(storeOf(LOOKED_UP), hash, OPTIONS).success);
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
    const store = storeOf(LOOKED_UP);
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

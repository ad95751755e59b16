import assert from "node:assert/strict";
import { makeRetriever } from "../../src/ccr/retriever.ts";
import { cutOriginal } from "../../src/open_router.ts";
import type {
  CcrBatch,
  CcrEntry,
  CcrKey,
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

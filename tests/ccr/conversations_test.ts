import assert from "node:assert/strict";
import type { CcrBatch, CcrStore } from "../../src/core/store.ts";
import { makeConversations } from "../../src/ccr/conversations.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { openMemoryStore } from "../../src/ccr/memory_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { conversationOf, entryOf } from "./samples.ts";

const MINUTE_MS = 60_000;
const A = conversationOf("a");
const B = conversationOf("b");
const [X, Y] = [ccrKey("x"), ccrKey("y")];
const RETRIEVAL = { anchor: "call_1", format: "messages", data: "[1]" };

/** A store that records batches and can refuse them, and conversations in front of it. */
function scene(ttlSeconds = 1800) {
  const clock = new FakeClock();
  const events: string[] = [];
  const log = (_: string, event: string) => void events.push(event);
  const inner = openMemoryStore({ ttlSeconds, clock, log });
  const batches: CcrBatch[] = [];
  const state = { refusing: false, looked: 0 };
  const store: CcrStore = {
    ...inner,
    entry: (key, now) => {
      state.looked++;
      return inner.entry(key, now);
    },
    write: (batch) => {
      if (state.refusing) return Promise.reject(new Error("locked"));
      batches.push(batch);
      return inner.write(batch);
    },
  };
  const open = () => makeConversations(store, { clock, ttlSeconds, log });
  const put = (...texts: string[]) =>
    inner.write({
      now: clock.now(),
      entries: texts.map((text) => entryOf(text, clock.now())),
    });
  return { clock, events, store, batches, state, open, put };
}

/** Lets posted writes end. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("Conversations.open knows nothing of a new conversation and writes nothing", async () => {
  const { open, batches } = scene();
  const conversations = open();
  assert.deepEqual(conversations.open(A), {
    definition: undefined,
    retrievals: [],
    activeAt: undefined,
  });
  conversations.active(A, []);
  await settled();
  assert.deepEqual(batches, []);
});

Deno.test("Conversations keeps the first definition, also over a restart", async () => {
  const { open } = scene();
  const conversations = open();
  assert.equal(conversations.declare(A, "first"), "first");
  assert.equal(conversations.open(A).definition, "first");
  assert.equal(conversations.declare(A, "second"), "first");
  await settled();
  assert.equal(conversations.open(A).definition, "first");
  const next = open();
  assert.equal(next.open(A).definition, "first");
  assert.equal(next.declare(A, "third"), "first");
  assert.equal(next.open(B).definition, undefined);
});

Deno.test("Conversations.undeclare takes a definition back at once and for good", async () => {
  const { open } = scene();
  const conversations = open();
  conversations.declare(A, "first");
  conversations.undeclare(A);
  assert.equal(conversations.open(A).definition, undefined);
  await settled();
  assert.equal(conversations.open(A).definition, undefined);
  assert.equal(open().open(A).definition, undefined);
  assert.equal(conversations.declare(A, "second"), "second");
});

Deno.test("Conversations.remember appends in order, over a restart too", async () => {
  const { open, clock } = scene();
  const conversations = open();
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await conversations.remember(A, [RETRIEVAL]);
  clock.pass(1);
  await conversations.remember(A, [second, second]);
  const all = [RETRIEVAL, second, second];
  assert.deepEqual(conversations.open(A).retrievals, all);
  assert.deepEqual(open().open(A).retrievals, all);
  assert.deepEqual(conversations.open(B).retrievals, []);
});

Deno.test("Conversations.remember rejects when the store refuses, and this process still knows", async () => {
  const { open, state, clock } = scene();
  const conversations = open();
  state.refusing = true;
  await assert.rejects(conversations.remember(A, [RETRIEVAL]), /locked/);
  state.refusing = false;
  assert.deepEqual(conversations.open(A).retrievals, [RETRIEVAL]);
  clock.pass(1);
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await conversations.remember(A, [second]);
  assert.deepEqual(open().open(A).retrievals, [second]);
});

Deno.test("Conversations.open sees what another process wrote meanwhile", async () => {
  const { open, clock } = scene();
  const [ours, theirs] = [open(), open()];
  ours.open(A);
  theirs.declare(A, "theirs");
  await theirs.remember(A, [RETRIEVAL]);
  assert.deepEqual(ours.open(A), {
    definition: "theirs",
    retrievals: [RETRIEVAL],
    activeAt: clock.now(),
  });
  clock.pass(1);
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await ours.remember(A, [second]);
  clock.pass(1);
  const third = { ...RETRIEVAL, anchor: "call_3" };
  await theirs.remember(A, [third]);
  const all = [RETRIEVAL, second, third];
  assert.deepEqual(ours.open(A).retrievals, all);
  assert.deepEqual(theirs.open(A).retrievals, all);
});

Deno.test("Conversations.active writes new originals at once and activity once a minute", async () => {
  const { open, batches, clock, put } = scene();
  await put("x", "y");
  const conversations = open();
  const start = clock.now();
  conversations.active(A, [X, X]);
  conversations.active(A, [X]);
  await settled();
  assert.deepEqual(batches, [{ conversation: A, now: start, uses: [X] }]);
  clock.pass(MINUTE_MS - 1);
  conversations.active(A, [X]);
  conversations.active(A, [X, Y]);
  await settled();
  assert.deepEqual(batches[1], {
    conversation: A,
    now: start + MINUTE_MS - 1,
    uses: [Y],
  });
  clock.pass(MINUTE_MS);
  conversations.active(A, [X, Y]);
  conversations.active(A, [X, Y]);
  await settled();
  assert.equal(batches.length, 3);
  assert.deepEqual(batches[2]?.uses, []);
  assert.equal(conversations.open(A).activeAt, clock.now());
});

Deno.test("Conversations.linked spares a second write of what a batch linked", async () => {
  const { open, batches, clock, store } = scene();
  const conversations = open();
  const now = clock.now();
  const entries = [entryOf("x", now)];
  await store.write({ conversation: A, now, entries });
  conversations.linked(A, [X], now);
  conversations.active(A, [X]);
  await settled();
  assert.equal(batches.length, 1);
});

Deno.test("Conversations.active never throws, logs its first failure and tries again", async () => {
  const { open, batches, state, events, put } = scene();
  await put("x");
  const conversations = open();
  state.refusing = true;
  conversations.active(A, [X]);
  await settled();
  conversations.active(A, [X]);
  await settled();
  assert.deepEqual(events, ["ccr_activity_failed"]);
  state.refusing = false;
  conversations.active(A, [X]);
  await settled();
  assert.deepEqual(batches.map(({ uses }) => uses), [[X]]);
});

Deno.test("Conversations.stale names what the store does not have", async () => {
  const { open, clock, put } = scene();
  await put("x");
  const conversations = open();
  assert.deepEqual(conversations.stale(A, [X, Y, Y], clock.now()), [Y]);
  assert.deepEqual(conversations.stale(A, [], clock.now()), []);
});

Deno.test("Conversations.stale asks nothing about originals of a busy conversation", async () => {
  const { open, clock, put, state } = scene();
  await put("x");
  const conversations = open();
  conversations.active(A, [X]);
  await settled();
  clock.pass(10 * MINUTE_MS);
  state.looked = 0;
  assert.deepEqual(conversations.stale(A, [X], clock.now()), []);
  assert.equal(state.looked, 0);
});

Deno.test("Conversations.stale names everything well before its TTL has passed", async () => {
  const { open, clock, put } = scene();
  await put("x");
  const conversations = open();
  conversations.active(A, [X]);
  await settled();
  clock.pass(25 * MINUTE_MS);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), []);
  clock.pass(1);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
  clock.pass(10 * MINUTE_MS);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations.stale does not rely on activity that was refused", async () => {
  const { open, clock, put, state } = scene();
  await put("x");
  const conversations = open();
  conversations.active(A, [X]);
  await settled();
  state.refusing = true;
  for (let i = 0; i < 26; i++) {
    clock.pass(MINUTE_MS);
    conversations.active(A, [X]);
    await settled();
  }
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations.stale looks again once an idle conversation may have been evicted", async () => {
  const { open, clock, store } = scene(86_400);
  const conversations = open();
  const now = clock.now();
  const entries = [entryOf("x", now), entryOf("y", now)];
  await store.write({ conversation: A, now, entries });
  conversations.linked(A, [X, Y], now);
  clock.pass(3 * 60 * MINUTE_MS);
  assert.deepEqual(conversations.stale(A, [X, Y], clock.now()), []);

  const entry = () => ({ status: "missing" as const });
  const evicted = makeConversations({ ...store, entry }, {
    clock,
    ttlSeconds: 86_400,
    log: () => {},
  });
  evicted.linked(A, [X], now);
  assert.deepEqual(evicted.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations keeps every original retrievable whatever the pauses are", async () => {
  for (const ttlSeconds of [1, 60, 1800]) {
    const { open, clock, store } = scene(ttlSeconds);
    const conversations = open();
    const texts = ["x", "y"];
    for (const share of [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1, 5, 0.1, 40]) {
      clock.pass(Math.ceil(share * ttlSeconds * 1000));
      const now = clock.now();
      const stale = conversations.stale(A, [X, Y], now);
      const entries = texts.map((text) => entryOf(text, now))
        .filter(({ key }) => stale.includes(key));
      if (entries.length > 0) {
        await store.write({ conversation: A, now, entries });
        conversations.linked(A, stale, now);
      }
      conversations.active(A, [X, Y]);
      await settled();
      for (const key of [X, Y]) assert.ok("original" in store.entry(key, now));
    }
  }
});

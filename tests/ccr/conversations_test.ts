import assert from "node:assert/strict";
import type { AskedShape, CcrBatch, CcrStore } from "../../src/core/store.ts";
import { makeConversations } from "../../src/ccr/conversations.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { FakeClock } from "./fake_clock.ts";
import { conversationOf, entryOf, eventOf } from "./samples.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";

const MINUTE_MS = 60_000;
const A = conversationOf("a");
const B = conversationOf("b");
const [X, Y] = [ccrKey("x"), ccrKey("y")];
const RETRIEVAL = { anchor: "call_1", format: "messages", data: turn("x") };

/** A turn in which the original with this text was given back. */
function turn(original: string): string {
  const data = { hash: ccrKey(original), original_content: original };
  const answer = JSON.stringify({ content: JSON.stringify(data) });
  return JSON.stringify({ at: 0, rounds: [{ turn: "{}", answer }], last: [] });
}

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

/** A conversation that uses an original. */
async function busy() {
  const made = scene();
  await made.put("x");
  const conversations = made.open();
  conversations.active(A, [X]);
  await settled();
  return { ...made, conversations };
}

/** What events of the samples add up to. */
function shape(count: number): AskedShape {
  return { toolName: "Bash", strategy: "log", count };
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
    asked: [],
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
  await conversations.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  clock.pass(1);
  const third = { ...RETRIEVAL, data: turn("y") };
  await conversations.remember(A, { retrievals: [second, third], asked: [] });
  const all = [RETRIEVAL, second, third];
  assert.deepEqual(conversations.open(A).retrievals, all);
  assert.deepEqual(open().open(A).retrievals, all);
  assert.deepEqual(conversations.open(B).retrievals, []);
});

Deno.test("Conversations.remember rejects when the store refuses, and this process still knows", async () => {
  const { open, state, clock } = scene();
  const conversations = open();
  state.refusing = true;
  await assert.rejects(
    conversations.remember(A, { retrievals: [RETRIEVAL], asked: [] }),
    /locked/,
  );
  state.refusing = false;
  assert.deepEqual(conversations.open(A).retrievals, [RETRIEVAL]);
  clock.pass(1);
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await conversations.remember(A, { retrievals: [second], asked: [] });
  assert.deepEqual(open().open(A).retrievals, [second]);
});

Deno.test("Conversations.open sees what another process wrote meanwhile", async () => {
  const { open, clock } = scene();
  const [ours, theirs] = [open(), open()];
  ours.open(A);
  theirs.declare(A, "theirs");
  await theirs.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  assert.deepEqual(ours.open(A), {
    definition: "theirs",
    retrievals: [RETRIEVAL],
    asked: [],
    activeAt: clock.now(),
  });
  clock.pass(1);
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await ours.remember(A, { retrievals: [second], asked: [] });
  clock.pass(1);
  const third = { ...RETRIEVAL, anchor: "call_3" };
  await theirs.remember(A, { retrievals: [third], asked: [] });
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
  const { clock, conversations, state } = await busy();
  clock.pass(10 * MINUTE_MS);
  state.looked = 0;
  assert.deepEqual(conversations.stale(A, [X], clock.now()), []);
  assert.equal(state.looked, 0);
});

Deno.test("Conversations.stale names everything well before its TTL has passed", async () => {
  const { clock, conversations } = await busy();
  clock.pass(25 * MINUTE_MS);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), []);
  clock.pass(1);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
  clock.pass(10 * MINUTE_MS);
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations.stale does not rely on what was sent before a pause that is longer than the TTL", async () => {
  const { clock, conversations } = await busy();
  clock.pass(180 * MINUTE_MS);
  // A request without the block.
  conversations.active(A, []);
  await settled();
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations.stale does not rely on activity that was refused", async () => {
  const { clock, conversations, state } = await busy();
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

Deno.test("Conversations.remember counts what was asked for at once, over a restart too", async () => {
  const { open, clock } = scene();
  const conversations = open();
  const asked = [eventOf("x", clock.now()), eventOf("y", clock.now())];
  const durable = conversations.remember(A, { retrievals: [], asked });
  assert.deepEqual(conversations.open(A).asked, [shape(2)]);
  await durable;
  assert.deepEqual(conversations.open(A).asked, [shape(2)]);
  clock.pass(1);
  const grep = eventOf("x", clock.now(), { toolName: "Grep" });
  await conversations.remember(A, { retrievals: [], asked: [grep] });
  const both = [shape(2), { ...shape(1), toolName: "Grep" }];
  assert.deepEqual(conversations.open(A).asked, both);
  assert.deepEqual(open().open(A).asked, both);
  assert.deepEqual(open().open(B).asked, []);
});

Deno.test("Conversations.remember writes both parts in one transaction, and nothing when there is nothing", async () => {
  const { open, batches, clock } = scene();
  const conversations = open();
  await conversations.remember(A, { retrievals: [], asked: [] });
  assert.equal(batches.length, 0);
  const asked = [eventOf("x", 0)];
  await conversations.remember(A, { retrievals: [RETRIEVAL], asked });
  assert.deepEqual(batches, [
    { conversation: A, now: clock.now(), retrievals: [RETRIEVAL], asked },
  ]);
});

Deno.test("Conversations.remember still counts in this process what the store refused, once", async () => {
  const { open, state, clock, store } = scene();
  const conversations = open();
  state.refusing = true;
  const asked = [eventOf("x", clock.now(), { query: "x".repeat(2000) })];
  const remembered = conversations.remember(A, { retrievals: [], asked });
  await assert.rejects(remembered, /locked/);
  state.refusing = false;
  assert.deepEqual(conversations.open(A).asked, [shape(1)]);
  assert.deepEqual(open().open(A).asked, []);
  // As if only the answer had been lost.
  await store.write({ conversation: A, now: clock.now(), asked });
  assert.deepEqual(conversations.open(A).asked, [shape(1)]);
});

Deno.test("Conversations.open sees what was asked for elsewhere since", async () => {
  const { open, clock, store, put } = scene();
  await put("x");
  const conversations = open();
  conversations.active(A, [X]);
  await settled();
  assert.deepEqual(conversations.open(A).asked, []);
  const now = clock.now();
  const asked = [eventOf("x", now, { via: "mcp" })];
  await store.write({ now, asked });
  assert.deepEqual(conversations.open(A).asked, [shape(1)]);
  assert.deepEqual(conversations.open(B).asked, []);
  await store.write({ now, asked });
  assert.deepEqual(conversations.open(A).asked, [shape(2)]);
  conversations.active(B, [X]);
  await settled();
  assert.deepEqual(conversations.open(B).asked, [shape(2)]);
  await open().remember(A, { retrievals: [], asked });
  assert.deepEqual(conversations.open(A).asked, [shape(3)]);
  assert.deepEqual(conversations.open(B).asked, [shape(2)]);
});

Deno.test("Conversations.open counts what was asked for of an original that is sent only now", async () => {
  const { open, clock, store, put } = scene();
  await put("x", "y");
  const now = clock.now();
  const asked = [eventOf("x", now, { via: "mcp" }), eventOf("y", now)];
  await store.write({ now, asked });
  const conversations = open();
  assert.deepEqual(conversations.open(A).asked, []);
  conversations.active(A, [X]);
  await settled();
  assert.deepEqual(conversations.open(A).asked, [shape(1)]);
  await store.write({ conversation: A, now, uses: [Y] });
  conversations.linked(A, [Y], now);
  assert.deepEqual(conversations.open(A).asked, [shape(2)]);
});

Deno.test("Conversations.open reads nothing again while nothing was asked for", async () => {
  const { open, store } = scene();
  const conversations = open();
  await conversations.remember(A, {
    retrievals: [RETRIEVAL],
    asked: [eventOf("x", 0)],
  });
  conversations.open(A);
  let reads = 0;
  for (const name of ["asked", "retrievals"] as const) {
    const read = store[name] as (key: typeof A) => never;
    Object.assign(store, { [name]: (key: typeof A) => (reads++, read(key)) });
  }
  for (let i = 0; i < 5; i++) conversations.open(A);
  assert.equal(reads, 0);
});

Deno.test("Conversations.adopt takes over retrievals whose anchor is in the body, once", async () => {
  const { open, batches } = scene();
  const second = { ...RETRIEVAL, anchor: "call_2\nsig" };
  const other = { ...RETRIEVAL, anchor: "call_3" };
  await open().remember(A, {
    retrievals: [RETRIEVAL, second, other],
    asked: [],
  });
  assert.deepEqual(open().adopt(B, () => ["x"]).retrievals, []);
  const conversations = open();
  const names = () => ["sig", "call_1", "x"];
  const state = conversations.adopt(B, names);
  assert.deepEqual(state.retrievals, [RETRIEVAL, second]);
  assert.deepEqual(conversations.open(B).retrievals, [RETRIEVAL, second]);
  await settled();
  const written = batches.length;
  const never = () => assert.fail("it has asked before");
  assert.deepEqual(conversations.adopt(B, never), conversations.open(B));
  // A third one finds both, and takes each once.
  const third = conversationOf("c");
  const adopted = open().adopt(third, names).retrievals;
  assert.deepEqual(adopted, [RETRIEVAL, second]);
  await settled();
  assert.deepEqual(open().open(B).retrievals, [RETRIEVAL, second]);
  assert.deepEqual(open().open(third).retrievals, [RETRIEVAL, second]);
  assert.equal(batches.length, written + 1);
});

Deno.test("Conversations.adopt takes nothing over into a conversation that has declared the tool", async () => {
  const { open } = scene();
  await open().remember(A, { retrievals: [RETRIEVAL], asked: [] });
  const never = () => assert.fail("it began on its own");
  const conversations = open();
  conversations.declare(B, "{}");
  assert.deepEqual(conversations.adopt(B, never).retrievals, []);
  await settled();
  assert.deepEqual(open().adopt(B, never).retrievals, []);
});

Deno.test("Conversations.adopt does not ask for names while the store has none", async () => {
  const { open, batches } = scene();
  const conversations = open();
  const never = () => assert.fail("nothing can be found");
  assert.deepEqual(conversations.adopt(B, never).retrievals, []);
  await open().remember(A, { retrievals: [RETRIEVAL], asked: [] });
  assert.deepEqual(conversations.adopt(B, never).retrievals, [], "once");
  assert.deepEqual(open().adopt(B, () => ["call_2"]).retrievals, []);
  assert.equal(batches.length, 1);
});

Deno.test("Conversations.adopt in two processes at once keeps each retrieval once", async () => {
  const { open, store } = scene();
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await open().remember(A, { retrievals: [RETRIEVAL, second], asked: [] });
  const [ours, theirs] = [open(), open()];
  const now = 0;
  // Both ask before either has written.
  await store.write({ conversation: B, now });
  for (const one of [ours, theirs]) one.open(B);
  const names = () => ["call_1", "call_2"];
  const held = store.retrievals;
  store.retrievals = () => [];
  for (const one of [ours, theirs]) one.adopt(B, names);
  store.retrievals = held;
  await settled();
  const both = [RETRIEVAL, second];
  assert.deepEqual(store.retrievals(B), both);
  for (const one of [ours, theirs, open()]) {
    assert.deepEqual(one.open(B).retrievals, both);
  }
});

Deno.test("Conversations.open gives a retrieval once that the store holds twice", () => {
  const { clock, store } = scene();
  const twice = {
    ...store,
    conversation: () => ({ definition: undefined, activeAt: 1, revision: 1 }),
    retrievals: () => [RETRIEVAL, { ...RETRIEVAL }],
  };
  const options = { clock, ttlSeconds: 1, log: () => {} };
  const conversations = makeConversations(twice, options);
  assert.deepEqual(conversations.open(A).retrievals, [RETRIEVAL]);
});

Deno.test("Conversations.open sees what another process wrote at the very time of its own write", async () => {
  const { open, clock } = scene();
  const [ours, theirs] = [open(), open()];
  const second = { ...RETRIEVAL, anchor: "call_2" };
  await ours.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  await theirs.remember(A, { retrievals: [second], asked: [] });
  assert.deepEqual(ours.open(A).retrievals, [RETRIEVAL, second]);
  assert.deepEqual(theirs.open(A).retrievals, [RETRIEVAL, second]);
  // One whose clock is behind.
  clock.pass(-5000);
  const third = { ...RETRIEVAL, anchor: "call_3" };
  await theirs.remember(A, { retrievals: [third], asked: [] });
  const all = [RETRIEVAL, second, third];
  assert.deepEqual(ours.open(A).retrievals, all);
});

Deno.test("Conversations.adopt never rejects, knows what the store refused and logs it once", async () => {
  const { open, state, events } = scene();
  await open().remember(A, { retrievals: [RETRIEVAL], asked: [] });
  const conversations = open();
  state.refusing = true;
  conversations.adopt(B, () => ["call_1"]);
  await settled();
  assert.deepEqual(conversations.open(B).retrievals, [RETRIEVAL]);
  conversations.adopt(B, () => ["call_1"]);
  await settled();
  assert.deepEqual(events, ["ccr_activity_failed"]);
  assert.deepEqual(conversations.open(B).retrievals, [RETRIEVAL]);
});

Deno.test("Conversations relies on nothing that was linked once the store was cleared", async () => {
  const { open, clock, store, put } = scene();
  await put("x");
  const conversations = open();
  conversations.declare(A, "definition");
  conversations.active(A, [X]);
  await settled();
  await conversations.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  assert.deepEqual(conversations.stale(A, [X], clock.now()), []);
  await store.write({ now: clock.now(), clear: "all" });
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
  await settled();
  assert.deepEqual(conversations.stale(A, [X], clock.now()), [X]);
});

Deno.test("Conversations goes on with what it knows once the store was cleared, and writes it again", async () => {
  const { open, clock, store, batches } = scene();
  const conversations = open();
  conversations.declare(A, "definition");
  await conversations.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  conversations.open(A);
  clock.pass(31 * MINUTE_MS);
  await store.write({ now: clock.now(), clear: "idle" });
  assert.equal(store.conversation(A), undefined);
  const { definition, retrievals } = conversations.open(A);
  assert.deepEqual([definition, retrievals], ["definition", [RETRIEVAL]]);
  conversations.open(A);
  await settled();
  const written = batches.length;
  const after = conversations.open(A);
  assert.deepEqual(after.retrievals, [RETRIEVAL]);
  const restarted = open().open(A);
  assert.equal(restarted.definition, "definition", "law 2");
  assert.deepEqual(restarted.retrievals, [RETRIEVAL]);
  await settled();
  assert.equal(batches.length, written, "once");
});

Deno.test("Conversations notices a clear behind which another process has written", async () => {
  const { open, clock, store } = scene();
  const conversations = open();
  conversations.declare(A, "definition");
  await conversations.remember(A, { retrievals: [RETRIEVAL], asked: [] });
  const second = { ...RETRIEVAL, anchor: "call_2" };
  const now = clock.now();
  const later = { conversation: A, now, retrievals: [second] };
  await store.write({ ...later, clear: "all" });
  const all = [RETRIEVAL, second];
  assert.deepEqual(conversations.open(A).retrievals, all);
  await settled();
  for (const held of [conversations.open(A).retrievals, store.retrievals(A)]) {
    assert.deepEqual(new Set(held), new Set(all));
  }
  assert.equal(open().open(A).definition, "definition");
});

Deno.test("Conversations.hasSent knows what a conversation sends, at once and over a restart, and nothing of others", async () => {
  const { open, put, store, clock } = scene();
  await put("x", "y");
  const conversations = open();
  assert.equal(conversations.hasSent(A, X), false);
  conversations.active(A, [X]);
  assert.equal(conversations.hasSent(A, X), true);
  assert.equal(conversations.hasSent(A, Y), false);
  assert.equal(conversations.hasSent(B, X), false);
  await settled();
  const other = open();
  assert.equal(other.hasSent(A, X), true);
  assert.equal(other.hasSent(B, X), false);
  // Written by another process.
  await store.write({ conversation: B, now: clock.now(), uses: [Y] });
  assert.equal(conversations.hasSent(B, Y), true);
  assert.equal(conversations.hasSent(A, Y), false);
});

Deno.test("Conversations.adopt counts what was given back as sent, also in later processes", async () => {
  const { open, put } = scene();
  await put("x", "y");
  await open().remember(A, { retrievals: [RETRIEVAL], asked: [] });
  const conversations = open();
  conversations.adopt(B, () => ["call_1"]);
  assert.equal(conversations.hasSent(B, X), true);
  assert.equal(conversations.hasSent(B, Y), false);
  await settled();
  assert.equal(open().hasSent(B, X), true);
});

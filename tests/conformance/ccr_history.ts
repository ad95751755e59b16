/** Rules every store obeys about what was asked for, listing and clearing. @module */
import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  blockOf,
  conversationOf,
  entryOf,
  eventOf,
  formOf,
} from "../ccr/samples.ts";
import { type Rule, TTL_SECONDS } from "./ccr_rule.ts";

const TTL_MS = TTL_SECONDS * 1000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const A = conversationOf("a");
const B = conversationOf("b");

/** Registers one test per rule. */
export function testHistory(rule: Rule): void {
  testAnchors(rule);
  testEvents(rule);
  testLife(rule);
  testEntries(rule);
  testClear(rule);
}

function testAnchors(rule: Rule): void {
  const one = { anchor: "call_1\n\0\ud7ff", format: "messages", data: "[1]" };
  const two = { anchor: "call_2\ncall_1", format: "messages", data: "[2]" };

  rule("finds retrievals by any name in their anchor", async (scene) => {
    const { store, write } = scene;
    assert.equal(store.hasAnchors(), false);
    await write({ conversation: A, retrievals: [one] });
    assert.equal(store.hasAnchors(), true);
    await write({ conversation: B, retrievals: [two] });
    assert.deepEqual(store.anchored(["call_1"]), [one, two]);
    assert.deepEqual(store.anchored(["call_2", "call_1", "x"]), [one, two]);
    assert.deepEqual(store.anchored(["\0\ud7ff"]), [one]);
    assert.deepEqual(store.anchored(["\0", "call", "call_1\n", ""]), []);
    assert.deepEqual(store.anchored([]), []);
  });

  rule("finds a retrieval among many names", async (scene) => {
    const { store, write } = scene;
    const names = Array.from({ length: 10_000 }, (_, i) => `call_${i}`);
    assert.deepEqual(store.anchored(names), []);
    const retrievals = [one, { ...two, anchor: names.join("\n") }];
    await write({ conversation: A, retrievals });
    assert.deepEqual(store.anchored(names), retrievals);
    assert.deepEqual(store.anchored([...names, ...names]), retrievals);
    assert.deepEqual(store.anchored(names.map((name) => `${name}!`)), []);
  });

  rule("forgets the names of a forgotten conversation", async (scene) => {
    const { store, write, clock } = scene;
    await write({ conversation: A, retrievals: [one] });
    clock.pass(31 * DAY_MS);
    for (let i = 0; i < 2; i++) await write({}, "soon");
    assert.deepEqual(store.anchored(["call_1"]), []);
  });
}

function testEvents(rule: Rule): void {
  rule("returns events as they were written, newest first", async (scene) => {
    const { store, write, clock } = scene;
    const at = clock.now();
    const first = eventOf("a", at, {
      via: "mcp",
      part: "query",
      query: "\0é",
      toolName: "\0Bash",
      items: 3,
      tokens: 7,
    });
    const second = eventOf("b", at - 1);
    await write({ asked: [first], conversation: A });
    await write({ asked: [second, second] });
    assert.deepEqual(store.retrievalEvents(10), [second, second, first]);
    assert.deepEqual(store.retrievalEvents(1), [second]);
    assert.deepEqual(store.retrievalEvents(10, first.key), [first]);
    assert.deepEqual(store.retrievalEvents(10, ccrKey("c")), []);
    const counts = ["a", "b", "c"].map((text) =>
      store.retrievalCount(ccrKey(text))
    );
    assert.deepEqual(counts, [1, 2, 0]);
    assert.equal(store.stats().retrievals, 3);
  });

  rule("keeps a long search text in part only", async (scene) => {
    const { store, write } = scene;
    await write({ asked: [eventOf("a", 0, { query: "x".repeat(10_000) })] });
    assert.equal(store.retrievalEvents(1)[0]?.query, "x".repeat(500));
  });

  rule(
    "counts what a conversation asked for, by tool and strategy",
    async (scene) => {
      const { store, write, entry } = scene;
      await write({ conversation: A, entries: [entry("a"), entry("b")] });
      await write({ conversation: B, entries: [entry("b")] });
      const grep = eventOf("b", 0, { toolName: "Grep\0", strategy: "search" });
      await write({ conversation: A, asked: [eventOf("a", 0), grep] });
      await write({ conversation: A, asked: [eventOf("a", 0)] });
      assert.deepEqual(store.asked(A), [
        { toolName: "Bash", strategy: "log", count: 2 },
        { toolName: "Grep\0", strategy: "search", count: 1 },
      ]);
      assert.deepEqual(store.asked(B), [], "A's model asked, not B's");
    },
  );

  rule(
    "counts what came through another door for all that send it",
    async (scene) => {
      const { store, write, entry } = scene;
      await write({ conversation: A, entries: [entry("a")] });
      await write({ asked: [eventOf("a", 0), eventOf("other", 0)] });
      const once = [{ toolName: "Bash", strategy: "log", count: 1 }];
      assert.deepEqual(store.asked(A), once);
      assert.deepEqual(store.asked(B), []);
      await write({ conversation: B, uses: [ccrKey("a")] });
      assert.deepEqual(store.asked(B), once);
    },
  );

  rule(
    "counts no look of a person among what models ask for",
    async (scene) => {
      const { store, write, entry } = scene;
      await write({ conversation: A, entries: [entry("a")] });
      const vias = ["cli", "http", "mcp", "proxy", "library"] as const;
      const asked = vias.map((via) => eventOf("a", 0, { via }));
      await write({ asked });
      assert.equal(store.asked(A)[0]?.count, 3);
      await write({ conversation: A, asked });
      assert.equal(store.asked(A)[0]?.count, 6);
      assert.equal(store.retrievalCount(ccrKey("a")), 10);
    },
  );

  rule("keeps the newest 10,000 events", async (scene) => {
    const { store, write, clock } = scene;
    const asked = Array.from({ length: 10_050 }, (_, at) => eventOf("a", at));
    await write({ asked });
    clock.pass(MINUTE_MS);
    for (let i = 0; i < 2; i++) await write({}, "soon");
    assert.equal(store.stats().retrievals, 10_000);
    const held = store.retrievalEvents(20_000).map(({ at }) => at);
    assert.deepEqual([held.length, held.at(0), held.at(-1)], [
      10_000,
      10_049,
      50,
    ]);
  });

  rule("adds up the tokens of what it holds", async (scene) => {
    const { store, write, entry, clock } = scene;
    const tokens = () => {
      const { originalTokens, formTokens } = store.stats();
      return [originalTokens, formTokens];
    };
    assert.deepEqual(tokens(), [0, 0]);
    const other = { ...entry("b"), originalTokens: 1000, formTokens: 1 };
    await write({ entries: [entry("a"), other] });
    await write({ entries: [{ ...other, formTokens: 9 }] });
    assert.deepEqual(tokens(), [1120, 31]);
    clock.pass(TTL_MS + DAY_MS);
    for (let i = 0; i < 2; i++) await write({}, "soon");
    assert.deepEqual(tokens(), [0, 0]);
  });
}

function testLife(rule: Rule): void {
  const keepsState = true;

  rule(
    "keeps originals of a conversation that the provider keeps for 30 days",
    async (scene) => {
      const { write, entry, clock, statusOf } = scene;
      await write({ conversation: A, keepsState, entries: [entry("a")] });
      await write({ conversation: A, entries: [entry("b")] });
      clock.pass(30 * DAY_MS);
      // What is written soon is written after a sweep.
      for (let i = 0; i < 2; i++) await write({}, "soon");
      assert.equal(statusOf("a"), "kept");
      assert.equal(statusOf("b"), "missing");
      clock.pass(1);
      assert.equal(statusOf("a"), "expired");
      clock.pass(DAY_MS);
      for (let i = 0; i < 2; i++) await write({}, "soon");
      assert.equal(statusOf("a"), "missing");
    },
  );

  rule("takes the longer of two lives", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    await write({ entries: [entry("a"), entry("b")] });
    await write({ keepsState, entries: [entry("a")] });
    await write({ entries: [entry("a")] });
    clock.pass(TTL_MS + 1);
    assert.equal(statusOf("a"), "kept");
    assert.equal(statusOf("b"), "expired");
  });

  rule("evicts a long life like any other", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    const [old, later] = ["a", "b"].map((text) => text.repeat(1000));
    await write({ conversation: A, keepsState, entries: [entry(old!)] });
    clock.pass(31 * MINUTE_MS);
    await write({ conversation: B, entries: [entry(later!)] });
    assert.equal(statusOf(old!), "missing");
  }, { maxBytes: 1500 });
}

function testEntries(rule: Rule): void {
  rule("lists originals, the last used first", async (scene) => {
    const { store, write, entry, clock } = scene;
    const names = () => {
      const texts = ["a", "b", "c", "d"];
      return store.entries(10).map(({ key }) =>
        texts.find((text) => ccrKey(text) === key)
      );
    };
    assert.deepEqual(names(), []);
    await write({ conversation: A, entries: [entry("a")] });
    for (const text of ["b", "c", "d"]) {
      clock.pass(1);
      await write({ entries: [entry(text)] });
    }
    assert.deepEqual(names(), ["d", "c", "b", "a"]);
    clock.pass(1);
    await write({ conversation: A });
    assert.deepEqual(names(), ["a", "d", "c", "b"]);
    const two = store.entries(2).map(({ key }) => key);
    assert.deepEqual(two, [ccrKey("a"), ccrKey("d")]);
    assert.deepEqual(store.entries(0), []);
    clock.pass(TTL_MS);
    assert.deepEqual(names(), ["a"], "the others have expired");
  });

  rule("says of each original what is known about it", async (scene) => {
    const { store, write, clock } = scene;
    const entry = { ...entryOf("aé\0", clock.now()), toolName: "\0T" };
    await write({ conversation: A, entries: [entry] });
    clock.pass(5);
    await write({ conversation: A, asked: [eventOf("aé\0", 0)] });
    const { original: _, ...known } = entry;
    assert.deepEqual(store.entries(1), [
      { ...known, bytes: 4, lastUse: clock.now(), retrievals: 1 },
    ]);
  });

  rule("lists a long life among many that have expired", async (scene) => {
    const { store, write, entry, clock } = scene;
    const keepsState = true;
    await write({ keepsState, entries: [entry("loose")] });
    await write({ conversation: A, keepsState, entries: [entry("sent")] });
    const many = Array.from({ length: 30 }, (_, i) => entry(`${i}`));
    clock.pass(1);
    await write({ conversation: B, entries: many });
    clock.pass(TTL_MS + 1);
    const keys = store.entries(5).map(({ key }) => key);
    assert.deepEqual(keys, [ccrKey("sent"), ccrKey("loose")]);
  });
}

function testClear(rule: Rule): void {
  const retrievals = [{ anchor: "call_1", format: "f", data: "1" }];

  rule(
    "clears what belongs to no conversation of the last 30 minutes",
    async (scene) => {
      const { store, write, entry, clock, statusOf } = scene;
      const elided = (text: string) =>
        [blockOf(text), formOf(text, { entry: ccrKey(text) })] as const;
      const seen = (conversation: typeof A, text: string) =>
        write({
          conversation,
          definition: "d",
          entries: [entry(text), entry("shared")],
          forms: new Map([elided(text)]),
          retrievals,
          asked: [eventOf(text, 0)],
        });
      await seen(A, "idle");
      await seen(B, "active");
      const responseIds = new Map([["seen", "last"]]);
      const forms = new Map([[blockOf("whole"), formOf("whole")]]);
      await write({ entries: [entry("loose")], forms, responseIds });
      await write({ asked: [eventOf("loose", 0), eventOf("active", 0)] });
      clock.pass(30 * MINUTE_MS);
      await write({ conversation: B });
      clock.pass(1);
      await write({ clear: "idle" });

      const states = ["idle", "loose", "active", "shared"].map(statusOf);
      assert.deepEqual(states, ["missing", "missing", "kept", "kept"]);
      assert.equal(store.conversation(A), undefined);
      assert.equal(store.conversation(B)?.definition, "d");
      assert.deepEqual(store.retrievals(A), []);
      assert.deepEqual(store.retrievals(B), retrievals);
      assert.deepEqual(store.anchored(["call_1"]), retrievals);
      const texts = ["idle", "active", "whole"];
      assert.deepEqual(
        [...store.forms(texts.map(blockOf)).keys()].sort(),
        ["active", "whole"].map(blockOf).sort(),
      );
      const events = store.retrievalEvents(9).map(({ key }) => key);
      assert.deepEqual(events, [ccrKey("active"), ccrKey("active")]);
      assert.equal(store.responseId("seen"), "last");
      const { entries, bytes, retrievals: asked } = store.stats();
      assert.deepEqual([entries, bytes, asked], [2, 12, 2]);
    },
  );

  rule("clears everything", async (scene) => {
    const { store, write, entry, clock } = scene;
    const forms = new Map([[blockOf("a"), formOf("a")]]);
    const parts = { entries: [entry("a"), entry("b")], forms, retrievals };
    const responseIds = new Map([["seen", "last"]]);
    const asked = [eventOf("a", 0)];
    await write({ conversation: A, ...parts, responseIds, asked });
    await write({ clear: "all" });
    const { backend: _, maxBytes: __, ...counts } = store.stats();
    assert.deepEqual(counts, {
      entries: 0,
      bytes: 0,
      originalTokens: 0,
      formTokens: 0,
      retrievals: 0,
    });
    assert.equal(store.conversation(A), undefined);
    assert.equal(store.forms([blockOf("a")]).size, 0);
    assert.deepEqual(store.anchored(["call_1"]), []);
    assert.deepEqual(store.retrievalEvents(9), []);
    assert.equal(store.responseId("seen"), undefined);
    assert.deepEqual(store.entries(9), []);

    await write({ conversation: A, ...parts, clear: "all" });
    assert.equal(store.stats().entries, 2, "the batch itself comes after");
    assert.ok("original" in store.entry(ccrKey("a"), clock.now()));
  });
}

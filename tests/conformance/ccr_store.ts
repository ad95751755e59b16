/** Rules every store obeys; each backend's test file calls `testCcrStore` once. @module */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { BlockKey, CcrStore } from "../../src/core/store.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  blockOf,
  conversationOf,
  entryOf,
  eventOf,
  formOf,
} from "../ccr/samples.ts";
import { testHistory } from "./ccr_history.ts";
import {
  type Rule,
  rulesFor,
  type StoreBackend,
  TTL_SECONDS,
} from "./ccr_rule.ts";

const TTL_MS = TTL_SECONDS * 1000;
const DAY_MS = 86_400_000;
const A = conversationOf("a");
const B = conversationOf("b");
const C = conversationOf("c");
const KILOBYTE = "x".repeat(999);

/** Registers one test per rule. */
export function testCcrStore(name: string, backend: StoreBackend): void {
  const rule = rulesFor(name, backend);
  testContents(rule);
  testForms(rule);
  testExpiry(rule);
  testBound(rule);
  testHistory(rule);
  if (backend.shared) testSharing(rule);
}

function testContents(rule: Rule): void {
  rule("knows nothing when it is empty", ({ store, clock }) => {
    assert.deepEqual(store.entry(ccrKey("x"), clock.now()), {
      status: "missing",
    });
    assert.equal(store.conversation(A), undefined);
    assert.deepEqual(store.retrievals(A), []);
    assert.equal(store.responseId("resp_1"), undefined);
    assert.equal(store.forms([]).size, 0);
    assert.equal(store.forms([blockOf("x")]).size, 0);
    assert.equal(store.full(), false);
    const { entries, bytes } = store.stats();
    assert.deepEqual({ entries, bytes }, { entries: 0, bytes: 0 });
  });

  rule("gives every original back character by character", async (scene) => {
    const { store, clock, write } = scene;
    const text = fc.string({ unit: "binary", minLength: 1 });
    let written = 0;
    await fc.assert(
      fc.asyncProperty(text, text, async (random, toolName) => {
        const original = `${random}${written++}`;
        const entry = { ...entryOf(original, clock.now()), toolName };
        await write({ entries: [entry] });
        assert.deepEqual(store.entry(entry.key, clock.now()), entry);
      }),
      { numRuns: 40, examples: [["\ufeffa\0b", "\0"], ["\r\n", "é"]] },
    );
  });

  rule("counts each original once, in UTF-8 bytes", async (scene) => {
    const { store, write, entry } = scene;
    await write({ entries: [entry("é"), entry("ab"), entry("ab")] });
    await write({ conversation: A, entries: [entry("ab")] });
    const { entries, bytes } = store.stats();
    assert.deepEqual({ entries, bytes }, { entries: 2, bytes: 4 });
  });

  rule("keeps the first definition until it is removed", async (scene) => {
    const { store, write, clock } = scene;
    await write({ conversation: A, definition: "first\0" });
    clock.pass(5);
    await write({ conversation: A, definition: "second" });
    const { definition, activeAt } = store.conversation(A) ?? {};
    assert.equal(definition, "first\0");
    assert.equal(activeAt, clock.now());
    await write({ conversation: A });
    assert.equal(store.conversation(A)?.definition, "first\0");
    await write({ conversation: A, definition: null });
    assert.equal(store.conversation(A)?.definition, undefined);
    await write({ conversation: A, definition: "third" });
    assert.equal(store.conversation(A)?.definition, "third");
    assert.equal(store.conversation(B), undefined);
  });

  rule("keeps retrievals of each conversation in order", async (scene) => {
    const { store, write } = scene;
    const one = { anchor: "call_1\0", format: "messages", data: '["1\0"]' };
    const two = { anchor: "call_2", format: "messages", data: "[2]" };
    const three = { anchor: "call_0", format: "responses", data: "[3]" };
    await write({ conversation: A, retrievals: [one, two] });
    await write({ conversation: B, retrievals: [two] });
    await write({ conversation: A, retrievals: [three] });
    assert.deepEqual(store.retrievals(A), [one, two, three]);
    assert.deepEqual(store.retrievals(B), [two]);
    await write({ conversation: A, retrievals: [two, two] });
    assert.deepEqual(store.retrievals(A), [one, two, three], "each once");
  });

  rule("numbers what is known of a conversation anew", async (scene) => {
    const { store, write, entry } = scene;
    const retrievals = [{ anchor: "a", format: "f", data: "1" }];
    const asked = [eventOf("a", 0)];
    const seen = new Set<number | undefined>([undefined]);
    const changes = [
      {},
      { definition: "a" },
      { retrievals },
      { asked },
      { asked },
      { definition: null },
      { clear: "all" as const },
      { retrievals },
    ];
    for (const [i, change] of changes.entries()) {
      await write({ conversation: A, ...change });
      seen.add(store.conversation(A)?.revision);
      assert.equal(seen.size, i + 2);
    }
    const before = store.conversation(A)?.revision;
    await write({ conversation: A, entries: [entry("a")], retrievals });
    await write({ conversation: B, definition: "b" });
    assert.equal(store.conversation(A)?.revision, before, "nothing changed");
  });

  rule("notes the first form of an original that was whole", async (scene) => {
    const { store, write, entry, clock } = scene;
    const elided = { ...entry("a"), toolName: "Grep", originalTokens: 121 };
    const { originalItems } = elided;
    const whole = {
      ...entry("a"),
      strategy: "",
      toolName: "",
      formTokens: 120,
      keptItems: originalItems,
    };
    const { key } = elided;
    const tokens = () => {
      const { originalTokens, formTokens } = store.stats();
      return [originalTokens, formTokens];
    };
    for (const one of [whole, { ...whole, strategy: "other" }]) {
      await write({ entries: [one] });
      assert.deepEqual(store.entry(key, clock.now()), whole);
    }
    assert.deepEqual(tokens(), [120, 120]);
    const later = { ...elided, strategy: "later", keptItems: 1 };
    for (const one of [elided, later, whole]) {
      await write({ entries: [one] });
      assert.deepEqual(store.entry(key, clock.now()), elided);
    }
    assert.deepEqual(tokens(), [121, 30]);
  });

  rule("maps response ids, the newest mapping last", async (scene) => {
    const { store, write } = scene;
    await write({ responseIds: new Map([["a", "b"], ["c", "d"]]) });
    await write({ responseIds: new Map([["c", "e"]]) });
    assert.equal(store.responseId("a"), "b");
    assert.equal(store.responseId("c"), "e");
    assert.equal(store.responseId("b"), undefined);
  });

  rule("refuses parts that need a conversation, whole", async (scene) => {
    const { store, write, entry } = scene;
    const lost = { entries: [entry("lost")] };
    const retrievals = [{ anchor: "a", format: "f", data: "1" }];
    await assert.rejects(
      write({ ...lost, definition: "x" }),
      /must name a conversation/,
    );
    await assert.rejects(write({ ...lost, retrievals }), /conversation/);
    await assert.rejects(write({ ...lost, uses: [] }), /conversation/);
    assert.equal(store.stats().entries, 0);
  });

  rule("answers writes in flight together, each its own", async (scene) => {
    const { store, write } = scene;
    const names = Array.from({ length: 20 }, (_, i) => `form ${i}`);
    const written = await Promise.all(names.map((name) => {
      const forms = new Map([[blockOf(name), formOf(name)]]);
      return write({ forms });
    }));
    written.forEach(({ inserted, forms }, i) => {
      const key = blockOf(names[i]!);
      assert.deepEqual(inserted, [key]);
      assert.deepEqual([...forms.keys()], [key]);
    });
    assert.equal(store.forms(names.map(blockOf)).size, 20);
  });

  rule("refuses writes once it is closed", async ({ store, write }) => {
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await assert.rejects(write({ conversation: A }), Error);
  });
}

function testForms(rule: Rule): void {
  const key = blockOf("a");

  rule("returns forms as they were written", async ({ store, write }) => {
    const plain = formOf("plain");
    const elided = formOf("elided\0é", {
      entry: ccrKey("original"),
      definition: '{"name":"é"}',
      needs: [{ text: "c\0é", gap: 2 }],
    });
    const forms = new Map([[key, plain], [blockOf("b"), elided]]);
    const written = await write({ forms });
    assert.deepEqual(written.forms, forms);
    assert.deepEqual(written.inserted, [key, blockOf("b")]);
    const keys = [...forms.keys(), blockOf("unknown"), key];
    assert.deepEqual(new Map(store.forms(keys)), forms);
  });

  rule("keeps the form that came first and says so", async (scene) => {
    const { store, write } = scene;
    const first = formOf("first");
    const other = formOf("other");
    await write({ forms: new Map([[key, first]]) });
    const written = await write({
      forms: new Map([[key, formOf("second")], [blockOf("b"), other]]),
    });
    assert.deepEqual(
      written.forms,
      new Map([[key, first], [blockOf("b"), other]]),
    );
    assert.deepEqual(written.inserted, [blockOf("b")]);
    assert.deepEqual(store.forms([key]).get(key), first);
  });

  rule("copies a literal that is a view of a larger buffer", async (scene) => {
    const { store, write } = scene;
    const body = new TextEncoder().encode('{"a":"form"}');
    const form = { ...formOf(""), literal: body.subarray(5, 11) };
    await write({ forms: new Map([[key, form]]) });
    const literal = store.forms([key]).get(key)?.literal;
    assert.equal(new TextDecoder().decode(literal), '"form"');
  });

  rule("forgets a retracted form", async ({ store, write }) => {
    await write({ forms: new Map([[key, formOf("first")]]) });
    await write({ retract: [key, blockOf("unknown")] });
    assert.equal(store.forms([key]).size, 0);
    const { inserted } = await write({ forms: new Map([[key, formOf("2")]]) });
    assert.deepEqual(inserted, [key]);
  });

  rule("keeps forms for 30 days after their last use", async (scene) => {
    const { store, write, clock } = scene;
    const b = blockOf("b");
    await write({ forms: new Map([[key, formOf("a")], [b, formOf("b")]]) });
    clock.pass(20 * DAY_MS);
    await write({ touch: [b] });
    clock.pass(10 * DAY_MS);
    assert.deepEqual([...store.forms([key, b]).keys()].sort(), [key, b].sort());
    clock.pass(1);
    assert.deepEqual([...store.forms([key, b]).keys()], [b]);
    clock.pass(20 * DAY_MS);
    assert.equal(store.forms([key, b]).size, 0);
  });

  rule("finds each of many forms in one look-up", async (scene) => {
    const { store, write } = scene;
    const forms = new Map(
      Array.from({ length: 2500 }, (_, i) => [blockOf(`${i}`), formOf(`${i}`)]),
    );
    await write({ forms });
    const found = store.forms([...forms.keys()]);
    assert.deepEqual(new Map(found), forms);
  });
}

function testExpiry(rule: Rule): void {
  rule("expires an original when its TTL has passed", async (scene) => {
    const { store, write, entry, clock, statusOf } = scene;
    const stored = entry("a");
    await write({ entries: [stored] });
    clock.pass(TTL_MS);
    assert.deepEqual(store.entry(stored.key, clock.now()), stored);
    clock.pass(1);
    assert.deepEqual(store.entry(stored.key, clock.now()), {
      status: "expired",
      ageMs: TTL_MS + 1,
    });
    assert.notEqual(statusOf("a"), "kept");
    await write({});
    assert.equal(statusOf("a"), "missing");
    assert.equal(store.stats().entries, 0);
  });

  rule("renews an original that is stored again", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    await write({ entries: [entry("a")] });
    clock.pass(TTL_MS);
    await write({ entries: [entry("a")] });
    clock.pass(TTL_MS);
    assert.equal(statusOf("a"), "kept");
    clock.pass(1);
    assert.equal(statusOf("a"), "expired");
    await write({ entries: [entry("a")] });
    assert.equal(statusOf("a"), "kept");
  });

  rule("keeps originals of an active conversation", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    await write({ conversation: A, entries: [entry("a")] });
    await write({ conversation: B, entries: [entry("b")] });
    for (let i = 0; i < 2; i++) {
      clock.pass(TTL_MS - 1);
      await write({ conversation: A });
    }
    assert.equal(statusOf("a"), "kept");
    assert.equal(statusOf("b"), "expired");
    clock.pass(TTL_MS + 1);
    assert.equal(statusOf("a"), "expired");
  });

  rule("knows which conversation an original is linked to", async (scene) => {
    const { store, write, entry } = scene;
    const [a, b] = [entry("a"), entry("b")];
    await write({ conversation: A, entries: [a] });
    await write({ entries: [b] });
    assert.equal(store.isLinked(A, a.key), true);
    assert.equal(store.isLinked(A, b.key), false);
    assert.equal(store.isLinked(B, a.key), false);
    await write({ conversation: B, uses: [b.key, ccrKey("none")] });
    assert.equal(store.isLinked(B, b.key), true);
    assert.equal(store.isLinked(B, ccrKey("none")), false);
    await write({ clear: "all" });
    assert.equal(store.isLinked(A, a.key), false);
  });

  rule("keeps an original that another conversation uses", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    await write({ conversation: A, entries: [entry("a")] });
    clock.pass(TTL_MS);
    await write({ conversation: B, uses: [entry("a").key, ccrKey("none")] });
    clock.pass(TTL_MS);
    assert.equal(statusOf("a"), "kept");
    assert.equal(statusOf("none"), "missing");
    clock.pass(1);
    assert.equal(statusOf("a"), "expired");
  });

  rule("writes in the end what no request waits for", async (scene) => {
    const { write, entry, statusOf } = scene;
    await write({ entries: [entry("a")] }, "soon");
    assert.equal(statusOf("a"), "kept");
    const many = Array.from({ length: 100 }, (_, i) => entry(`${i}`));
    await Promise.all(many.map((one) => write({ entries: [one] }, "soon")));
    assert.equal(statusOf("99"), "kept");
  });

  rule("sweeps what nobody asks for, in the end", async (scene) => {
    const { store, write, entry, clock } = scene;
    const many = Array.from({ length: 150 }, (_, i) => entry(`${i}`));
    await write({ conversation: A, entries: many });
    clock.pass(TTL_MS + DAY_MS);
    await write({ conversation: B, entries: [entry("b")] });
    for (let i = 0; i < 5; i++) await write({}, "soon");
    assert.equal(store.stats().entries, 1);
  });

  rule("forgets a conversation after 30 days", async (scene) => {
    const { store, write, clock } = scene;
    const retrievals = [{ anchor: "a", format: "f", data: "1" }];
    const responseIds = new Map([["seen", "last"]]);
    await write({ conversation: A, definition: "d", retrievals, responseIds });
    clock.pass(30 * DAY_MS);
    for (let i = 0; i < 2; i++) await write({}, "soon");
    assert.deepEqual(store.retrievals(A), retrievals);
    clock.pass(DAY_MS);
    for (let i = 0; i < 2; i++) await write({}, "soon");
    assert.equal(store.conversation(A), undefined);
    assert.deepEqual(store.retrievals(A), []);
    assert.equal(store.responseId("seen"), undefined);
  });
}

function testBound(rule: Rule): void {
  const bounds = { maxBytes: 3000 };
  const big = (name: string) => `${name}${KILOBYTE}`;

  rule(
    "evicts what no conversation uses first, oldest first",
    async (scene) => {
      const { write, entry, clock, statusOf } = scene;
      await write({ conversation: A, entries: [entry(big("a"))] });
      clock.pass(31 * 60_000);
      for (const name of ["1", "2"]) {
        await write({ entries: [entry(big(name))] });
        clock.pass(1);
      }
      clock.pass(30 * 60_000);
      // Active now: only so that its original does not expire in this test.
      await write({ conversation: A });
      await write({ conversation: B, entries: [entry(big("b"))] });
      const names = ["a", "1", "2", "b"].map(big);
      // Beyond its TTL, but not evicted.
      const held = ["kept", "missing", "expired", "kept"];
      assert.deepEqual(names.map(statusOf), held);
    },
    bounds,
  );

  rule("never evicts what was stored a moment ago", async (scene) => {
    const { store, write, entry, clock, statusOf } = scene;
    const names = ["1", "2", "3"].map(big);
    await write({ entries: names.map(entry) });
    assert.equal(store.full(), true);
    await assert.rejects(write({ entries: [entry(big("b"))] }), /in use/);
    for (const name of names) assert.equal(statusOf(name), "kept");
    clock.pass(30 * 60_000 + 1);
    assert.equal(store.full(), false);
    await write({ entries: [entry(big("b"))] });
    assert.equal(statusOf(big("b")), "kept");
  }, bounds);

  rule("evicts whole idle conversations, oldest first", async (scene) => {
    const { store, write, entry, clock, statusOf } = scene;
    await write({ conversation: A, entries: [entry("a1"), entry(big("a2"))] });
    clock.pass(1000);
    await write({ conversation: B, entries: [entry(big("b"))] });
    clock.pass(31 * 60_000);
    await write({ conversation: C, entries: [entry(big("c"))] });
    assert.equal(statusOf("a1"), "missing");
    assert.equal(statusOf(big("a2")), "missing");
    // Beyond its TTL, but not evicted.
    assert.equal(statusOf(big("b")), "expired");
    assert.equal(statusOf(big("c")), "kept");
    assert.notEqual(store.conversation(A), undefined);
    assert.ok(store.stats().bytes <= 3000);
  }, bounds);

  rule("spares originals that a living conversation uses", async (scene) => {
    const { write, entry, clock, statusOf } = scene;
    await write({ conversation: A, entries: [entry(big("shared"))] });
    await write({ conversation: A, entries: [entry(big("own"))] });
    clock.pass(31 * 60_000);
    await write({ conversation: B, uses: [entry(big("shared")).key] });
    const entries = [entry(big("b1")), entry(big("b2"))];
    await write({ conversation: B, entries });
    assert.equal(statusOf(big("shared")), "kept");
    assert.equal(statusOf(big("own")), "missing");
    assert.equal(statusOf(big("b2")), "kept");
  }, bounds);

  rule(
    "is full while everything is in use, and refuses whole",
    async (scene) => {
      const { store, write, entry, clock, statusOf } = scene;
      const names = ["1", "2", "3"].map(big);
      await write({ conversation: A, entries: names.map(entry) });
      assert.equal(store.full(), true);
      const forms = new Map([[blockOf("b"), formOf("b")]]);
      const more = { conversation: B, entries: [entry(big("b"))], forms };
      await assert.rejects(write(more), /holds 3000 of 3000 bytes/);
      assert.equal(store.forms([...forms.keys()]).size, 0);
      assert.equal(store.conversation(B), undefined);
      for (const name of names) assert.equal(statusOf(name), "kept");

      await write({ conversation: A, entries: names.map(entry) });
      await write({ conversation: B, forms });
      clock.pass(30 * 60_000 + 1);
      assert.equal(store.full(), false);
      await write(more);
      assert.equal(statusOf(big("b")), "kept");
      assert.equal(store.stats().bytes, 1000);
    },
    bounds,
  );

  rule("agrees with itself on what fits", async ({ store, write, entry }) => {
    for (let i = 0; i < 20; i++) {
      const full = store.full();
      const taken = await write({
        conversation: A,
        entries: [entry("y".repeat(i * 50 + 1))],
      }).then(() => true, () => false);
      assert.equal(taken, !full);
    }
    assert.equal(store.full(), true);
  }, bounds);
}

/** Tries again while the other store holds the lock for longer than a write waits. */
async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!`${error}`.includes("locked")) throw error;
    }
  }
}

function testSharing(rule: Rule): void {
  rule("keeps everything over a restart", async (scene) => {
    const { store, write, entry, clock, another } = scene;
    const forms = new Map([[blockOf("a"), formOf("a")]]);
    const retrievals = [{ anchor: "a", format: "f", data: "1" }];
    const responseIds = new Map([["seen", "last"]]);
    const entries = [entry("original")];
    const parts = { entries, forms, retrievals, responseIds };
    await write({ conversation: A, definition: "d", ...parts });
    await store[Symbol.asyncDispose]();

    const next = await another();
    assert.deepEqual(new Map(next.forms([blockOf("a")])), forms);
    assert.deepEqual(next.entry(ccrKey("original"), clock.now()), entries[0]);
    assert.deepEqual(next.retrievals(A), retrievals);
    assert.equal(next.responseId("seen"), "last");
    assert.equal(next.conversation(A)?.definition, "d");
    const { entries: count, bytes } = next.stats();
    assert.deepEqual({ count, bytes }, { count: 1, bytes: 8 });
  });

  rule("does what was asked before it was closed", async (scene) => {
    const { store, write, entry, clock, another } = scene;
    const pending = Array.from(
      { length: 30 },
      (_, i) => write({ entries: [entry(`${i}`)] }),
    );
    await store[Symbol.asyncDispose]();
    await Promise.all(pending);
    const next = await another();
    for (let i = 0; i < 30; i++) {
      assert.ok("original" in next.entry(ccrKey(`${i}`), clock.now()));
    }
  });

  rule("gives two racing stores the same forms", async (scene) => {
    const { store, clock, another } = scene;
    const second = await another();
    const now = clock.now();
    const keys = Array.from({ length: 40 }, (_, i) => blockOf(`${i}`));
    const commit = (by: CcrStore, name: string) => (key: BlockKey) =>
      insist(() => by.write({ now, forms: new Map([[key, formOf(name)]]) }));
    const [ours, theirs] = await Promise.all([
      Promise.all(keys.map(commit(store, "ours"))),
      Promise.all(keys.map(commit(second, "theirs"))),
    ]);
    keys.forEach((key, i) => {
      assert.deepEqual(ours[i]?.forms.get(key), theirs[i]?.forms.get(key));
      const makers = ours[i]!.inserted.length + theirs[i]!.inserted.length;
      assert.equal(makers, 1);
    });
  });

  rule("sees the originals and the activity of another", async (scene) => {
    const { store, entry, clock, another } = scene;
    const second = await another();
    await store.write({
      conversation: A,
      now: clock.now(),
      entries: [entry("a")],
    });
    clock.pass(TTL_MS);
    await second.write({ conversation: A, now: clock.now() });
    clock.pass(TTL_MS);
    const { key } = entry("a");
    assert.ok("original" in store.entry(key, clock.now()));
    assert.ok("original" in second.entry(key, clock.now()));
    assert.equal(store.stats().entries, 1);
  });
}

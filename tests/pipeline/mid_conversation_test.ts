/** Conversations that are first seen in their middle: when the tool comes, and that it stays or stays away. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
  messagesClient,
  printed,
  talk,
} from "../conformance/conversation.ts";
import { FORMATS, type Harness, harness } from "./harness.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const utf8 = new TextEncoder();

/** Without marks of a prompt cache. */
const unmarked = (body: Uint8Array) =>
  utf8.encode(text(body).replace(/,"cache_control":\{[^}]*\}/g, ""));

const isElided = (call: CompressedBody) => text(call.bytes).includes("hash=");

/** What is declared, which is also what is sent. */
function declaredBy(call: CompressedBody): string {
  const { declaration, bytes } = call;
  const hasTool = text(bytes).includes('"headroom_retrieve"');
  assert.equal(hasTool, declaration.by === "proxy");
  return declaration.by === "nobody" ? declaration.reason : declaration.by;
}

/** A question that makes the prompt `bytes` longer. */
const long = (conversation: Conversation, bytes: number): Conversation => ({
  ...conversation,
  question: "w".repeat(bytes),
});

for (const client of CLIENTS) {
  const { id } = client;
  const isMarked = id === "messages";

  Deno.test(`${id}: first seen in the middle, newest results are left out of exactly where that pays for the prefix that is read anew`, async () => {
    const { write, read } = FORMATS[id]!.promptCache;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 900 }),
        fc.boolean(),
        async (bytes, count, isHeld) => {
          const conversation = long(talk("short", printed(count)), bytes);
          const marked = bodyOf(client, conversation, 2);
          const body = isHeld ? marked : unmarked(marked);
          const call = await harness().send(id, body);
          const result = printed(count);
          const form = [result.split("\n")[0], result.split("\n").at(-1)];
          // The marker has some 25 tokens.
          const saved = (result.length - form.join("").length) / 4 - 25 - 80;
          const prefix = body.length - JSON.stringify(result).length;
          const isCold = prefix < 4096 || (isMarked && !isHeld);
          const price = isCold ? 0 : (write - read) * prefix / 4;
          const gain = saved * (write + read * 10) - price;
          // Beside what is estimated here.
          if (Math.abs(gain) < 150 || Math.abs(prefix - 4096) < 800) return;
          assert.equal(isElided(call), gain > 0, `${gain}`);
          assert.equal(
            declaredBy(call),
            gain > 0 ? "proxy" : "mid_conversation",
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  Deno.test(`${id}: the tool that came in the middle stays, also for rewinds, forks and in other processes`, async () => {
    const process = harness();
    const conversation = talk(
      "short",
      "brief",
      printed(400),
      "end",
      printed(90),
    );
    const body = (n: number) => bodyOf(client, conversation, n);
    assert.equal(declaredBy(await process.send(id, body(3))), "proxy");
    const other = harness({ store: process.store });
    for (const n of [4, 1, 0, 2, 5]) {
      for (const at of [process, other]) {
        assert.equal(declaredBy(await at.send(id, body(n))), "proxy", `${n}`);
      }
    }
    for (const n of [5, 3, 1]) {
      const fork = await other.send(id, body(n), { session: `fork ${n}` });
      assert.equal(declaredBy(fork), "proxy", `fork ${n}`);
    }
  });

  Deno.test(`${id}: a conversation that went on without the tool never gets it, whatever it brings or goes back to`, async () => {
    const process = harness();
    const conversation = talk("short", "brief", printed(900), printed(950));
    const body = (n: number) => bodyOf(client, conversation, n);
    const sent = await process.send(id, body(2));
    assert.equal(declaredBy(sent), "mid_conversation");
    for (const at of [process, harness({ store: process.store })]) {
      for (const n of [3, 1, 4, 2]) {
        assert.equal(
          declaredBy(await at.send(id, body(n))),
          "mid_conversation",
          `${n}`,
        );
      }
      assert.equal(declaredBy(await at.send(id, body(0))), "off");
    }
    const more = talk(
      "short",
      "brief",
      printed(900),
      printed(950),
      printed(9000),
    );
    const fork = { session: "fork" };
    const forked = await process.send(id, bodyOf(client, more, 5), fork);
    assert.equal(declaredBy(forked), "mid_conversation");
    // One that brings the same results has the tool, and leaves out of what both get.
    const other = { ...more, question: "what else?" };
    await process.talk(other, client)(0);
    await process.talk(other, client)(4);
    assert(isElided(await process.talk(other, client)(5)));
    const own = await process.talk(more, client)(5);
    assert.equal(declaredBy(own), "mid_conversation");
    assert(!isElided(own));
  });

  Deno.test(`${id}: requests that ask the same of other results are other conversations`, async () => {
    const process = harness();
    const once = (result: string) =>
      process.send(id, unmarked(bodyOf(client, talk(result), 1)));
    assert.equal(declaredBy(await once("short")), "mid_conversation");
    assert.equal(declaredBy(await once(printed(300))), "proxy");
  });

  Deno.test(`${id}: a text that a client clears in mid-conversation leaves it the one that it was`, async () => {
    const process = harness();
    await process.send(id, bodyOf(client, talk("short", "brief"), 2));
    const cleared = talk("(cleared)", "brief", printed(900));
    const call = await process.talk(cleared, client)(3);
    assert.equal(declaredBy(call), "mid_conversation");
  });

  Deno.test(`${id}: rewinds past the tool, and any order of requests of any branch, are never ours to blame`, async () => {
    const result = fc.oneof(
      fc.constantFrom("short", "brief"),
      fc.integer({ min: 5, max: 900 }).map((n) => printed(n)),
      fc.integer({ min: 300, max: 3000 }).map((n) => "x".repeat(n)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(result, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 9000 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(undefined, "s", "t")), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.boolean(),
        async (results, bytes, requests, isHeld) => {
          const process = harness();
          const proofs = makePrefixProofs();
          const conversation = long(talk(...results), bytes);
          const past = new Past(client);
          for (const [pick, session] of requests) {
            const n = pick % (results.length + 1);
            const marked = bodyOf(client, conversation, n);
            const call = await process.send(
              id,
              isHeld ? marked : unmarked(marked),
              session === undefined ? {} : { session },
            );
            const verdict = proofs.prove(call)!.verdict;
            assert(
              ["first", "extended", "client"].includes(verdict),
              `${verdict} after ${n} steps`,
            );
            past.extend(call, session ?? "");
            assertRetrievable(call, process);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  Deno.test(`${id}: a conversation that is met anywhere only appends from then on, across restarts`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 600 }).map((n) => printed(n)), {
          minLength: 2,
          maxLength: 5,
        }),
        fc.nat(),
        fc.boolean(),
        async (results, pick, restarts) => {
          let process = harness();
          const conversation = talk(...results);
          const past = new Past(client);
          for (let n = pick % results.length; n <= results.length; n++) {
            const call = await process.talk(conversation, client)(n);
            past.extend(call, "");
            assertRetrievable(call, process);
            if (restarts) process = harness({ store: process.store });
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  Deno.test(`${id}: what could not be stored is sent whole, and without the tool`, async () => {
    const { store } = harness();
    const refusing = harness({
      store: { ...store, write: () => Promise.reject(new Error("locked")) },
    });
    const body = bodyOf(client, talk("short", printed(400)), 2);
    const call = await refusing.send(id, body);
    assert.deepEqual(call.bytes, body);
    assert.equal(declaredBy(call), "mid_conversation");
  });

  Deno.test(`${id}: a question about a conversation does not bring the tool into it`, async () => {
    const body = bodyOf(client, talk("short", printed(400)), 2);
    const call = await harness().compress(id, body, { isPreview: true });
    assert.equal(declaredBy(call), "mid_conversation");
  });
}

/** What was sent for the branches of one conversation. */
class Past {
  readonly #client: ClientFormat;
  readonly #tools = new Map<string, string>();
  readonly #elements = new Map<string, readonly string[]>();

  constructor(client: ClientFormat) {
    this.#client = client;
  }

  /** Fails where this request neither extends nor rewinds what its session was sent. */
  extend(call: CompressedBody, session: string): void {
    const sent = JSON.parse(text(call.bytes));
    const tools = JSON.stringify(sent.tools);
    assert.equal(tools, this.#tools.get(session) ?? tools);
    this.#tools.set(session, tools);
    const elements: readonly string[] = sent[this.#client.array].map(
      (element: unknown) => JSON.stringify(element),
    );
    const before = this.#elements.get(session) ?? [];
    const shared = Math.min(before.length, elements.length);
    assert.deepEqual(elements.slice(0, shared), before.slice(0, shared));
    if (elements.length > before.length) this.#elements.set(session, elements);
  }
}

/** Every marker that leaves has its original, and a tool that gives it back. */
function assertRetrievable(call: CompressedBody, process: Harness): void {
  for (const key of call.elided.keys()) {
    assert("original" in process.store.entry(key, process.clock.ms));
  }
  if (isElided(call)) assert.equal(declaredBy(call), "proxy");
}

Deno.test("a body that goes on from a response that is not known is left as it is", async () => {
  const client = CLIENTS.find(({ id }) => id === "responses")!;
  const body = JSON.parse(text(bodyOf(client, talk("short", printed(400)), 2)));
  const call = await harness().send(
    "responses",
    utf8.encode(JSON.stringify({ ...body, previous_response_id: "resp_1" })),
  );
  assert.equal(declaredBy(call), "mid_conversation");
});

Deno.test("first seen in the middle and small, a request is decided once", async () => {
  const process = harness();
  const body = bodyOf(messagesClient, long(talk("x".repeat(400)), 20_000), 1);
  await process.send("messages", body);
  assert.deepEqual(process.decided.map(({ mayElide }) => mayElide), [false]);
});

for (const client of CLIENTS) {
  const { id } = client;
  const others = CLIENTS.filter((other) => other !== client);

  Deno.test(`${id}: results that came through another API have their forms here too, where that pays`, async () => {
    for (const other of others) {
      const short = talk("short", printed(300), printed(90));
      const process = harness();
      const first = await process.talk(short, other)(2);
      assert(isElided(first));
      const decided = process.decided.length;
      const call = await process.talk(short, client)(2);
      assert.equal(declaredBy(call), "proxy");
      assert.equal(call.formTokensSaved, first.formTokensSaved);
      assert.equal(process.decided.length, decided);
      for (const at of [process, harness({ store: process.store })]) {
        const next = await at.talk(short, client)(3);
        assert.equal(declaredBy(next), "proxy");
        assert(isElided(next));
      }
    }
  });

  Deno.test(`${id}: results that came through another API stay whole where the prefix is worth more, also later`, async () => {
    for (const other of others) {
      const conversation = long(talk("short", printed(60), printed(5)), 90_000);
      const process = harness();
      await process.talk(conversation, other)(0);
      const first = await process.talk(conversation, other)(2);
      assert(isElided(first));
      for (const at of [process, harness({ store: process.store })]) {
        for (const n of [2, 3]) {
          const call = await at.talk(conversation, client)(n);
          assert.equal(declaredBy(call), "mid_conversation", `${n}`);
          assert(!isElided(call));
        }
      }
    }
  });
}

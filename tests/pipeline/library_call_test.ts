import assert from "node:assert/strict";
import fc from "fast-check";
import type { Decision } from "../../src/core/decision.ts";
import type { BlockKey, CcrKey } from "../../src/core/store.ts";
import { compressBody } from "../../src/pipeline/compress_body.ts";
import {
  askWith,
  decideInTurns,
  leaveSmall,
  type LibraryCall,
  libraryDeclaration,
  libraryScan,
  protectCode,
  uncommitted,
} from "../../src/pipeline/library_call.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
  messagesClient,
  printed,
  talk,
} from "../conformance/conversation.ts";
import { harness, inputOf } from "./harness.ts";
import { jobOf } from "./jobs.ts";

const PLAIN: LibraryCall = {
  protectRecent: 0,
  protectAnalysis: false,
  isLossless: false,
  isSimulation: false,
};
const decoder = new TextDecoder();

/** A body as a library caller has it: the conversation alone. */
function messagesOf(
  client: ClientFormat,
  conversation: Conversation,
  n: number,
): Uint8Array {
  return bodyOf({ ...client, members: { model: "m" } }, conversation, n);
}

/** Elements of the conversation array, as they are written. */
function elements(client: ClientFormat, body: Uint8Array): string[] {
  return JSON.parse(decoder.decode(body))[client.array]
    .map((element: unknown) => JSON.stringify(element));
}

Deno.test("leaveSmall leaves what has fewer tokens than the call asks for", () => {
  const looked = { kind: "log", parts: [] } as const;
  const form = (tokensBefore: number): Decision => ({
    type: "form",
    strategy: "log",
    literal: new Uint8Array(),
    tokensBefore,
    tokensAfter: 9,
    elision: undefined,
    looked,
  });
  const decisions = [form(49), form(50)];
  const [small, other] = leaveSmall(decisions, { ...PLAIN, minTokens: 50 });
  assert.deepEqual(small, {
    type: "alone",
    reason: "too_small",
    looked,
    tokens: 49,
  });
  assert.equal(other, decisions[1]);
});

Deno.test("libraryScan makes every block live and names the results of unknown calls", () => {
  const body = new TextEncoder().encode(JSON.stringify({
    messages: [
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "x", content: "text" }],
      },
      { role: "assistant", content: "done" },
    ],
  }));
  const scan = messagesFormat.scan(body);
  assert.equal(scan.lastModelMessage, 1);
  assert.equal(scan.blocks[0]?.toolName, undefined);
  const all = libraryScan({ ...scan, keepsState: true }, PLAIN);
  assert.equal(all.lastModelMessage, -1);
  assert.equal(all.keepsState, false);
  assert.equal(all.blocks[0]?.toolName, "");
  assert.deepEqual(all.blocks[0]?.span, scan.blocks[0]?.span);
  // Apart from what the proxy sends for the same call, and one way from the other.
  const exact = libraryScan(scan, { ...PLAIN, isLossless: true });
  const ids = [scan, all, exact].map(({ blocks }) => blocks[0]?.callId);
  assert.equal(new Set(ids).size, 3);
});

Deno.test("libraryScan names users' texts by themselves, and has none of them where they are to stay", () => {
  const log = Array.from({ length: 60 }, (_, i) => `[${i}] INFO took job ${i}`);
  const body = messagesOf(messagesClient, {
    question: log.join("\n"),
    steps: talk(printed(9)).steps,
  }, 1);
  const scan = messagesFormat.scan(body);
  const names = (call: Partial<LibraryCall>) =>
    libraryScan(scan, { ...PLAIN, ...call }).blocks.map(({ callId }) => callId);
  assert.deepEqual(names({}), ["library user text", "library c0"]);
  assert.deepEqual(names({ isLossless: true }), [
    "library lossless user text",
    "library lossless c0",
  ]);
  assert.deepEqual(names({ userMessages: false }), ["library c0"]);
});

Deno.test("libraryDeclaration lets the caller retrieve only while originals are kept", () => {
  assert.deepEqual(libraryDeclaration(true), { by: "client" });
  assert.equal(libraryDeclaration(false).by, "nobody");
});

Deno.test("protectCode keeps source code whole in the last messages, and where an analysis is asked for", () => {
  const body = messagesOf(messagesClient, talk("a".repeat(300), "b"), 2);
  const scan = libraryScan(messagesFormat.scan(body), PLAIN);
  const live = scan.blocks.map((block, i) => ({
    block,
    key: `k${i}` as BlockKey,
    text: "",
    job: jobOf("x"),
    verdict: "",
    isOlder: false,
    mayRefer: false,
  }));
  const codeAware = (call: Partial<LibraryCall>, from = body) =>
    protectCode(live, { body: from, scan }, { ...PLAIN, ...call })
      .map(({ job }) => job.options.codeAware);
  assert.deepEqual(codeAware({}), [true, true]);
  assert.deepEqual(codeAware({ protectRecent: 2 }), [true, false]);
  assert.deepEqual(codeAware({ protectRecent: 99 }), [false, false]);
  assert.deepEqual(codeAware({ protectAnalysis: true }), [true, true]);
  const asking = new TextEncoder().encode(
    decoder.decode(body).replace("did it fail?", "fix it?"),
  );
  assert.deepEqual(codeAware({ protectAnalysis: true }, asking), [
    false,
    false,
  ]);
});

Deno.test("askWith puts the caller's question in front of what stands in the messages", () => {
  const live = [{
    job: { ...jobOf("x"), query: "why?" },
  }] as unknown as Parameters<
    typeof askWith
  >[0];
  assert.equal(askWith(live, "line 7")[0]?.job.query, "line 7\nwhy?");
  assert.equal(askWith(live, ""), live);
  assert.equal(askWith(live, undefined), live);
});

Deno.test("decideInTurns decides long texts one after the other, in order, and stops when told", async () => {
  const stop = new AbortController();
  const turns: number[][] = [];
  const jobs = [10, 70_000, 20, 30, 70_000, 40].map((length) =>
    jobOf("x".repeat(length))
  );
  const decide = (asked: Parameters<typeof decideInTurns>[1]) => {
    turns.push(asked.map(({ text }) => text.length));
    return Promise.resolve(asked.map(({ text }) => ({
      type: "alone" as const,
      reason: `${text.length}`,
    })));
  };
  const decisions = await decideInTurns(decide, jobs, stop.signal);
  assert.deepEqual(turns, [[10, 70_000], [20, 30, 70_000], [40]]);
  assert.deepEqual(
    decisions.map((decision) => decision.type !== "form" && decision.reason),
    ["10", "70000", "20", "30", "70000", "40"],
  );
  assert.deepEqual(await decideInTurns(decide, [], stop.signal), []);
  turns.length = 0;
  const stopping: typeof decide = (asked) => {
    stop.abort();
    return decide(asked);
  };
  await assert.rejects(
    decideInTurns(stopping, jobs, stop.signal),
    { name: "AbortError" },
  );
  assert.equal(turns.length, 1);
});

Deno.test("uncommitted gives the forms of the decisions and links nothing", () => {
  const body = messagesOf(messagesClient, talk("a", "b"), 2);
  const live = messagesFormat.scan(body).blocks.map((block, i) => ({
    block,
    key: `k${i}` as BlockKey,
    text: "",
    job: jobOf("x"),
    verdict: "",
    isOlder: false,
    mayRefer: false,
  }));
  const { forms, inserted, linked } = uncommitted(live, [
    { type: "alone", reason: "too_small" },
    {
      type: "form",
      literal: new TextEncoder().encode('"f"'),
      strategy: "log",
      tokensBefore: 9,
      tokensAfter: 2,
      elision: { key: "o" as CcrKey, total: 3, kept: 1 },
      looked: { kind: "log", parts: [] },
    },
  ], 5);
  assert.deepEqual([...forms.keys()], ["k1"]);
  assert.equal(forms.get("k1" as BlockKey)?.entry, "o");
  assert.deepEqual(inserted, []);
  assert.equal(linked, undefined);
});

Deno.test("compressBody for a library decides older turns too, adds no tool and keeps the originals", async () => {
  for (const client of CLIENTS) {
    const { send, store, clock, failures } = harness();
    const body = messagesOf(client, talk(printed(50), printed(60)), 2);
    const call = await send(client.id, body, { library: PLAIN });
    assert.deepEqual(call.strategies, ["log"]);
    assert.equal(call.elided.size, 2);
    assert.equal(call.edits.length, 2);
    for (const key of call.elided.keys()) {
      assert("original" in store.entry(key, clock.ms), client.id);
    }
    assert.equal(JSON.parse(decoder.decode(call.bytes)).tools, undefined);
    assert.equal(failures.size, 0);
  }
});

Deno.test("compressBody for a library decides what the proxy left alone as an older turn, and sends its forms again", async () => {
  const proxy = harness();
  const conversation = talk(printed(50), printed(60));
  // The proxy was started in the middle of a long one, which the provider may hold: nothing may be elided.
  const question = "why did it fail? ".repeat(500);
  const wire = bodyOf(messagesClient, { ...conversation, question }, 2);
  assert.equal((await proxy.send("messages", wire)).edits.length, 0);
  const body = messagesOf(messagesClient, conversation, 2);
  const own = harness({ store: proxy.store });
  const first = await own.send("messages", body, { library: PLAIN });
  assert.equal(first.edits.length, 2);
  const again = harness({ store: proxy.store });
  const second = await again.send("messages", body, { library: PLAIN });
  assert.deepEqual(second.bytes, first.bytes);
  assert.equal(again.decided.length, 0);
});

Deno.test("compressBody for a library with CCR off leaves nothing out, older elided forms included", async () => {
  const on = harness();
  const body = messagesOf(
    messagesClient,
    talk(printed(50), "x".repeat(900)),
    2,
  );
  const elided = await on.send("messages", body, { library: PLAIN });
  assert.deepEqual(elided.strategies.toSorted(), ["fold", "log"]);
  const off = harness({ store: on.store, ccr: false });
  const call = await off.send("messages", body, { library: PLAIN });
  assert.deepEqual(call.strategies, ["fold"]);
  assert.equal(call.elided.size, 0);
});

Deno.test("compressBody for a library puts no retrievals back and notes no conversation without a form", async () => {
  const process = harness();
  const body = messagesOf(messagesClient, talk("short"), 1);
  const input = {
    ...inputOf("messages", body, { session: "s", library: PLAIN }),
    format: {
      ...messagesFormat,
      retrieval: {
        ...messagesFormat.retrieval,
        spliceBack: () => assert.fail("must not ask"),
        turnNames: () => assert.fail("must not ask"),
      },
    },
  };
  const first = await compressBody(process.parts, input);
  first.sent();
  const conversation = first.conversation!;
  assert.equal(process.store.conversation(conversation), undefined);
  await process.store.write({
    conversation,
    now: process.clock.ms,
    retrievals: [{ anchor: "c0", format: "messages", data: "{}" }],
  });
  const second = await compressBody(process.parts, input);
  assert.equal(second.bytes, body);
  assert.equal(process.failures.size, 0);
});

Deno.test("compressBody for a library simulates without a write, with the bytes that it would make", async () => {
  const writes: string[] = [];
  const process = harness({
    enter: (part) => {
      if (part === "write") writes.push(part);
    },
  });
  const body = messagesOf(messagesClient, talk(printed(50)), 1);
  const isSimulation = true;
  const simulated = await process.compress("messages", body, {
    library: { ...PLAIN, isSimulation },
  });
  assert.deepEqual(writes, []);
  const real = await process.send("messages", body, { library: PLAIN });
  assert.deepEqual(simulated.bytes, real.bytes);
  assert.equal(simulated.formTokensSaved, real.formTokensSaved);
  assert(writes.length > 0);
});

Deno.test("compressBody for a library stores nothing when the caller leaves before it is decided", async () => {
  const client = new AbortController();
  const { compress, store } = harness({ meanwhile: () => client.abort() });
  const body = messagesOf(messagesClient, talk(printed(50)), 1);
  const { signal } = client;
  await assert.rejects(
    compress("messages", body, { library: PLAIN, signal }),
    { name: "AbortError" },
  );
  assert.equal(store.stats().entries, 0);
});

Deno.test("compressBody for a library leaves the same blocks alone after its store refused them", async () => {
  let broken = true;
  const process = harness({
    enter: (part) => {
      if (broken && part === "write") throw new Error("disk full");
    },
  });
  const body = messagesOf(messagesClient, talk(printed(50)), 1);
  const first = await process.send("messages", body, { library: PLAIN });
  assert.equal(first.bytes, body);
  broken = false;
  const second = await process.send("messages", body, { library: PLAIN });
  assert.equal(second.bytes, body);
});

const result = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((n) => printed(n)),
  fc.integer({ min: 1, max: 2000 }).map((n) => "x".repeat(n)),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constant(`throw me\n${printed(30)}`),
);

for (const client of CLIENTS) {
  Deno.test(`compressBody for a library only appends, for growing ${client.id} messages and any restarts`, async () => {
    const steps = fc.array(
      fc.record({
        says: fc.constantFrom("I look.", "I fix the bug."),
        calls: fc.array(
          fc.record({
            tool: fc.constantFrom("Bash", "Read", "fetch_rows"),
            result: fc.oneof(result, fc.array(result, { maxLength: 3 })),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (steps, restarts) => {
        const conversation: Conversation = {
          question: "why?",
          steps: steps.map(({ says, calls }, s) => ({
            says,
            calls: calls.map((call, c) => ({
              ...call,
              id: `call_${s}_${c}`,
              args: { command: "run" },
            })),
          })),
        };
        let process = harness();
        let before: string[] = [];
        for (let n = 0; n <= steps.length; n++) {
          const body = messagesOf(client, conversation, n);
          const call = await process.send(client.id, body, {
            library: PLAIN,
          });
          const now = elements(client, call.bytes);
          assert.deepEqual(now.slice(0, before.length), before);
          before = now;
          if (restarts) process = harness({ store: process.store });
        }
      }),
      { numRuns: 40 },
    );
  });
}

for (const client of CLIENTS) {
  Deno.test(`what a library call decides never stands in for what the proxy sent, also after a restart: ${client.id}`, async () => {
    // The proxy meets the result in an older turn and leaves it alone; its form needs no tool.
    const body = bodyOf(client, talk("a".repeat(900), "b"), 2);
    const first = harness();
    const sent = await first.send(client.id, body);
    const wanted = await first.compress(client.id, body, { library: PLAIN });
    assert.ok(wanted.formed.length > 0);
    const restarted = harness({ store: first.store });
    const again = await restarted.send(client.id, body);
    assert.deepEqual(again.bytes, sent.bytes);
  });

  Deno.test(`a library call begins no conversation of the proxy: ${client.id}`, async () => {
    const talked = talk("short", "b");
    const process = harness();
    const facts = { session: "s" };
    const library = { ...facts, library: PLAIN };
    const early = await process.talk(talked, client)(1, library);
    const begun = await process.talk(talked, client)(0, facts);
    assert.equal(begun.declaration.by, "proxy");
    assert.equal(
      process.parts.conversations.open(early.conversation!).definition,
      undefined,
    );
    assert.notEqual(early.conversation, begun.conversation);
  });
}

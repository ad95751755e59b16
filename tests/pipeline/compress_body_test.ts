import assert from "node:assert/strict";
import fc from "fast-check";
import { splice } from "../../src/bytes/splice.ts";
import type { CcrKey, CcrStore } from "../../src/core/store.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import {
  bodyOf,
  type Call,
  chatClient,
  type ClientFormat,
  CLIENTS,
  type Conversation,
  messagesClient,
  printed,
  type Style,
  styledBodyOf,
} from "../conformance/conversation.ts";
import { reasonsIn } from "../../src/pipeline/seen_blocks.ts";
import { harness, type RequestFacts } from "./harness.ts";

const decoder = new TextDecoder();
const text = (bytes: Uint8Array) => decoder.decode(bytes);

/** A conversation with one call per step. */
function talk(
  ...calls: (Partial<Call> & { result: Call["result"] })[]
): Conversation {
  return {
    question: "why did it fail?",
    steps: calls.map((call, i) => ({
      calls: [{ id: `c${i}`, tool: "Bash", args: { command: "x" }, ...call }],
    })),
  };
}

/** Bytes from the conversation's opening bracket to the end of its last element. */
function conversationBytes(call: CompressedBody, array: string): string {
  const sent = text(call.bytes);
  const value = JSON.parse(sent)[array];
  assert(Array.isArray(value));
  const start = sent.search(new RegExp(`"${array}"\\s*:\\s*\\[`));
  // Only the conversation is the last member in these bodies.
  return sent.slice(start, sent.trimEnd().slice(0, -1).lastIndexOf("]"))
    .trimEnd();
}

const hashes = (body: string) =>
  [...body.matchAll(/hash=([0-9a-f]{24})\]/g)].map(([, hash]) =>
    hash as CcrKey
  );

/** The original behind a key, or a failed assertion. */
function original(store: CcrStore, key: CcrKey, now: number): string {
  const entry = store.entry(key, now);
  assert("original" in entry, `${key} is ${JSON.stringify(entry)}`);
  return entry.original;
}

const result = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((n) => printed(n)),
  fc.integer({ min: 1, max: 2000 }).map((n) => "x".repeat(n)),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constant("throw me\n" + printed(30)),
  fc.constant(printed(40, 'größe 😀 \u2028 "q" \\ \t')),
);
const tool = fc.constantFrom("Bash", "Grep", "Read", "Write", "fetch_rows");
const step = fc.record({
  says: fc.option(fc.constant("I look."), { nil: undefined }),
  calls: fc.array(
    fc.record({
      tool,
      result: fc.oneof(result, fc.array(result, { maxLength: 3 })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  note: fc.option(fc.constant("hurry"), { nil: undefined }),
});
const conversation = fc.array(step, { minLength: 1, maxLength: 5 }).map(
  (steps): Conversation => ({
    question: "why?",
    steps: steps.map(({ says, calls, note }, s) => ({
      ...says === undefined ? {} : { says },
      ...note === undefined ? {} : { note },
      calls: calls.map(({ tool, result }, c) => ({
        id: `call_${s}_${c}`,
        tool,
        args: { command: "run" },
        result,
      })),
    })),
  }),
);
const style = fc.record<Style>({
  indent: fc.constantFrom(undefined, 2),
  ascii: fc.boolean(),
  messagesFirst: fc.constant(false),
});

for (const client of CLIENTS) {
  Deno.test(`compressBody leaves every byte outside its edits as it was, for generated ${client.id} conversations`, async () => {
    await fc.assert(
      fc.asyncProperty(conversation, style, async (talk, style) => {
        const { send } = harness();
        for (let n = 0; n <= talk.steps.length; n++) {
          const body = styledBodyOf(client, style)(talk, n);
          const call = await send(client.id, body);
          assert.deepEqual(call.bytes, splice(body, call.edits));
          assert(call.scan);
          const blocks = new Set(call.scan.blocks.map((b) => b.span.start));
          const toolsEnd = call.scan.tools!.span.end - 1;
          for (const { span } of call.edits) {
            assert(blocks.has(span.start) || span.start === toolsEnd);
          }
          assertSameButResults(client, body, call.bytes);
        }
      }),
      { numRuns: 40 },
    );
  });

  Deno.test(`compressBody only appends to what it sent before, for generated ${client.id} conversations`, async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        style,
        fc.boolean(),
        async (talk, style, restarts) => {
          let process = harness();
          let before = "";
          let tools = "";
          for (let n = 0; n <= talk.steps.length; n++) {
            const body = styledBodyOf(client, style)(talk, n);
            const call = await process.send(client.id, body);
            const sent = conversationBytes(call, client.array);
            assert(sent.startsWith(before), `request ${n}`);
            before = sent;
            const sentTools = JSON.stringify(
              JSON.parse(text(call.bytes)).tools,
            );
            assert.equal(sentTools, tools || sentTools);
            tools = sentTools;
            for (const key of hashes(text(call.bytes))) {
              original(process.store, key, process.clock.ms);
            }
            if (restarts) process = harness({ store: process.store });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
}

/** Both bodies hold the same values, but for tool results and one more tool. */
function assertSameButResults(
  client: ClientFormat,
  body: Uint8Array,
  sent: Uint8Array,
): void {
  const strip = (bytes: Uint8Array, extraTools: number) => {
    const value = JSON.parse(text(bytes));
    value.tools.splice(value.tools.length - extraTools, extraTools);
    return JSON.parse(JSON.stringify(value, (_, member) => {
      if (member === null || typeof member !== "object") return member;
      const isResult = member.type === "tool_result" ||
        member.role === "tool" || member.type === "function_call_output";
      return isResult
        ? { ...member, content: undefined, output: undefined }
        : member;
    }));
  };
  assert.deepEqual(strip(sent, 1), strip(body, 0), client.id);
}

Deno.test("compressBody sends what does not scan exactly as it came", async () => {
  const { send, failures } = harness();
  const body = text(bodyOf(messagesClient, talk({ result: printed(50) }), 1));
  const broken = [
    body.slice(0, -1),
    body.replace('"messages"', '"mess"'),
    body.replace('"role":"user"', '"who":"user"'),
    `${body}x`,
    "[]",
    "",
    '"text"',
    `{"messages":${"[".repeat(600)}${"]".repeat(600)}}`,
    body.replace('"max_tokens":1024', '"model":"again"'),
  ];
  for (const json of broken) {
    const bytes = new TextEncoder().encode(json);
    const call = await send("messages", bytes);
    assert.equal(call.bytes, bytes);
    assert.equal(call.scan, undefined);
  }
  assert.equal(failures.get("scan_messages"), broken.length);
});

Deno.test("compressBody in passthrough sends the client's bytes and remembers nothing", async () => {
  const { send, decided } = harness();
  const body = bodyOf(messagesClient, talk({ result: printed(50) }), 1);
  const call = await send("messages", body, { mode: "passthrough" });
  assert.equal(call.bytes, body);
  assert.equal(call.declaration.by, "nobody");
  assert.equal(decided.length, 0);
});

Deno.test("compressBody sends the body in some valid form whichever part fails at whichever call (law 5)", async () => {
  const conversation = talk(
    { result: printed(50) },
    { result: "x".repeat(900) },
    { result: printed(60) },
  );
  const parts = [
    "lookup",
    "settle",
    "adopt",
    "declare",
    "active",
    "open",
    "stale",
    "linked",
    "decide",
    "keyOf",
    "write",
    "full",
  ];
  for (const part of parts) {
    for (const failing of [0, 1, 2]) {
      let calls = 0;
      const process = harness({
        enter: (name) => {
          if (name === part && calls++ === failing) throw new Error("part bug");
        },
      });
      for (let n = 0; n <= 3; n++) {
        const body = bodyOf(messagesClient, conversation, n);
        const call = await process.compress("messages", body);
        const sent = resultsOf(call);
        for (const [i, result] of sent.entries()) {
          const original = conversation.steps[i]!.calls[0]!.result;
          const isForm = /^x\*900$|omitted[^]*hash=/.test(result);
          assert(
            isForm || result === original,
            `${part} ${failing}: ${result}`,
          );
        }
        call.sent();
      }
      assert(calls > failing || failing > 0, `${part} was never entered`);
    }
  }
});

Deno.test("compressBody leaves the block alone whose compressor throws, and compresses its neighbours", async () => {
  const { talk, failures } = harness();
  const bad = `throw ${printed(40)}`;
  const calls = [bad, printed(40)].map((result, i) => ({
    id: `c${i}`,
    tool: "Bash",
    args: {},
    result,
  }));
  const after = talk({ question: "?", steps: [{ calls }] });
  await after(0);
  const call = await after(1);
  const [first, second] = resultsOf(call);
  assert.equal(first, bad);
  assert.match(second!, /lines 2-39 omitted/);
  assert.equal(failures.get("compress_block"), 1);
  // Of this request, not of the one before.
  assert.deepEqual(call.failures.map(({ stage }) => stage), ["compress_block"]);
});

/** Runs a conversation to its end and returns the last request's result texts. */
async function results(
  process: ReturnType<typeof harness>,
  conversation: Conversation,
): Promise<string[]> {
  const after = process.talk(conversation);
  for (let n = 0; n < conversation.steps.length; n++) await after(n);
  return resultsOf(await after(conversation.steps.length));
}

function resultsOf(call: CompressedBody): string[] {
  type Block = { type: string; content: string };
  const { messages } = JSON.parse(text(call.bytes)) as {
    messages: { content: string | Block[] }[];
  };
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.filter(({ type }) => type === "tool_result")
        .map(({ content }) => content)
  );
}

/** Results that are elided, one after the other. */
const ONE = talk({ result: printed(50) });
const TWO = talk({ result: printed(50) }, { result: printed(60) });
/** The body after `n` steps of a conversation, changed as a client may write it. */
function changed(
  conversation: Conversation,
  n: number,
  change: (messages: Record<string, unknown>[]) => void,
): Uint8Array {
  const body = JSON.parse(text(bodyOf(messagesClient, conversation, n)));
  change(body.messages);
  return new TextEncoder().encode(JSON.stringify(body));
}

Deno.test("a fork under a new session header finds the forms and the declaration", async () => {
  const process = harness();
  const sent = await results(process, TWO);
  const decisions = process.decided.length;
  const fork = await process.talk(TWO)(2, { session: "session-2" });
  assert.deepEqual(resultsOf(fork), sent);
  assert.match(sent[1]!, /omitted/);
  assert.equal(process.decided.length, decisions);
  assert.equal(fork.declaration.by, "proxy");
});

Deno.test("two processes that race on one block send the same bytes", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => release = resolve);
  let waiting = 0;
  const meanwhile = () => {
    if (++waiting === 2) release();
    return gate;
  };
  const first = harness({ meanwhile });
  const second = harness({ meanwhile, store: first.store });
  const [a, b] = await Promise.all(
    [first, second].map(async (process, i) => {
      const facts = { session: "s", agent: `${i}` };
      await process.talk(ONE)(0, facts);
      return await process.talk(ONE)(1, facts);
    }),
  );
  assert.equal(waiting, 2);
  assert.deepEqual(a!.bytes, b!.bytes);
  assert.match(text(a!.bytes), /hash=/);
});

Deno.test("the same text under another call is not elided again, and a Read does not inherit the form of a shell command", async () => {
  const again = { result: printed(50) };
  const [first, second] = await results(harness(), talk(again, again));
  assert.match(first!, /omitted/);
  assert.equal(second, printed(50));
  const read = { ...again, tool: "Read" };
  const [shell, file] = await results(harness(), talk(again, read));
  assert.match(shell!, /omitted/);
  assert.equal(file, printed(50));
  const folded = { tool: "Read", result: "x".repeat(2100) };
  assert.deepEqual(await results(harness(), talk(folded)), ["x*2100"]);
});

Deno.test("a trimmed first message, other escapes and white space change no form, also after a restart", async () => {
  const process = harness();
  const conversation = talk({ result: printed(50, "größe 😀") });
  const sent = await results(process, conversation);
  const style: Style = { indent: 2, ascii: true, messagesFirst: false };
  const trimmed = { ...conversation, question: "(shortened)" };
  for (const at of [process, harness({ store: process.store })]) {
    for (
      const body of [
        styledBodyOf(messagesClient, style)(conversation, 1),
        bodyOf(messagesClient, trimmed, 1),
      ]
    ) assert.deepEqual(resultsOf(await at.send("messages", body)), sent);
  }
});

Deno.test("a moving cache_control changes no form and stays where the client puts it", async () => {
  const process = harness();
  const marked = (n: number) =>
    process.send(
      "messages",
      changed(TWO, n, (messages) => {
        const parts = messages.at(-1)!["content"] as Record<string, unknown>[];
        parts.at(-1)!["cache_control"] = { type: "ephemeral" };
      }),
    );
  await process.talk(TWO)(0);
  const first = await marked(1);
  const second = await marked(2);
  assert.equal(resultsOf(second)[0], resultsOf(first)[0]);
  assert.match(resultsOf(first)[0]!, /omitted/);
  for (const call of [first, second]) {
    assert.equal(text(call.bytes).split('"cache_control"').length - 1, 2);
  }
});

Deno.test("a system message behind the tool result keeps the result live", async () => {
  const process = harness();
  await process.talk(ONE)(0);
  const body = changed(
    ONE,
    1,
    (messages) => messages.push({ role: "system", content: "reminder" }),
  );
  const call = await process.send("messages", body);
  assert.match(resultsOf(call)[0]!, /omitted/);
});

Deno.test("a proxy started in mid-conversation leaves older blocks alone, also after a rewind, and adds no tool", async () => {
  const met = await harness().talk(
    talk({ result: printed(50) }, { result: "x".repeat(900) }),
  )(2);
  assert.deepEqual(resultsOf(met), [printed(50), "x*900"]);
  assert.equal(met.declaration.by, "nobody");
  const process = harness();
  const after = process.talk(
    talk({ result: printed(50) }, { result: printed(2) }),
  );
  await after(2);
  assert.deepEqual(resultsOf(await after(1)), [printed(50)]);
  assert.equal(process.decided.length, 0);
});

Deno.test("an abort before sending freezes nothing", async () => {
  const aborter = new AbortController();
  const process = harness({ meanwhile: () => aborter.abort() });
  const after = process.talk(ONE);
  await after(0);
  const { signal } = aborter;
  await assert.rejects(after(1, { signal }), { name: "AbortError" });
  assert.equal(process.store.stats().entries, 0);
  assert.match(resultsOf(await after(1))[0]!, /omitted/);
});

Deno.test("an abort after the commit leaves its forms to the request that sends them meanwhile", async () => {
  const { store, talk } = harness();
  await talk(TWO)(0);
  // Writes wait for one another, as they do before the writer.
  const waiting: (() => void)[] = [];
  const { promise: bothWait, resolve: release } = Promise.withResolvers<void>();
  const queued: CcrStore = {
    ...store,
    write: async (batch) => {
      if (waiting.length < 2) {
        const turn = new Promise<void>((go) => void waiting.push(go));
        if (waiting.length === 2) release();
        await turn;
      }
      return await store.write(batch);
    },
  };
  const after = harness({ store: queued }).talk(TWO);
  const gone = new AbortController();
  const left = after(1, { signal: gone.signal });
  const retried = after(1);
  await bothWait;
  gone.abort();
  for (const go of waiting) go();
  await assert.rejects(left, { name: "AbortError" });
  const [sent] = resultsOf(await retried);
  assert.match(sent!, /omitted/);
  const next = await harness({ store }).talk(TWO)(2);
  assert.equal(resultsOf(next)[0], sent);
});

Deno.test("a declaration is in the store before its request leaves", async () => {
  const first = harness();
  await first.compress("messages", bodyOf(messagesClient, ONE, 0));
  const second = harness({ store: first.store });
  const body = bodyOf(messagesClient, ONE, 1);
  const call = await second.compress("messages", body);
  assert.equal(call.declaration.by, "proxy");
  assert.match(resultsOf(call)[0]!, /omitted/);
});

Deno.test("forms that were retracted are not sent again, also after a restart", async () => {
  const process = harness();
  const folded = talk({ result: "x".repeat(900) }, { result: printed(2) });
  await process.talk(folded)(0);
  const refused = await process.talk(folded)(1);
  assert.deepEqual(resultsOf(refused), ["x*900"]);
  await refused.retract();
  for (const later of [process, harness({ store: process.store })]) {
    const call = await later.talk(folded)(2);
    assert.deepEqual(resultsOf(call), ["x".repeat(900), printed(2)]);
  }
});

Deno.test("a store that refuses to write leaves the blocks as they are", async () => {
  const { store, talk } = harness();
  await talk(ONE)(0);
  const second = harness({
    store: { ...store, write: () => Promise.reject(new Error("locked")) },
  });
  const call = await second.talk(ONE)(1);
  assert.deepEqual(resultsOf(call), [printed(50)]);
  assert.equal(second.failures.get("commit_forms"), 1);
  assert.deepEqual(call.failures, [
    { stage: "commit_forms", reason: "Error: locked" },
  ]);
});

Deno.test("every marker that leaves can be retrieved, with a TTL of 1 s and pauses of 5 s", async () => {
  const process = harness({ ttlSeconds: 1 });
  const after = process.talk(
    talk(...[50, 60, 70].map((lines) => ({ result: printed(lines) }))),
  );
  for (let n = 0; n <= 3; n++) {
    process.clock.ms += 5000;
    const keys = hashes(text((await after(n)).bytes));
    assert.equal(keys.length, n);
    for (const key of keys) {
      assert.match(original(process.store, key, process.clock.ms), /^line 0/);
    }
  }
});

Deno.test("Write results, retrieval results and marker text are never compressed", async () => {
  const marked = `${
    printed(50)
  }\n[50 lines compressed to 2. Retrieve more: hash=${"a".repeat(24)}]`;
  const show = { command: "svc ccr show abc" };
  const sent = await results(
    harness(),
    talk(
      { tool: "Write", result: printed(51) },
      { tool: "mcp__svc__headroom_retrieve", result: printed(52) },
      { tool: "Bash", args: show, result: printed(53) },
      { tool: "Bash", result: marked },
    ),
  );
  assert.deepEqual(sent, [printed(51), printed(52), printed(53), marked]);
});

Deno.test("a conversation that was compacted keeps the tool of its session", async () => {
  const process = harness();
  const tools = async (n: number, question: string, on = process) => {
    const call = await on.talk({ ...ONE, question })(n, { session: "s" });
    return JSON.parse(text(call.bytes)).tools.length;
  };
  assert.equal(await tools(0, "why?"), 5);
  assert.equal(await tools(1, "summary of what was said"), 5);
  const restarted = harness({ store: process.store });
  assert.equal(await tools(1, "another summary", restarted), 5);
});

Deno.test("a conversation that was compacted takes over the markers that its summary quotes, of its own session", async () => {
  const process = harness();
  const facts = { session: "s", agent: "a" };
  for (const n of [0, 1]) await process.talk(TWO)(n, facts);
  const { elided } = await process.talk(TWO)(2, facts);
  const [quoted, other] = [...elided.keys()];
  const question = `See hash=${quoted}] and hash=${"a".repeat(24)}`;
  const taken = async (on: typeof process, names: typeof facts) => {
    const { conversation } = await on.talk({ ...TWO, question })(0, names);
    return [quoted!, other!].filter((key) =>
      on.parts.conversations.hasSent(conversation!, key)
    );
  };
  const restarted = () => harness({ store: process.store });
  assert.deepEqual(await taken(process, { ...facts, agent: "b" }), []);
  assert.deepEqual(await taken(process, { ...facts, session: "t" }), []);
  assert.deepEqual(await taken(restarted(), facts), [quoted]);
  assert.deepEqual(await taken(restarted(), facts), [quoted]);
});

Deno.test("a conversation met without the tool stays without, though its session declares it elsewhere", async () => {
  const process = harness();
  // What is newest where it is met does not pay for the tool.
  const small = talk({ result: "short" }, { result: printed(60) });
  const declared = async (n: number, question: string, on = process) =>
    (await on.talk({ ...small, question })(n, { session: "s" }))
      .declaration.by;
  assert.equal(await declared(1, "main, met midway"), "nobody");
  assert.equal(await declared(0, "subagent"), "proxy");
  assert.equal(await declared(2, "main, met midway"), "nobody");
  const restarted = harness({ store: process.store });
  assert.equal(await declared(2, "main, met midway", restarted), "nobody");
});

Deno.test("compressBody says once why each block stays as it is", async () => {
  const long = "a line that is long enough to be asked about ".repeat(4);
  const after = harness().talk(talk(
    { result: "short" },
    { result: `throw me\n${printed(30)}` },
    { result: printed(2, long) },
  ));
  const reasons: (readonly string[])[] = [];
  for (const n of [1, 2, 3]) reasons.push(reasonsIn((await after(n)).seen));
  assert.deepEqual(reasons, [["too_small"], ["failed"], ["nothing_to_elide"]]);
});

Deno.test("compressBody asks for usage where it may and the client did not, behind all that is sent otherwise", async () => {
  const ADDED = ',"stream_options":{"include_usage":true}';
  const streamed = {
    ...chatClient,
    members: { ...chatClient.members, stream: true },
  };
  for (const n of [0, 1]) {
    const body = bodyOf(streamed, ONE, n);
    const of = (facts: RequestFacts) =>
      harness().send("chat_completions", body, facts);
    const without = await of({});
    assert.equal(without.usageRequest, undefined);
    const asking = await of({ asksUsage: true });
    const sent = text(without.bytes);
    assert.equal(text(asking.bytes), `${sent.slice(0, -1)}${ADDED}}`);
    assert.equal(asking.edits.at(-1), asking.usageRequest);
    const untouched = await of({ asksUsage: true, mode: "passthrough" });
    assert.equal(untouched.bytes, body);
    assert.equal(untouched.usageRequest, undefined);
  }
  const document = await harness().talk(ONE, chatClient)(0, {
    asksUsage: true,
  });
  assert.equal(document.usageRequest, undefined);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { PrefixProof } from "../../src/core/ledger.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import { readAhead } from "../../src/pipeline/sent_prompt.ts";
import {
  bodyOf,
  chatClient,
  CLIENTS,
  type Conversation,
  messagesClient,
  printed,
  responsesClient,
  styledBodyOf,
} from "../conformance/conversation.ts";
import { harness } from "./harness.ts";
import { callOf, type Made } from "./sent_calls.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** The proof of the last of these calls, sent in order. */
function proofOf(...calls: readonly CompressedBody[]): PrefixProof {
  const proofs = makePrefixProofs();
  return calls.map((call) => proofs.prove(call)).at(-1)!;
}

const text = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((n) => printed(n, "line")),
  fc.integer({ min: 1, max: 999 }).map((n) => "a".repeat(n)),
  fc.constantFrom("", 'über "q" \\ \u2028'),
);
const step = fc.record({
  says: fc.option(fc.constantFrom("I look.", "und jetzt?"), { nil: undefined }),
  calls: fc.array(
    fc.record({
      tool: fc.constantFrom("Bash", "Grep", "Read", "fetch_rows"),
      result: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  note: fc.option(fc.constantFrom("go on", "why?"), { nil: undefined }),
});

/** A conversation of several steps. */
const conversation = fc.array(step, { minLength: 3, maxLength: 7 }).map(
  (steps): Conversation => ({
    question: "why did it fail?",
    steps: steps.map(({ says, calls, note }, s) => ({
      ...says !== undefined && { says },
      ...note !== undefined && { note },
      calls: calls.map((call, i) => ({
        ...call,
        id: `call_${s}_${i}`,
        args: { command: `run ${s}` },
      })),
    })),
  }),
);
const style = fc.record({
  indent: fc.constantFrom(undefined, 2),
  ascii: fc.boolean(),
  messagesFirst: fc.boolean(),
});

for (const client of CLIENTS) {
  Deno.test(`${client.id} conversations that grow are always extended, restarts of the pipeline included, and every byte of the prompt counts`, async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        style,
        fc.nat(),
        async (talk, style, n) => {
          let process = harness();
          const proofs = makePrefixProofs();
          const restart = n % talk.steps.length;
          let previous: PrefixProof | undefined;
          for (let n = 0; n <= talk.steps.length; n++) {
            const body = styledBodyOf(client, style)(talk, n);
            if (n === restart) process = harness({ store: process.store });
            const call = await process.send(client.id, body);
            // The same, whether it was read ahead or not.
            if (n % 2 === 0) await readAhead(call);
            const proof = proofs.prove(call)!;
            assert.equal(proof.firstDifference, "");
            assert.equal(proof.verdict, previous ? "extended" : "first");
            assert.equal(proof.equalBytes, proof.previousBytes);
            if (previous) {
              assert(proof.previousBytes > previous.previousBytes);
            }
            previous = proof;
            // The client tries once more.
            const again = await process.send(client.id, body);
            const repeated = proofs.prove(again)!;
            assert.equal(repeated.verdict, "extended");
            assert(repeated.equalBytes <= call.bytes.length);
            assert(repeated.equalBytes > call.bytes.length * 0.6);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  Deno.test(`${client.id} form that changes, comes or goes is ours, at its block`, () => {
    fc.assert(
      fc.property(
        conversation,
        fc.infiniteStream(fc.constantFrom("FORM", undefined)),
        fc.nat(),
        fc.constantFrom("other", "gone", "new"),
        (talk, choices, pick, how) => {
          const body = (n: number) => decoder.decode(bodyOf(client, talk, n));
          const total = talk.steps.length;
          const { blocks } = callOf(client.id, body(total - 1)).scan!;
          if (blocks.length === 0) return;
          const broken = pick % blocks.length;
          const forms: Record<number, string> = {};
          for (const i of blocks.keys()) {
            const form = choices.next().value;
            if (form) forms[i] = form;
          }
          const before = { ...forms };
          const now = { ...forms };
          if (how === "new") delete before[broken];
          else before[broken] = "FORM";
          if (how === "gone") delete now[broken];
          else now[broken] = "OTHER";
          const proof = proofOf(
            callOf(client.id, body(total - 1), { forms: before }),
            callOf(client.id, body(total), { forms: now }),
          );
          assert.equal(proof.verdict, "ours");
          assert(proof.equalBytes < proof.previousBytes);
          const { block, value } = valueAt(body(total), proof.firstDifference);
          assert.equal(block, blocks[broken]!.messageIndex);
          assert.equal(typeof value, "string");
        },
      ),
      { numRuns: 30 },
    );
  });

  Deno.test(`${client.id} conversation that the client changes anywhere is the client's, at the value that it changed`, async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (talk, pick) => {
        const process = harness();
        const total = talk.steps.length;
        const old = bodyOf(client, talk, total - 1);
        const changed = JSON.parse(decoder.decode(bodyOf(client, talk, total)));
        const count = JSON.parse(decoder.decode(old))[client.array].length;
        const leaves = textsOf(changed[client.array].slice(0, count))
          .filter(([index]) => Number(index) > 1);
        if (leaves.length === 0) return;
        const path = leaves[pick % leaves.length]!;
        let parent = changed[client.array];
        for (const key of path.slice(0, -1)) parent = parent[key];
        parent[path.at(-1)!] = `other ${parent[path.at(-1)!]}`;
        const proofs = makePrefixProofs();
        await process.send(client.id, bodyOf(client, talk, 0));
        proofs.prove(await process.send(client.id, old));
        const now = utf8.encode(JSON.stringify(changed));
        const proof = proofs.prove(await process.send(client.id, now))!;
        assert.equal(proof.verdict, "client");
        const pointer = `/${[client.array, ...path].join("/")}`;
        assert.equal(proof.firstDifference, pointer);
        assert(proof.equalBytes < proof.previousBytes);
      }),
      { numRuns: 20 },
    );
  });

  Deno.test(`${client.id} conversation that the client cuts is the client's, at the first element that is gone`, async () => {
    const process = harness();
    const proofs = makePrefixProofs();
    const talk: Conversation = {
      question: "why?",
      steps: [0, 1, 2].map((i) => ({
        calls: [{
          id: `c${i}`,
          tool: "Bash",
          args: { command: "x" },
          result: printed(30, `step ${i}`),
        }],
      })),
    };
    proofs.prove(await process.send(client.id, bodyOf(client, talk, 3)));
    const cut = bodyOf(client, talk, 2);
    const { length } = JSON.parse(decoder.decode(cut))[client.array];
    const proof = proofs.prove(await process.send(client.id, cut))!;
    assert.equal(proof.verdict, "client");
    assert.equal(proof.firstDifference, `/${client.array}/${length}`);
    const back = bodyOf(client, talk, 3);
    const next = proofs.prove(await process.send(client.id, back))!;
    assert.equal(next.verdict, "extended");
  });
}

/** The value at a pointer, and the index of its conversation element. */
function valueAt(body: string, pointer: string) {
  const [, ...keys] = pointer.split("/");
  let value = JSON.parse(body);
  for (const key of keys) value = value[key];
  return { block: Number(keys[1]), value };
}

/** Paths of the strings that a client may change without another meaning of the body. */
function textsOf(value: unknown): readonly (string | number)[][] {
  if (typeof value === "string") return [[]];
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.filter(([key]) => key !== "role" && key !== "type")
    .flatMap(([key, inner]) => textsOf(inner).map((path) => [key, ...path]));
}

// ── what is around the conversation

const TOOL = '{"name":"headroom_retrieve","input_schema":{}}';

/** Body of a messages request. */
function messagesBody(messages: readonly unknown[], members: object = {}) {
  return { ...messagesClient.members, messages, ...members };
}
const QUESTION = { role: "user", content: "why?" };
const CALL = {
  role: "assistant",
  content: [{ type: "tool_use", id: "t", name: "Bash", input: { a: 1 } }],
};
const RESULT = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "t", content: "long result" }],
};
const GOES_ON = [{ role: "assistant", content: "so" }, QUESTION];

/** Verdict and pointer of the second of two messages requests. */
function second(
  [messages, made, members]: [readonly unknown[], Made?, object?],
  [nextMessages, nextMade, nextMembers]: [readonly unknown[], Made?, object?],
) {
  const { verdict, firstDifference } = proofOf(
    callOf("messages", messagesBody(messages, members), made),
    callOf("messages", messagesBody(nextMessages, nextMembers), nextMade),
  );
  return [verdict, firstDifference];
}

Deno.test("a definition of our tool that changes, comes or goes is ours", () => {
  const one = { definition: TOOL };
  const tools = messagesClient.members["tools"] as readonly object[];
  const [first, next] = [[QUESTION], [QUESTION, ...GOES_ON]];
  assert.deepEqual(second([first, one], [next, one]), ["extended", ""]);
  const other = { definition: TOOL.replace("{}", '{"x":1}') };
  assert.deepEqual(
    second([first, one], [next, other]),
    ["ours", `/tools/${tools.length}/input_schema`],
  );
  assert.deepEqual(second([first, one], [next]), ["ours", "/tools"]);
  assert.deepEqual(second([first], [next, one]), ["ours", "/tools"]);
});

Deno.test("a tool that the client adds, changes or takes away is the client's, whatever becomes of ours", () => {
  const one = { definition: TOOL };
  const tools = messagesClient.members["tools"] as readonly object[];
  const talk = [QUESTION, CALL, RESULT];
  const longer = { tools: [...tools, { name: "New", input_schema: {} }] };
  assert.deepEqual(
    second([[QUESTION], one], [talk, one, longer]),
    ["client", `/tools/${tools.length}/name`],
  );
  assert.deepEqual(
    second([talk, { ...one, forms: { 0: "F" } }], [talk, {}, { tools: [] }]),
    ["client", "/tools"],
  );
  assert.deepEqual(
    second([talk, { ...one, forms: { 0: "F" } }], [talk, {}, {
      tools: undefined,
    }]),
    ["client", "/tools"],
  );
  const renamed = { tools: [{ ...tools[0], name: "B" }, ...tools.slice(1)] };
  assert.deepEqual(
    second([[QUESTION], one], [talk, one, renamed]),
    ["client", "/tools/0/name"],
  );
});

Deno.test("a tool definition that the upstream refuses leaves nothing to compare with", () => {
  const proofs = makePrefixProofs();
  const body = messagesBody([QUESTION]);
  const call = callOf("messages", body, { definition: TOOL });
  proofs.prove(call);
  proofs.sentAsItCame(call);
  const next = messagesBody([QUESTION, ...GOES_ON]);
  const without = callOf("messages", next, { undeclared: "tool_refused" });
  assert.equal(proofs.prove(without)?.verdict, "extended");
  const elsewhere = makePrefixProofs();
  elsewhere.prove(call);
  assert.equal(elsewhere.prove(without)?.verdict, "first");
});

Deno.test("system and other members of the prompt must stay; the rest of the body may change", () => {
  const next = [QUESTION, ...GOES_ON];
  assert.deepEqual(
    second([[QUESTION]], [next, {}, {
      model: "other",
      max_tokens: 7,
      temperature: 0.1,
      stream: true,
      metadata: { user_id: "x" },
    }]),
    ["extended", ""],
  );
  assert.deepEqual(
    second([[QUESTION]], [next, {}, {
      system: [{ type: "text", text: "You are another agent." }],
    }]),
    ["client", "/system/0/text"],
  );
  assert.deepEqual(
    second([[QUESTION]], [next, {}, { system: undefined }]),
    ["client", "/system"],
  );
  assert.deepEqual(
    second([[QUESTION], {}, { system: undefined }], [next]),
    ["client", "/system"],
  );
});

Deno.test("the order and the spacing of members do not matter", () => {
  const body = messagesBody([QUESTION, CALL, RESULT]);
  const made = { forms: { 0: "F" }, definition: TOOL };
  const reordered = Object.fromEntries(Object.entries(body).reverse());
  const proof = proofOf(
    callOf("messages", body, made),
    callOf("messages", JSON.stringify(reordered, null, 1), made),
  );
  assert.equal(proof.verdict, "extended");
  assert.equal(proof.equalBytes, proof.previousBytes);
});

Deno.test("a difference of ours is found behind what the client changed in another member", () => {
  const made = (form: string) => ({ forms: { 0: form } });
  const talk = [QUESTION, CALL, RESULT];
  const system = { system: "v2" };
  assert.deepEqual(
    second([talk, made("F")], [talk, made("F"), system]),
    ["client", "/system"],
  );
  assert.deepEqual(
    second([talk, made("F")], [talk, made("G"), system]),
    ["ours", "/messages/2/content/0/content"],
  );
});

Deno.test("a difference of ours before what the client changed in the same conversation is ours", () => {
  const made = (form: string) => ({ forms: { 0: form } });
  const talk = [QUESTION, CALL, RESULT, ...GOES_ON];
  const edited = [...talk.slice(0, 3), { role: "assistant", content: "no" }];
  assert.deepEqual(
    second([talk, made("F")], [edited, made("F")]),
    ["client", "/messages/3/content"],
  );
  assert.deepEqual(
    second([talk, made("F")], [edited, made("G")]),
    ["ours", "/messages/2/content/0/content"],
  );
});

Deno.test("marks of the cache may come, go and turn a text into a part, in messages, tools and system", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const made = { forms: { 0: "F" }, definition: TOOL };
  const marked = (text: string) => [{ type: "text", text, ...mark }];
  const tools = messagesClient.members["tools"] as readonly object[];
  const first = [
    QUESTION,
    CALL,
    { ...RESULT, content: [{ ...RESULT.content[0], ...mark }] },
  ];
  const next = [
    { ...QUESTION, content: marked("why?") },
    { ...CALL, content: [{ ...CALL.content[0], ...mark }] },
    RESULT,
    { role: "assistant", content: "so" },
  ];
  const last = [QUESTION, CALL, RESULT, next[3], {
    ...QUESTION,
    content: marked("why?"),
  }];
  const moved = {
    tools: tools.map((tool) => ({ ...tool, ...mark })),
    system: "You are an agent.",
  };
  const proofs = makePrefixProofs();
  const prove = (messages: readonly unknown[], members?: object) =>
    proofs.prove(callOf("messages", messagesBody(messages, members), made))!;
  assert.equal(prove(first).verdict, "first");
  for (const proof of [prove(next, moved), prove(last), prove(last, moved)]) {
    assert.equal(proof.verdict, "extended", proof.firstDifference);
    assert.equal(proof.equalBytes, proof.previousBytes);
  }
});

Deno.test("a mark moves at random and nothing is taken for a difference", () => {
  fc.assert(
    fc.property(conversation, fc.nat(), fc.nat(), (talk, one, other) => {
      const body = (n: number, pick: number) => {
        const value = JSON.parse(decoder.decode(
          bodyOf(messagesClient, talk, n),
        ));
        const { messages } = value;
        const message = messages[pick % messages.length];
        if (typeof message.content === "string") {
          message.content = [{ type: "text", text: message.content }];
        }
        const part = message.content[pick % message.content.length];
        part.cache_control = { type: "ephemeral" };
        return callOf("messages", value, { forms: { 0: "F" } });
      };
      const total = talk.steps.length;
      const { verdict } = proofOf(body(total - 1, one), body(total, other));
      assert.equal(verdict, "extended");
    }),
    { numRuns: 30 },
  );
});

// ── decisions and retrievals

Deno.test("what an extension changes late is decided; what the client changes beside it is the client's", () => {
  const before = [QUESTION, CALL, RESULT];
  const [extended, ...rest] = [{ ...QUESTION, content: "redacted" }, CALL];
  const next = [extended, ...rest, RESULT, ...GOES_ON];
  const made = { extended: "redacted" };
  assert.deepEqual(second([before], [next, made]), [
    "decided",
    "/messages/0/content",
  ]);
  assert.deepEqual(second([before], [next]), ["client", "/messages/0/content"]);
  const other = [QUESTION, { ...CALL, role: "user" }, RESULT];
  assert.equal(second([before], [other, { extended: "Read" }])[0], "client");
});

Deno.test("older blocks that get forms on purpose are decided; one that changes before them is ours", () => {
  const another = {
    ...CALL,
    content: [{ ...CALL.content[0], id: "u" }],
  };
  const result = {
    ...RESULT,
    content: [{ ...RESULT.content[0], tool_use_id: "u" }],
  };
  const talk = [QUESTION, CALL, RESULT, another, result];
  const next = [...talk, ...GOES_ON];
  assert.deepEqual(
    second([talk], [next, { forms: { 1: "F" }, decided: [1] }]),
    ["decided", "/messages/4/content/0/content"],
  );
  assert.deepEqual(
    second([talk], [next, { forms: { 0: "E", 1: "F" }, decided: [1] }]),
    ["ours", "/messages/2/content/0/content"],
  );
  assert.deepEqual(
    second([talk], [next, { forms: { 1: "F" } }]),
    ["ours", "/messages/4/content/0/content"],
  );
});

const ROUND = JSON.stringify({ role: "assistant", content: "asks" }) + "," +
  JSON.stringify({ role: "user", content: "is answered" });

Deno.test("an answered retrieval must stay where it was put back", () => {
  const talk = [QUESTION, ...GOES_ON];
  const next = [...talk, ...GOES_ON];
  const put = { turns: { 1: ROUND } };
  assert.deepEqual(second([talk, put], [next, put]), ["extended", ""]);
  assert.deepEqual(second([talk, put], [next]), [
    "ours",
    "/messages/1/content",
  ]);
  assert.deepEqual(second([talk], [next, put]), [
    "ours",
    "/messages/1/content",
  ]);
  const other = { turns: { 1: ROUND.replace("is answered", "is told") } };
  assert.deepEqual(
    second([talk, put], [next, other]),
    ["ours", "/messages/2/content"],
  );
});

Deno.test("an answered retrieval whose turn the client changed or dropped is the client's", () => {
  const talk = [QUESTION, ...GOES_ON];
  const put = { turns: { 1: ROUND } };
  const edited = [QUESTION, { role: "assistant", content: "no" }, QUESTION];
  const [verdict, pointer] = second([talk, put], [[...edited, ...GOES_ON]]);
  assert.equal(verdict, "client");
  assert.equal(pointer, "/messages/1/content");
  assert.deepEqual(second([talk, put], [[QUESTION]]), [
    "client",
    "/messages/1",
  ]);
});

Deno.test("what further rounds added is to be there once the conversation goes on", () => {
  const proofs = makePrefixProofs();
  const begin = () => {
    const call = callOf("messages", messagesBody([QUESTION]));
    proofs.prove(call);
    proofs.wentOn(call, utf8.encode(ROUND));
  };
  const prove = (messages: readonly unknown[], made?: Made) =>
    proofs.prove(callOf("messages", messagesBody(messages), made))!;
  begin();
  const put = prove([QUESTION, ...GOES_ON], { turns: { 1: ROUND } });
  assert.equal(put.verdict, "extended");
  assert.equal(put.equalBytes, put.previousBytes);
  begin();
  assert.equal(prove([QUESTION]).verdict, "extended", "the same again");
  begin();
  const kept = prove([QUESTION, ...GOES_ON]);
  assert.deepEqual(
    [kept.verdict, kept.firstDifference],
    ["client", "/messages/1"],
  );
  assert(kept.equalBytes < kept.previousBytes);
});

Deno.test("rounds of a call are not noted for the one that left after it", () => {
  const proofs = makePrefixProofs();
  const first = callOf("messages", messagesBody([QUESTION]));
  proofs.prove(first);
  proofs.prove(callOf("messages", messagesBody([QUESTION])));
  proofs.wentOn(first, utf8.encode(ROUND));
  const next = callOf("messages", messagesBody([QUESTION, ...GOES_ON]));
  assert.equal(proofs.prove(next)?.verdict, "extended");
});

// ── other conversations

Deno.test("a conversation that the provider keeps is compared by what is sent again", () => {
  const { instructions, tools } = responsesClient.members;
  const body = (input: unknown, members: object) => ({
    model: "gpt-5",
    instructions,
    tools,
    input,
    ...members,
  });
  const proofs = makePrefixProofs();
  const prove = (input: unknown, members: object = {}) =>
    proofs.prove(callOf("responses", body(input, members)))!;
  prove("why?");
  const continued = { previous_response_id: "resp_1" };
  const item = [{ role: "user", content: "and now?" }];
  const next = prove(item, continued);
  assert.equal(next.verdict, "extended");
  assert.equal(next.equalBytes, next.previousBytes);
  assert.deepEqual(
    prove(item, { ...continued, instructions: "Other." }).firstDifference,
    "/instructions",
  );
  assert.equal(prove(item).verdict, "first", "nothing says what stood before");
});

Deno.test("an input that was a text goes on as a list, with or without rounds between", () => {
  const first = callOf("responses", { input: "w\\hy?" });
  const message = (text: string) => ({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text }],
  });
  const answer = { role: "assistant", content: "so" };
  const next = (text: string) =>
    callOf("responses", { input: [message(text), answer, message("and?")] });
  assert.equal(proofOf(first, next("w\\hy?")).verdict, "extended");
  const other = proofOf(first, next("who?"));
  assert.deepEqual([other.verdict, other.firstDifference], [
    "client",
    "/input",
  ]);
  const proofs = makePrefixProofs();
  proofs.prove(first);
  proofs.wentOn(first, utf8.encode(ROUND));
  const put = callOf(
    "responses",
    { input: [message("w\\hy?"), answer] },
    { turns: { 1: ROUND } },
  );
  assert.equal(proofs.prove(put)?.verdict, "extended");
});

Deno.test("a schema for the answer belongs to the prompt of chat completions", () => {
  const body = (name: string) => ({
    ...chatClient.members,
    messages: [{ role: "user", content: "why?" }],
    response_format: { type: "json_schema", json_schema: { name } },
  });
  const proof = proofOf(
    callOf("chat_completions", body("a")),
    callOf("chat_completions", body("b")),
  );
  assert.deepEqual(
    [proof.verdict, proof.firstDifference],
    ["client", "/response_format/json_schema/name"],
  );
});

Deno.test("a pointer holds no key that is anybody's text", () => {
  const call = (value: string) => ({
    ...CALL,
    content: [{
      ...CALL.content[0],
      input: { "My secret plan": { x: value } },
    }],
  });
  assert.deepEqual(
    second([[QUESTION, call("a")]], [[QUESTION, call("b")]]),
    ["client", "/messages/1/content/0/input"],
  );
});

Deno.test("prove judges no body without a conversation", () => {
  const { prove } = makePrefixProofs();
  const call = callOf("messages", messagesBody([QUESTION]));
  assert.equal(prove({ ...call, scan: undefined }), undefined);
  assert.equal(prove({ ...call, conversation: undefined }), undefined);
});

Deno.test("what was used longest ago is forgotten at the bound of bytes and of conversations", () => {
  const call = (name: string) => ({
    ...callOf("messages", messagesBody([QUESTION])),
    conversation: name as CompressedBody["conversation"],
  });
  const size = call("a").bytes.length;
  for (
    const options of [{ maxBytes: 2 * size + 1 }, { maxConversations: 2 }]
  ) {
    const { prove } = makePrefixProofs(options);
    const verdicts = ["a", "b", "a", "c", "b", "c"].map((name) =>
      prove(call(name))!.verdict
    );
    assert.deepEqual(verdicts, [
      "first",
      "first",
      "extended",
      "first",
      "first",
      "extended",
    ]);
  }
});

Deno.test("a role, type or id that the client changes behind a result is the client's, whatever is sent for the result then", async () => {
  const talk: Conversation = {
    question: "why?",
    steps: [0, 1].map((i) => ({
      says: `I look ${i}.`,
      calls: [{
        id: `c${i}`,
        tool: "Bash",
        args: { command: `x${i}` },
        result: printed(50, `w${i}`),
      }],
    })),
  };
  type Element = Record<string, unknown>;
  const changes: ((element: Element) => void)[] = [
    (element) => element["role"] = "usr",
    (element) => element["role"] = "assistant",
    (element) => element["type"] = "other",
    (element) => element["tool_call_id"] = element["call_id"] = "another",
    (element) => delete element["role"],
  ];
  for (const client of CLIENTS) {
    // What names a block stands behind it.
    const reversed = (n: number, change?: (element: Element) => void) => {
      const body = JSON.parse(decoder.decode(bodyOf(client, talk, n)));
      const elements = body[client.array] as Element[];
      change?.(elements.at(-1)!);
      body[client.array] = elements.map((element) =>
        Object.fromEntries(Object.entries(element).reverse())
      );
      return utf8.encode(JSON.stringify(body));
    };
    for (const change of changes) {
      const { send } = harness();
      const proofs = makePrefixProofs();
      const bodies = [
        ...[0, 1, 2].map((n) => reversed(n)),
        reversed(2, change),
        reversed(2),
      ];
      for (const body of bodies) {
        const proof = proofs.prove(await send(client.id, body));
        assert.notEqual(proof?.verdict, "ours", `${client.id} ${change}`);
      }
    }
  }
});

Deno.test("a form that changes is ours, also where the client changes another value behind it", async () => {
  const { send } = harness();
  const proofs = makePrefixProofs();
  const talk = (note: string): Conversation => ({
    question: "why?",
    steps: [{
      calls: [{ id: "c", tool: "Bash", args: {}, result: printed(50, "w") }],
      note,
    }],
  });
  await send("messages", bodyOf(messagesClient, talk("go on"), 0));
  const call = await send("messages", bodyOf(messagesClient, talk("go on"), 1));
  proofs.prove(call);
  const next = await send("messages", bodyOf(messagesClient, talk("stop"), 1));
  const without = { ...next, bytes: next.body, edits: [] };
  assert.equal(proofs.prove(without)?.verdict, "ours");
});

Deno.test("remember compares with what was sent before it, though another request left before it is asked", async () => {
  const { send } = harness();
  const proofs = makePrefixProofs();
  const talk = (question: string, n: number): Conversation => ({
    question,
    steps: Array.from({ length: n }, (_, i) => ({
      says: `step ${i}`,
      calls: [{ id: `c${i}`, tool: "Bash", args: {}, result: printed(9, "w") }],
    })),
  });
  const calls = await Promise.all(
    [1, 2, 3].map((n) =>
      send("messages", bodyOf(messagesClient, talk("why?", n), n))
    ),
  );
  const asked = calls.map((call) => proofs.remember(call));
  const inOrder = makePrefixProofs();
  const proved = calls.map((call) => inOrder.prove(call));
  assert.deepEqual(asked.toReversed().map((ask) => ask()), proved.toReversed());
  assert.deepEqual(proved.map((proof) => proof?.verdict), [
    "first",
    "extended",
    "extended",
  ]);
});

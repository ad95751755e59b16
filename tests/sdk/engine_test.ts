import assert from "node:assert/strict";
import { compressMessages, type EngineCall } from "../../src/sdk/engine.ts";
import { shapeOf } from "../../src/sdk/shapes/registry.ts";
import type { MessageShape, Slot } from "../../src/sdk/shape.ts";
import { CLIENTS, printed } from "../conformance/conversation.ts";
import { harness } from "../pipeline/harness.ts";
import { engineOf } from "./fake_engine.ts";
import { talk } from "./conversations.ts";

function callOf<M>(
  messages: readonly M[],
  parts: Partial<EngineCall<M>> = {},
): EngineCall<M> {
  return {
    messages,
    shape: shapeOf([], "anthropic"),
    options: { model: "m", protectRecent: 0 },
    isSimulation: false,
    signal: new AbortController().signal,
    ...parts,
  };
}

/** A shape whose messages hold `say` or `got`; what was got is JSON. */
const ownShape: MessageShape = {
  id: "google",
  tells: () => true,
  shadow(messages) {
    const slots = new Map<string, Slot>();
    const shadow = messages.map((message, i) => {
      const { say, got } = message as { say?: string; got?: unknown };
      if (got === undefined) return { role: "user", content: say };
      slots.set(`/${i}/content/0/content`, {
        path: [i, "got"],
        value: (text) => ({ shortened: text }),
      });
      const content = JSON.stringify(got, null, 1);
      return {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `c${i}`, content }],
      };
    });
    return { format: "messages", messages: shadow, slots };
  },
};

Deno.test("compressMessages puts forms where the shadow's slots say, as they make them", async () => {
  const messages = [{ say: "why?" }, { got: printed(50).split("\n"), kept: 1 }];
  const { messages: made, report } = await compressMessages<unknown>(
    engineOf(),
    callOf<unknown>(messages, { shape: ownShape }),
  );
  assert.equal(made[0], messages[0]);
  const { got, kept } = made[1] as { got: { shortened: string }; kept: number };
  assert.equal(kept, 1);
  assert.match(got.shortened, /^\[\n… lines 2-51 omitted\n\]\n\[52 lines/);
  assert.equal(report.hashes.length, 1);
  assert(Array.isArray(messages[1]!.got));
});

Deno.test("compressMessages replaces nothing that has no slot, and says so in its figures", async () => {
  const noSlots: MessageShape = {
    ...ownShape,
    shadow: (messages) => ({
      ...ownShape.shadow(messages),
      slots: new Map(),
    }),
  };
  const messages = [{ got: printed(50).split("\n") }];
  const result = await compressMessages(
    engineOf(),
    callOf(messages, { shape: noSlots }),
  );
  assert.equal(result.messages[0], messages[0]);
  const { tokensBefore, tokensAfter, hashes, transforms } = result.report;
  assert(tokensBefore > 0);
  assert.equal(tokensAfter, tokensBefore);
  assert.deepEqual([hashes, transforms], [[], {}]);
});

Deno.test("compressMessages leaves a text alone that JSON writes otherwise than it stands there", async () => {
  const result = (content: unknown) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c", content }],
  });
  const messages = [
    { toJSON: () => result(printed(50)), content: printed(3) },
    result({ toJSON: () => printed(60) }),
    result(printed(70)),
  ];
  const { messages: made } = await compressMessages<unknown>(
    engineOf(),
    callOf<unknown>(messages),
  );
  const same = made.map((message, i) => message === messages[i]);
  assert.deepEqual(same, [true, true, false]);
});

Deno.test("compressMessages keeps members that JSON drops or changes, beside a text that it replaces", async () => {
  const text = printed(50);
  const block = {
    type: "tool_result",
    tool_use_id: "c",
    content: text,
    at: new Date(0),
    big: 12345678901234567890n,
    none: undefined,
    call: () => 7,
  };
  const [made] = (await compressMessages(
    engineOf(),
    callOf([{ role: "user", content: [block] }]),
  )).messages;
  const { content, ...rest } = made!.content[0]!;
  assert.notEqual(content, text);
  const { content: _, ...expected } = block;
  assert.deepEqual(rest, expected);
  assert.equal(rest.at, block.at);
});

Deno.test("compressMessages gives messages back as they were where no format reads them, counted", async () => {
  const messages = [{ no: "role" }];
  const result = await compressMessages(engineOf(), callOf(messages));
  assert.equal(result.failed, "unscannable");
  assert.deepEqual(result.messages, messages);
  assert.equal(result.report.tokensBefore, 1);
});

Deno.test("compressMessages remembers nothing of a simulation", async () => {
  const process = harness();
  const elements = CLIENTS[0]!.elements(talk(printed(50)), 1);
  const engine = engineOf(process);
  const simulated = await compressMessages(
    engine,
    callOf(elements, { isSimulation: true }),
  );
  assert.equal(process.store.stats().entries, 0);
  assert.deepEqual(simulated.breakdown, { "router:log": 1 });
  const done = await compressMessages(engine, callOf(elements));
  assert.deepEqual(simulated.messages, done.messages);
  assert.equal(process.store.stats().entries, 1);
});

Deno.test("compressMessages hands the caller's question and the conversation's name on", async () => {
  const queries: string[] = [];
  const process = harness();
  const { decide } = process.parts;
  const parts = {
    ...process.parts,
    decide: (jobs: Parameters<typeof decide>[0]) => {
      queries.push(...jobs.map(({ query }) => query));
      return decide(jobs);
    },
  };
  const elements = CLIENTS[0]!.elements(talk(printed(50)), 1);
  await compressMessages(
    { ...engineOf(), compression: parts },
    callOf(elements, {
      options: { model: "m", query: "line 7", conversation: "one" },
    }),
  );
  assert.equal(queries[0], 'line 7\nwhy?\n{"command":"x"}');
});

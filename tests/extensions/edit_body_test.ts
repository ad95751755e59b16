import assert from "node:assert/strict";
import fc from "fast-check";
import { ccrKey } from "../../src/ccr/key.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import type {
  PipelineEdit,
  PipelineMessage,
} from "../../src/core/pipeline_event.ts";
import type { CcrStore, ConversationKey } from "../../src/core/store.ts";
import { BodyEditor } from "../../src/extensions/edit_body.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import { bodyOf, CLIENTS } from "../conformance/conversation.ts";
import { FORMATS } from "../pipeline/harness.ts";

const clock = { now: () => 1e12, monotonic: () => 0 };
const utf8 = new TextEncoder();
const decoder = new TextDecoder();

type Ask = (messages: readonly PipelineMessage[]) => readonly PipelineEdit[];

/** An editor whose extension is `ask`, and what that was asked. */
function rig(
  ask: Ask,
  store: CcrStore = openMemoryStore({ ttlSeconds: 60, clock, log: () => {} }),
) {
  const asked: PipelineMessage[][] = [];
  const attempt = makeAttempt(() => {});
  const editor = new BodyEditor({
    ask: ({ messages }) => {
      const shown = JSON.parse(messages);
      asked.push(shown);
      return Promise.resolve(ask(shown));
    },
    store,
    keyOf: ccrKey,
    attempt,
    clock,
    pause: () => Promise.resolve(),
  });
  const edit = async (
    body: string | Uint8Array,
    { format = "chat_completions", mayAsk = true, conversation = "c" } = {},
  ) =>
    decoder.decode((await made(body, { format, mayAsk, conversation })).body);
  const made = (
    body: string | Uint8Array,
    { format = "chat_completions", mayAsk = true, conversation = "c" } = {},
  ) =>
    editor.edited({
      body: typeof body === "string" ? utf8.encode(body) : body,
      format: FORMATS[format]!,
      originOf: () => conversation as ConversationKey,
      mayAsk,
    });
  return { edit, made, asked, store, attempt };
}

/** Empty texts instead of none beside tool calls. */
const noNull: Ask = (messages) =>
  messages.flatMap(({ content, tool_calls }, i) =>
    content === null && tool_calls
      ? [{ path: ["messages", i, "content"], text: "" }]
      : []
  );

const CALL =
  `{"role":"assistant","content": null ,"tool_calls":[{"id":"a","type":"function","function":{"name":"Bash","arguments":"{}"}}]}`;
const body = (...messages: string[]) =>
  `{ "model":"m","n":1.0, "messages" : [${messages.join(" , ")}] }`;
const HI = `{"role":"user","content":"Hi \\u00e9"}`;
const RESULT = `{"role":"tool","tool_call_id":"a","content":"1.0"}`;

Deno.test("BodyEditor replaces values, and no other byte", async () => {
  const { edit, asked } = rig(noNull);
  assert.equal(
    await edit(body(HI, CALL, RESULT)),
    body(HI, CALL.replace("null", '""'), RESULT),
  );
  assert.deepEqual(asked, [[HI, CALL, RESULT].map((text) => JSON.parse(text))]);
});

Deno.test("BodyEditor shows each message of a conversation once, and repeats what was answered", async () => {
  let n = 0;
  const { edit, asked } = rig((messages) =>
    messages.map((_, i) => ({
      path: ["messages", i, "content"],
      text: `answer ${n++}`,
    }))
  );
  const first = await edit(body(HI));
  assert.equal(first, body(`{"role":"user","content":"answer 0"}`));
  const marked = HI.replace("}", `,"cache_control":{"type":"ephemeral"}}`);
  assert.match(await edit(body(marked, RESULT)), /answer 0.*answer 1/);
  assert.equal(await edit(body(HI)), first);
  assert.deepEqual(asked.map(({ length }) => length), [1, 1]);
  assert.match(await edit(body(HI), { conversation: "d" }), /answer 2/);
});

Deno.test("BodyEditor repeats answers after a restart, also that there were none", async () => {
  const before = rig(noNull);
  const sent = await before.edit(body(HI, CALL));
  const after = rig(
    (messages) =>
      messages.map((_, i) => ({
        path: ["messages", i, "content"],
        text: "other",
      })),
    before.store,
  );
  assert.equal(await after.edit(body(HI, CALL)), sent);
  assert.deepEqual(after.asked, []);
  assert.match(await after.edit(body(HI, CALL, RESULT)), /"other"/);
});

Deno.test("BodyEditor says what it changes before messages that are known", async () => {
  const { made } = rig(noNull);
  assert.equal((await made(body(CALL, RESULT))).extended, undefined);
  const later = CALL.replace('"a"', '"b"');
  const { body: bytes, extended = [] } = await made(body(CALL, later, RESULT));
  assert.deepEqual(
    extended.map(({ start, end }) => decoder.decode(bytes.slice(start, end))),
    ['""'],
  );
  assert.ok(extended[0]!.start > decoder.decode(bytes).indexOf('"b"') - 60);
  const again = await made(body(CALL, later, RESULT, HI));
  assert.equal(again.extended, undefined);
});

Deno.test("BodyEditor lets the process win that was first", async () => {
  const { store } = rig(() => []);
  const says = (text: string): Ask => () => [{
    path: ["messages", 0, "content"],
    text,
  }];
  const [a, b] = [rig(says("a"), store), rig(says("b"), store)];
  const both = await Promise.all([a.edit(body(HI)), b.edit(body(HI))]);
  assert.equal(both[0], both[1]);
});

Deno.test("BodyEditor asks nothing for a question about a conversation, and repeats what holds", async () => {
  const { edit, asked } = rig(noNull);
  const isPreview = { mayAsk: false };
  assert.equal(await edit(body(CALL), isPreview), body(CALL));
  const sent = await edit(body(CALL));
  assert.equal(await edit(body(CALL), isPreview), sent);
  assert.equal(asked.length, 1);
});

Deno.test("BodyEditor sends the body as it came where anything fails", async () => {
  const thrown = rig(() => {
    throw new Error("gone");
  });
  assert.equal(await thrown.edit(body(HI)), body(HI));
  assert.equal(thrown.attempt.failures.get("ask_extensions"), 1);
  const { edit } = rig(noNull);
  for (const text of ["{", "[]", `{"messages":"x"}`]) {
    assert.equal(await edit(text), text);
  }
  const store = openMemoryStore({ ttlSeconds: 60, clock, log: () => {} });
  const full = rig(noNull, {
    ...store,
    forms: (keys) => store.forms(keys),
    write: () => Promise.reject(new Error("full")),
  });
  assert.equal(await full.edit(body(CALL)), body(CALL), "not without its row");
});

Deno.test("BodyEditor leaves out an edit whose place holds no text", async () => {
  for (
    const path of [
      ["messages", 0],
      ["messages", 0, "role", "x"],
      ["messages", 0, "content", 0],
      ["messages", 0, "tool_calls"],
      ["messages", 7, "content"],
    ]
  ) {
    const { edit } = rig(() => [{ path, text: "x" }]);
    assert.equal(await edit(body(CALL)), body(CALL), path.join("."));
  }
});

Deno.test("BodyEditor makes of a long body that goes on what it makes of one that it never saw", async () => {
  const long = `{"role":"user","content":"${"word ".repeat(5000)}"}`;
  const calls = ["a", "b", "c", "d"].map((id) =>
    CALL.replace('"a"', `"${id}"`)
  );
  const { edit, asked, store } = rig(noNull);
  for (let n = 0; n <= calls.length; n++) {
    const now = body(long, ...calls.slice(0, n));
    const sent = await edit(now);
    assert.equal(sent, now.replaceAll(" null ", ' "" '));
    assert.equal(await rig(noNull, store).edit(now), sent);
  }
  assert.deepEqual(asked.map(({ length }) => length), [1, 1, 1, 1, 1]);
  const other = { conversation: "d" };
  assert.equal(
    await edit(body(long, ...calls), other),
    body(long, ...calls).replaceAll(" null ", ' "" '),
  );
  assert.equal(asked.at(-1)!.length, 5, "another conversation is asked about");
});

/** Paths of all texts of a message. */
function textsOf(value: unknown): readonly (readonly (string | number)[])[] {
  if (typeof value === "string" || value === null) return [[]];
  if (typeof value !== "object") return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((one, i) => [i, one])
    : Object.entries(value as object);
  return entries.flatMap(([key, inner]) =>
    textsOf(inner).map((path) => [key, ...path])
  );
}

for (const client of CLIENTS) {
  Deno.test(`BodyEditor never changes what it sent before: ${client.id}`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.boolean()), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.nat(),
        async (requests, seed) => {
          const store = openMemoryStore({
            ttlSeconds: 60,
            clock,
            log: () => {},
          });
          let n = seed;
          const start = () =>
            rig(
              (messages) =>
                messages.flatMap((message, i) => {
                  const paths = textsOf(message);
                  const path = paths[n++ % Math.max(1, paths.length)];
                  return path === undefined || n % 3 === 0 ? [] : [{
                    path: ["messages", i, ...path],
                    text: `edit ${n}`,
                  }];
                }),
              store,
            );
          let { edit } = start();
          const seen = new Map<number, string>();
          const talk = {
            question: "why?",
            steps: ["a", "b", "c", "d"].map((id) => ({
              calls: [{ id, tool: "Bash", args: { command: id }, result: id }],
            })),
          };
          for (const [steps, isRestarted] of requests) {
            if (isRestarted) ({ edit } = start());
            const sent = await edit(bodyOf(client, talk, steps), {
              format: client.id,
            });
            const elements = JSON.parse(sent)[client.array] as unknown[];
            for (const [i, element] of elements.entries()) {
              const text = JSON.stringify(element);
              assert.equal(seen.get(i) ?? text, text);
              seen.set(i, text);
            }
          }
        },
      ),
      { numRuns: 40 },
    ));
}

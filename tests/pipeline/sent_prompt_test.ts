import assert from "node:assert/strict";
import { splice } from "../../src/bytes/splice.ts";
import {
  editAt,
  reachAt,
  type SentPrompt,
  sentPrompt,
} from "../../src/pipeline/sent_prompt.ts";
import { callOf } from "./sent_calls.ts";

const decoder = new TextDecoder();
const BODY = {
  messages: [
    { role: "user", content: "why?" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "B" }] },
    {
      role: "user",
      content: [{
        type: "tool_result",
        tool_use_id: "t",
        content: "long result",
      }],
    },
    { role: "assistant", content: "so" },
  ],
  system: "You are an agent.",
  tools: [{ name: "B" }],
};
const MADE = {
  forms: { 0: "F" },
  definition: '{"name":"ours"}',
  turns: { 3: '{"role":"user","content":"put back"}' },
};

/** The texts of the members and of what begins at each known element. */
function read({ bytes, members, starts }: SentPrompt["sent"]) {
  const text = decoder.decode(bytes);
  return {
    members: members.map(({ name, span }) => [
      name,
      JSON.parse(text.slice(span.start, span.end)),
    ]),
    elements: [...starts].map((start) => text.slice(start, start + 9)),
  };
}

Deno.test("sentPrompt finds members and elements where they stand in the sent body: tools first, the conversation last", () => {
  const { sent, received } = sentPrompt(callOf("messages", BODY, MADE))!;
  const { members, elements } = read(sent);
  assert.deepEqual(members.map(([name]) => name), [
    "tools",
    "system",
    "messages",
  ]);
  assert.deepEqual(members[0]![1], [{ name: "B" }, { name: "ours" }]);
  assert.equal(members[2]![1].length, 5);
  assert.equal(members[2]![1][2].content[0].content, "F");
  assert.deepEqual(elements, Array(4).fill('{"role":"'));
  assert.equal(sent.hasAllStarts, false);
  assert.deepEqual(read(received).members[2]![1], BODY.messages);
  assert.equal(received.hasAllStarts, true);
});

Deno.test("sentPrompt holds one body only where nothing was edited", () => {
  const call = callOf("messages", BODY);
  const { sent, received, edits, tools } = sentPrompt(call)!;
  assert.equal(sent, received);
  assert.equal(sent.bytes, call.body);
  assert.deepEqual(edits, []);
  assert.equal(tools, "tools");
});

Deno.test("sentPrompt says why nobody declared the tool", () => {
  const undeclared = sentPrompt(
    callOf("messages", BODY, { undeclared: "off" }),
  );
  assert.equal(undeclared!.undeclared, "off");
  assert.equal(sentPrompt(callOf("messages", BODY, MADE))!.undeclared, "");
});

Deno.test("sentPrompt takes no body without a conversation that it could compare", () => {
  const call = callOf("messages", BODY);
  assert.equal(sentPrompt({ ...call, scan: undefined }), undefined);
  const scan = { ...call.scan!, prompt: call.scan!.prompt.slice(1) };
  assert.equal(sentPrompt({ ...call, scan }), undefined);
});

Deno.test("editAt and reachAt lead from the sent body to the received one", () => {
  const prompt = sentPrompt(callOf("messages", BODY, MADE))!;
  const [sent, received] = [prompt.sent, prompt.received]
    .map(({ bytes }) => decoder.decode(bytes));
  const reach = (text: string) => reachAt(prompt, sent!.indexOf(text));
  assert.equal(reach("why?"), received!.indexOf("why?"));
  assert.equal(reach('"so"'), received!.indexOf('"so"'));
  assert.equal(reach("You are"), received!.indexOf("You are"));
  const block = '"long result"';
  assert.equal(reach('"F"'), received!.indexOf(block) + block.length);
  assert.equal(reach('{"name":"ours"}'), received!.lastIndexOf("]"));
  const end = received!.indexOf('],"system"');
  assert.equal(reach("put back"), end, "as far as the turn behind it");
  assert.equal(editAt(prompt.edits, sent!.indexOf('"so"')), undefined);
  assert.equal(
    editAt(prompt.edits, sent!.indexOf('"F"'))?.from,
    received!.indexOf(block),
  );
});

Deno.test("sentPrompt notes the places of older blocks only, when some were decided", () => {
  const decided = sentPrompt(
    callOf("messages", BODY, { forms: { 0: "F" }, decided: [0] }),
  )!;
  const from = decided.edits[0]!.from;
  assert.deepEqual([...decided.decidedAt], [from]);
  const live = { ...BODY, messages: BODY.messages.slice(0, 3) };
  const none = sentPrompt(
    callOf("messages", live, { forms: { 0: "F" }, decided: [0] }),
  )!;
  assert.equal(none.decidedAt.size, 0);
});

Deno.test("sentPrompt leaves out the starts inside every turn that is put back, and reaches behind each", () => {
  const elements = Array.from({ length: 6 }, (_, i) => ({
    role: i % 2 ? "assistant" : "user",
    content: `message ${i}`,
  }));
  const turn = (i: number) => `{"role":"user","content":"turn ${i}"}`;
  const call = callOf("messages", { messages: elements });
  const { messages } = call.scan!;
  const turns = [1, 2, 4].map((i) => ({
    span: messages[i]!,
    replacement: new TextEncoder().encode(turn(i)),
  }));
  const bytes = splice(call.body, turns);
  const { sent, edits } = sentPrompt({ ...call, bytes, edits: turns, turns })!;
  assert.deepEqual(
    [...sent.starts],
    [0, 3, 5].map((i) =>
      decoder.decode(bytes).indexOf(JSON.stringify(elements[i]))
    ),
  );
  assert.deepEqual(
    edits.map(({ reach }) => reach),
    [3, 4, 5].map((i) => messages[i]!.end),
  );
});

import assert from "node:assert/strict";
import { wayOf } from "../../src/pipeline/call_ways.ts";
import { finishBody } from "../../src/pipeline/finish_body.ts";
import { planOf } from "../../src/pipeline/plan.ts";
import { bodyOf, messagesClient, talk } from "../conformance/conversation.ts";
import { harness, inputOf } from "./harness.ts";
import type { Edit } from "../../src/core/block.ts";
import type { BodyScan } from "../../src/core/format.ts";
import { mergeEdits } from "../../src/pipeline/merge_edits.ts";

const TALK = talk("x".repeat(900));

Deno.test("finishBody notes nothing of what is sent until it leaves", async () => {
  const entered: string[] = [];
  const { parts } = harness({ enter: (name) => void entered.push(name) });
  const body = bodyOf(messagesClient, TALK, 1);
  const input = inputOf("messages", body);
  const known = parts.bodies.begin(body);
  const scan = input.format.scan(body, known);
  const plan = await planOf(parts, wayOf(input), { input, scan, known });
  entered.length = 0;
  const call = await finishBody(parts, {
    plan,
    kept: { live: [], decisions: [], older: undefined, dropped: [] },
    committed: { forms: new Map(), inserted: [], now: 0 },
    turns: [],
    loaded: new Set(),
  });
  assert.equal(entered.join(), "");
  assert.equal(call.declaration.by, "proxy");
  call.sent();
  const noted = entered.join();
  assert.match(noted, /settle/);
  assert.match(noted, /declare/);
  await call.retract();
});

Deno.test("finishBody that throws after the commit takes the forms and the declaration back", async () => {
  let isBroken = false;
  const { decided, compress, send } = harness({
    enter: (name) => {
      if (name === "linked" && isBroken) throw new Error("a bug");
    },
  });
  await send("messages", bodyOf(messagesClient, TALK, 0));
  const body = bodyOf(messagesClient, TALK, 1);
  isBroken = true;
  const failed = await compress("messages", body);
  assert.equal(failed.bytes, failed.body);
  isBroken = false;
  const again = await compress("messages", body);
  assert.notEqual(again.bytes, again.body);
  assert.equal(decided.length, 2);
});

const block = (start: number, end: number, messageIndex: number) => ({
  span: { start, end },
  messageIndex,
  part: 0,
  callId: "c",
  toolName: "t",
  call: undefined,
  asked: undefined,
});

const NOTHING = new Uint8Array(0);

/**
 * A body of 200 bytes: a model at 2..5, tools at 10..20, a conversation at 30..190 with the user's words at 32..38,
 * reasoning at 62..68 and blocks in messages 1, 3 and 3.
 */
const scan: BodyScan = {
  model: "m",
  modelLiteral: { start: 2, end: 5 },
  streaming: false,
  conversation: { start: 30, end: 190 },
  prompt: [],
  messages: [],
  lastModelMessage: 2,
  lastCall: -1,
  begun: true,
  keepsState: false,
  isSteady: false,
  tools: { span: { start: 10, end: 20 }, names: ["t"], count: 1 },
  toolChoice: undefined,
  maxOutput: undefined,
  noTool: undefined,
  blocks: [block(40, 60, 1), block(100, 120, 3), block(130, 150, 3)],
  firstUserText: [{ start: 32, end: 38 }],
  reasoning: [block(62, 68, 1)],
  lastUserText: undefined,
  userTexts: [],
  calls: [],
  counted: [],
  includeUsage: false,
  usageRequest: { span: { start: 199, end: 199 }, replacement: NOTHING },
  continues: undefined,
};

const edit = (start: number, end: number): Edit => ({
  span: { start, end },
  replacement: Uint8Array.of(start),
});
const starts = (edits: readonly Edit[]) => edits.map((e) => e.span.start);

Deno.test("mergeEdits orders the edits of all proposals", () => {
  const { edits, dropped } = mergeEdits(scan, [
    { zone: "live", edits: [edit(130, 150), edit(100, 120)] },
    { zone: "frozen", edits: [edit(40, 60)] },
    { zone: "reasoning", edits: [edit(62, 68)] },
    { zone: "tools", edits: [edit(12, 14), edit(19, 19)] },
    { zone: "turns", edits: [edit(70, 80), edit(155, 155)] },
    { zone: "said", edits: [edit(37, 37)] },
    { zone: "model", edits: [edit(2, 5)] },
    { zone: "usage", edits: [edit(199, 199)] },
  ]);
  const all = [2, 12, 19, 37, 40, 62, 70, 100, 130, 155, 199];
  assert.deepEqual(starts(edits), all);
  assert.equal(dropped, 0);
});

Deno.test("mergeEdits drops what lies outside its zone and counts it", () => {
  const { edits, dropped } = mergeEdits(scan, [
    // A live stage may not touch a block before the last thing the model said, nor half a block.
    { zone: "live", edits: [edit(40, 60), edit(100, 119), edit(0, 1)] },
    { zone: "frozen", edits: [edit(41, 60)] },
    { zone: "tools", edits: [edit(20, 20), edit(10, 14)] },
    { zone: "reasoning", edits: [edit(62, 67), edit(40, 60)] },
    { zone: "turns", edits: [edit(10, 12), edit(185, 190)] },
    { zone: "said", edits: [edit(36, 36), edit(37, 38)] },
    { zone: "model", edits: [edit(2, 4)] },
    { zone: "usage", edits: [edit(198, 199), edit(199, 200)] },
    { zone: "continues", edits: [edit(199, 199)] },
  ]);
  assert.deepEqual(edits, []);
  assert.equal(dropped, 16);
});

Deno.test("mergeEdits lets the earlier proposal win where two meet", () => {
  for (const turn of [edit(95, 105), edit(100, 120), edit(90, 160)]) {
    const { edits, dropped } = mergeEdits(scan, [
      { zone: "live", edits: [edit(100, 120)] },
      { zone: "turns", edits: [turn] },
    ]);
    assert.deepEqual(edits, [edit(100, 120)]);
    assert.equal(dropped, 1);
  }
});

Deno.test("mergeEdits keeps an insertion right before a replacement", () => {
  const { edits } = mergeEdits(scan, [
    { zone: "live", edits: [edit(100, 120)] },
    { zone: "turns", edits: [edit(100, 100)] },
  ]);
  assert.deepEqual(edits.map((e) => e.span.end), [100, 120]);
});

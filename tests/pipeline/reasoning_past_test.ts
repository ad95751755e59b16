/** How far the reasoning of a conversation was sent: the longest request counts, whoever noted it. */
import assert from "node:assert/strict";
import {
  noteReasoningSent,
  reasoningPast,
} from "../../src/pipeline/reasoning_past.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import { bodyOf, CLIENTS } from "../conformance/conversation.ts";
import { FORMATS, type Harness, harness } from "./harness.ts";

const [client] = CLIENTS;
const format = FORMATS[client!.id]!;
const origin = "origin" as ConversationKey;

/** What is known when the body of `n` results comes. */
function past({ parts }: Harness, n: number) {
  const steps = Array.from({ length: n }, (_, i) => ({
    calls: [{ id: `c${i}`, tool: "Bash", args: {}, result: "ok" }],
  }));
  const body = bodyOf(client!, { question: "why?", steps }, n);
  const scan = format.scan(body);
  return reasoningPast(parts, { input: { format, body }, scan, origin });
}

Deno.test("reasoningPast gives the messages of the longest request, of several processes, in any order", async () => {
  const first = harness();
  const second = harness({ store: first.store });
  const [three, five] = [past(first, 3), past(second, 5)];
  assert.deepEqual([three.sent, five.sent], [0, 0]);
  await noteReasoningSent(second.parts, five.noteSent!);
  // Planned before the longer one had left.
  await noteReasoningSent(first.parts, three.noteSent!);
  for (const one of [first, second, harness({ store: first.store })]) {
    assert.equal(past(one, 2).sent, 11);
    assert.equal(past(one, 5).noteSent, undefined);
    assert.equal(past(one, 6).noteSent?.sent, 13);
  }
});

Deno.test("reasoningPast knows a conversation by its first message until there is a result", async () => {
  const process = harness();
  const early = past(process, 0);
  await noteReasoningSent(process.parts, early.noteSent!);
  assert.equal(past(process, 2).sent, 1);
  await noteReasoningSent(process.parts, past(process, 2).noteSent!);
  assert.deepEqual([past(process, 2).sent, past(process, 0).sent], [5, 1]);
});

Deno.test("reasoningPast knows that reasoning was shortened before the first result came", async () => {
  const process = harness();
  const { noteShortened } = past(process, 0);
  assert.equal(past(process, 2).isShortened, false);
  await process.store.write({ now: 1, responseIds: new Map([noteShortened]) });
  assert.equal(past(process, 2).isShortened, true);
});

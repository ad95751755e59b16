import assert from "node:assert/strict";
import { wayOf } from "../../src/pipeline/call_ways.ts";
import { type Plan, planOf } from "../../src/pipeline/plan.ts";
import {
  bodyOf,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { type Harness, harness, inputOf } from "./harness.ts";

const LONG = Array.from({ length: 50 }, (_, i) => `line ${i} of it`).join("\n");
const TALK: Conversation = {
  question: "why?",
  steps: [LONG, "short", "x".repeat(900)].map((result, i) => ({
    calls: [{ id: `c${i}`, tool: "Bash", args: { command: "x" }, result }],
  })),
};

/** Plans a request of `TALK` with its first `steps` steps. */
function planned(
  { parts }: Harness,
  steps: number,
  tools = true,
): Promise<Plan> {
  const whole = JSON.parse(
    new TextDecoder().decode(bodyOf(messagesClient, TALK, steps)),
  );
  if (!tools) delete whole.tools;
  const body = new TextEncoder().encode(JSON.stringify(whole));
  const input = inputOf("messages", body);
  const known = parts.bodies.begin(body);
  const scan = input.format.scan(body, known);
  return planOf(parts, wayOf(input), { input, scan, known });
}

Deno.test("planOf asks about the newest blocks that may be compressed, and says why others are left alone", async () => {
  const process = harness();
  const send = (steps: number) =>
    process.send("messages", bodyOf(messagesClient, TALK, steps));
  await send(0);
  const first = await planned(process, 1);
  assert.deepEqual(first.asked.map(({ text }) => text), [LONG]);
  assert.equal(first.declaration.by, "proxy");
  await send(1);
  const second = await planned(process, 2);
  assert.deepEqual(second.asked, []);
  assert.deepEqual(second.left.map(({ reason }) => reason), ["too_small"]);
  assert.deepEqual(second.known.map(({ block }) => block.callId), ["c0"]);
});

Deno.test("planOf writes nothing: the same plan is made again", async () => {
  const written: string[] = [];
  const process = harness({
    enter: (name) => {
      if (["write", "linked", "declare", "settle"].includes(name)) {
        written.push(name);
      }
    },
  });
  await process.send("messages", bodyOf(messagesClient, TALK, 0));
  written.length = 0;
  const facts = ({ declaration, asked, left, key }: Plan) => ({
    ...{ declaration, left, key },
    asked: asked.map(({ job }) => job),
  });
  const plan = facts(await planned(process, 1));
  assert.deepEqual(facts(await planned(process, 1)), plan);
  assert.deepEqual(written, []);
});

Deno.test("planOf takes no form with a marker as known where nobody gives the model a way back", async () => {
  const process = harness();
  for (const steps of [0, 1]) {
    await process.send("messages", bodyOf(messagesClient, TALK, steps));
  }
  const plan = await planned(process, 1, false);
  assert.equal(plan.declaration.by, "nobody");
  assert.deepEqual(plan.known, []);
  assert.equal(plan.recognised.lookups[0]?.state, "form");
});

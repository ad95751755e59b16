import assert from "node:assert/strict";
import { wayOf } from "../../src/pipeline/call_ways.ts";
import type { CompressInput } from "../../src/pipeline/compress_input.ts";
import { finishBody } from "../../src/pipeline/finish_body.ts";
import { planOf } from "../../src/pipeline/plan.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { FORMATS, harness } from "./harness.ts";

const TALK = {
  question: "why?",
  steps: [{
    calls: [{
      id: "c0",
      tool: "Bash",
      args: { command: "x" },
      result: "x".repeat(900),
    }],
  }],
};

Deno.test("finishBody notes nothing of what is sent until it leaves", async () => {
  const entered: string[] = [];
  const { parts } = harness({ enter: (name) => void entered.push(name) });
  const format = FORMATS["messages"]!;
  const body = bodyOf(messagesClient, TALK, 0);
  const input: CompressInput = {
    format,
    body,
    mode: "cache",
    session: undefined,
    agent: undefined,
    refusesTool: () => false,
    signal: new AbortController().signal,
  };
  const known = parts.bodies.begin(body);
  const scan = format.scan(body, known);
  const plan = planOf(parts, wayOf(input), { input, scan, known });
  entered.length = 0;
  const call = finishBody(parts, {
    plan,
    kept: { live: [], decisions: [], older: undefined, dropped: [] },
    committed: { forms: new Map(), inserted: [], now: 0 },
    turns: [],
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

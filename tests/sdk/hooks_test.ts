import assert from "node:assert/strict";
import {
  type CompressEvent,
  CompressionHooks,
  type HookContext,
} from "../../src/sdk/hooks.ts";
import type { Problem } from "../../src/sdk/failures.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, talk } from "./conversations.ts";

const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);

Deno.test("CompressionHooks are told before and after, in this order", async () => {
  const told: [string, HookContext | CompressEvent][] = [];
  class Hooks extends CompressionHooks {
    override preCompress(_: readonly unknown[], context: HookContext): void {
      told.push(["pre", context]);
    }
    override postCompress(event: CompressEvent): void {
      told.push(["post", event]);
    }
  }
  await using svc = createSvc({ hooks: new Hooks() });
  const result = await svc.compress(elements, { model: "m" });
  assert.deepEqual(told.map(([name]) => name), ["pre", "post"]);
  const context = {
    model: "m",
    userQuery: "why?",
    turnNumber: 1,
    toolCalls: ["Bash"],
    format: "anthropic",
  };
  assert.deepEqual(told[0]![1], context);
  const { messages: _, transformsSummary: __, ...facts } = result;
  assert.deepEqual(told[1]![1], { ...context, ...facts });
});

Deno.test("CompressionHooks may give other messages to compress, and those of a call come before the instance's", async () => {
  const other = CLIENTS[1]!.elements(talk("short"), 1);
  await using svc = createSvc({ hooks: { preCompress: () => assert.fail() } });
  const { messages, tokensSaved } = await svc.compress<unknown>(elements, {
    hooks: { preCompress: () => Promise.resolve(other) },
  });
  assert.deepEqual(messages, other);
  assert.equal(tokensSaved, 0);
});

Deno.test("CompressionHooks that throw are reported once and fail nothing", async () => {
  const problems: Problem[] = [];
  await using svc = createSvc({
    onProblem: (problem) => problems.push(problem),
    hooks: {
      preCompress: () => Promise.reject(new Error("pre")),
      postCompress: () => {
        throw new Error("post");
      },
    },
  });
  for (let i = 0; i < 2; i++) {
    assert((await svc.compress(elements)).tokensSaved > 0);
  }
  assert.deepEqual(problems, [
    { stage: "pre_compress_hook", reason: "Error: pre" },
    { stage: "post_compress_hook", reason: "Error: post" },
  ]);
});

Deno.test("CompressionHooks are told of messages that cannot be read", async () => {
  const events: CompressEvent[] = [];
  await using svc = createSvc({ onProblem: () => {} });
  await svc.compress([null], {
    hooks: { postCompress: (event) => void events.push(event) },
  });
  assert.equal(events[0]?.compressed, false);
  assert.match(events[0]?.reason ?? "", /svc can read/);
});

import assert from "node:assert/strict";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  adapterParts,
  compressRequest,
} from "../../src/sdk/adapters/compress_request.ts";
import { absorbing } from "../../src/sdk/absorbing.ts";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { logOf as problemLog } from "../../src/sdk/problems.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, talk } from "./conversations.ts";
import { SYSTEM_CLOCK } from "../../src/system_clock.ts";

const aborted = () =>
  Promise.reject(new DOMException("Too slow", "AbortError"));
const elements = CLIENTS[0]!.elements(talk(logOf(200)), 1);

Deno.test("absorbing gives the fallback for every failure, an abort included, and tells of it", async () => {
  const told: string[] = [];
  const absorb = absorbing(
    makeAttempt(problemLog(({ reason }) => told.push(reason))),
  );
  assert.equal(await absorb("a", () => Promise.resolve(1), 2), 1);
  assert.equal(await absorb("a", () => Promise.reject(new Error("x")), 2), 2);
  assert.equal(await absorb("a", aborted, 2), 2);
  assert.deepEqual(told, ["Error: x", "Error: AbortError: Too slow"]);
});

Deno.test("compress is not aborted by what a hook or a store aborts", async () => {
  const quiet = { onProblem: () => {} };
  await using svc = createSvc({
    ...quiet,
    hooks: { preCompress: aborted, postCompress: aborted },
  });
  assert((await svc.compress(elements)).tokensSaved > 0);

  await using store = openMapStore({ ttlSeconds: 60, clock: SYSTEM_CLOCK });
  await using other = createSvc({
    ...quiet,
    store: { ...store, write: aborted },
  });
  const result = await other.compress(elements);
  assert.deepEqual(result.messages, elements);
  assert.equal(result.compressed, false);
  assert.match(result.reason ?? "", /Too slow/);
});

Deno.test("compress passes over messages of a hook's that cannot be read", async () => {
  await using svc = createSvc({ onProblem: () => {} });
  const trap = {
    get role(): string {
      throw new Error("a trap");
    },
  };
  const hooks = { preCompress: () => [trap] };
  const { messages } = await svc.compress<unknown>(elements, { hooks });
  assert.equal(messages.length, elements.length);
});

Deno.test("a wrapped client's request leaves as it is when what compresses, or who is told, aborts", async () => {
  const request = { messages: elements };
  const facts = { format: "anthropic", key: "messages", tools: [] } as const;
  const quiet = { onProblem: () => {} };
  const failing = adapterParts({ ...quiet, compress: aborted });
  assert.equal(await compressRequest(failing, request, facts), request);
  await using svc = createSvc();
  const told = adapterParts({ ...quiet, svc, onCompressed: aborted });
  await compressRequest(told, request, facts);
});

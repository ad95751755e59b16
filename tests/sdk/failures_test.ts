import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  adapterParts,
  compressRequest,
} from "../../src/sdk/adapters/compress_request.ts";
import {
  absorbing,
  logOf as problemLog,
  type Problem,
  unchanged,
} from "../../src/sdk/failures.ts";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, NO_FIGURES, talk } from "./conversations.ts";
import { SYSTEM_CLOCK } from "../../src/system_clock.ts";
import assert from "node:assert/strict";

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

Deno.test("logOf tells the stage and the reason, by the event where a record names no stage", () => {
  const problems: Problem[] = [];
  const log = problemLog((problem) => problems.push(problem));
  log("warn", "stage_failed", { stage: "scan", reason: "no role" });
  log("warn", "ccr_touch_failed", { reason: "full" });
  log("error", "odd");
  assert.deepEqual(problems, [
    { stage: "scan", reason: "no role" },
    { stage: "ccr_touch_failed", reason: "full" },
    { stage: "odd", reason: "" },
  ]);
});

Deno.test("unchanged hands the messages on in a new array, with the reason and no figures", () => {
  const messages = [{ role: "user", content: "x" }];
  const { messages: made, ...facts } = unchanged(messages, "why");
  assert.notEqual(made, messages);
  assert.equal(made[0], messages[0]);
  assert.deepEqual(facts, {
    ...NO_FIGURES,
    reason: "why",
  });
});

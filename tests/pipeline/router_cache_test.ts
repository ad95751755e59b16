import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import {
  rememberDecisions,
  ROUTER_CACHE_TTL_MS,
} from "../../src/pipeline/router_cache.ts";
import { jobOf } from "./jobs.ts";

const form: Decision = {
  type: "form",
  literal: new Uint8Array([0x22, 0x22]),
  strategy: "log",
  tokensBefore: 9,
  tokensAfter: 1,
  elision: undefined,
  looked: { kind: "log", parts: [] },
};

/** A cache over `answer`, and the texts that it had to ask for. */
function cacheOver(answer: (job: BlockJob) => Decision) {
  const asked: string[] = [];
  const clock = { ms: 0 };
  const decide = rememberDecisions({
    skips: new Map(),
    results: new Map(),
    digest: ccrKey,
    clock: { now: () => 0, monotonic: () => clock.ms },
  }, (jobs) => {
    asked.push(...jobs.map(({ text }) => text));
    return Promise.resolve(jobs.map(answer));
  });
  return { decide, asked, clock };
}

Deno.test("rememberDecisions asks once for a form and once for a text that is left alone", async () => {
  const { decide, asked } = cacheOver(({ text }) =>
    text === "a" ? form : { type: "alone", reason: text }
  );
  const first = await decide([jobOf("a"), jobOf("b")]);
  assert.deepEqual(asked, ["a", "b"]);
  assert.deepEqual(await decide([jobOf("b"), jobOf("c"), jobOf("a")]), [
    first[1],
    { type: "alone", reason: "c" },
    first[0],
  ]);
  assert.deepEqual(asked, ["a", "b", "c"]);
});

Deno.test("rememberDecisions asks again when anything that a form depends on is another", async () => {
  const changes: Partial<BlockJob>[] = [
    { toolName: "Grep" },
    { rule: "read" },
    { path: "a.ts" },
    { query: "why" },
    { mayElide: false },
    { mayOutline: true },
    { model: "gpt-5" },
    { options: { exact: true, folds: true, codeAware: true } },
    { options: { exact: false, folds: false, codeAware: true } },
    { options: { exact: false, folds: true, codeAware: false } },
  ];
  const { decide, asked } = cacheOver(() => form);
  await decide([jobOf("a"), ...changes.map((change) => jobOf("a", change))]);
  assert.equal(asked.length, changes.length + 1);
  await decide([jobOf("a"), ...changes.map((change) => jobOf("a", change))]);
  assert.equal(asked.length, changes.length + 1);
});

Deno.test("rememberDecisions forgets after 30 minutes, and never keeps a failure", async () => {
  const { decide, asked, clock } = cacheOver(({ text }) =>
    text === "bug" ? { type: "failed", reason: "bug" } : form
  );
  await decide([jobOf("a"), jobOf("bug")]);
  clock.ms = ROUTER_CACHE_TTL_MS - 1;
  await decide([jobOf("a"), jobOf("bug")]);
  assert.deepEqual(asked, ["a", "bug", "bug"]);
  clock.ms = ROUTER_CACHE_TTL_MS;
  await decide([jobOf("a")]);
  assert.deepEqual(asked, ["a", "bug", "bug", "a"]);
});

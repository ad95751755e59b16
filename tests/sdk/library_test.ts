import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import type { CcrEntry } from "../../src/core/store.ts";
import { makeLibrary } from "../../src/sdk/library.ts";

function library(decide: (job: BlockJob) => Decision) {
  const kept: CcrEntry[] = [];
  const jobs: BlockJob[] = [];
  const made = makeLibrary({
    decide: (job) => {
      jobs.push(job);
      return Promise.resolve(decide(job));
    },
    count: (text) => Promise.resolve(text.length),
    keyOf: ccrKey,
  }, {
    keep: (entry) => Promise.resolve(void kept.push(entry)),
    now: () => 7,
  });
  return { ...made, kept, jobs };
}

Deno.test("the library takes its decisions and counts from the engine it is given", async () => {
  const { compressText, kept, jobs } = library((job) => ({
    type: "form",
    literal: new TextEncoder().encode('"short"'),
    strategy: "log",
    tokensBefore: 99,
    tokensAfter: 5,
    elision: { key: job.original, total: 9, kept: 1 },
    looked: { kind: "log", parts: [] },
  }));
  const result = await compressText("a long text", { query: "why" });
  assert.equal(result.text, "short");
  assert.equal(result.tokensBefore, "a long text".length);
  assert.equal(jobs[0]?.query, "why");
  assert.deepEqual(kept.map(({ key, formTokens }) => [key, formTokens]), [
    [ccrKey("a long text"), 5],
  ]);
});

Deno.test("the library gives the text back with the reason when nothing was decided", async () => {
  const { compressText } = library(() => ({
    type: "alone",
    reason: "no_kind",
  }));
  const { text, reason } = await compressText("x y z");
  assert.deepEqual([text, reason], ["x y z", "no_kind"]);
});

Deno.test("the library follows the rules for tools that it is given", async () => {
  const jobs: BlockJob[] = [];
  const { compressText } = makeLibrary({
    decide: (job) => {
      jobs.push(job);
      return Promise.resolve({ type: "alone", reason: "no_kind" });
    },
    count: (text) => text.length,
    keyOf: ccrKey,
  }, {
    keep: () => Promise.resolve(),
    now: () => 7,
    toolRules: [
      { pattern: "deploy", rule: "never" },
      { pattern: "*list", rule: "lossless" },
      { pattern: "read", rule: "lossless" },
    ],
  });
  const { reason } = await compressText("a", { toolName: "deploy" });
  assert.equal(reason, "never_compressed_tool");
  await compressText("a", { toolName: "job_list" });
  await compressText("a", { toolName: "Read" });
  await compressText("a", { toolName: "other" });
  assert.deepEqual(jobs.map(({ rule, mayElide }) => [rule, mayElide]), [
    ["lossless", true],
    ["read", false],
    ["normal", true],
  ]);
});

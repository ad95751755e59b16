import assert from "node:assert/strict";
import { makeCompression, makeMemory } from "../src/open_compression.ts";
import { makeAttempt } from "../src/pipeline/attempt.ts";
import type { Compute } from "../src/compute/open_compute.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import { openMemoryStore } from "../src/ccr/open_store.ts";

const clock = { now: () => 0, monotonic: () => 0 };
const log = () => {};
const configOf = (env: Record<string, string>) =>
  resolveConfig({ env: { SVC_STATELESS: "true", ...env } });

function surroundings() {
  const store = openMemoryStore({ ttlSeconds: 60, clock, log });
  const compute = undefined as unknown as Compute;
  return { store, compute, attempt: makeAttempt(log), clock, log };
}

Deno.test("makeCompression takes what is allowed from the configuration, and keeps what is remembered", () => {
  const io = surroundings();
  const memory = makeMemory(configOf({}), io);
  const before = makeCompression(configOf({}), io, memory);
  const after = makeCompression(
    configOf({ SVC_LOSSLESS: "1", SVC_TOOL_POLICY: "X=never" }),
    io,
    memory,
  );
  assert.equal(before.parts.ccr, true);
  assert.equal(before.parts.options.exact, false);
  assert.equal(after.parts.ccr, false);
  assert.equal(after.parts.options.exact, true);
  assert.equal(after.parts.toolRules.length, 1);
  assert.equal(after.parts.forms, before.parts.forms);
  assert.equal(after.parts.conversations, before.parts.conversations);
  assert.equal(after.counter, before.counter);
});

Deno.test("makeCompression logs that older blocks got forms, without any text", () => {
  const logged: unknown[] = [];
  const io = {
    ...surroundings(),
    log: (...record: unknown[]) => void logged.push(record),
  };
  const { parts } = makeCompression(
    configOf({}),
    io,
    makeMemory(configOf({}), io),
  );
  parts.onOlderDecided("k" as never, {
    reason: "pays",
    blocks: 2,
    tokensSaved: 9,
  });
  assert.deepEqual(logged, [["info", "older_blocks_decided", {
    conversation: "k",
    reason: "pays",
    blocks: 2,
    tokens_saved: 9,
  }]]);
});

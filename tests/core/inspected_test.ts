import assert from "node:assert/strict";
import {
  blockFacts,
  blockTexts,
  requestFacts,
  type TextStore,
} from "../../src/core/inspected.ts";
import type {
  BlockKey,
  CcrEntry,
  CcrKey,
  FrozenForm,
} from "../../src/core/store.ts";
import {
  aloneBlock,
  blockOf,
  proofOf,
  requestOf,
} from "../cli/inspect/samples.ts";

Deno.test("requestFacts says what is known, with null for the rest", () => {
  const parts = {
    at: Date.UTC(2026, 0, 31),
    stack: "",
    upstream: "",
    ttfbMs: undefined,
    output: undefined,
    nanoUsd: undefined,
    latencyMs: 45.52212700000018,
  };
  const facts = requestFacts(requestOf(7, parts));
  assert.equal(facts.timestamp, "2026-01-31T00:00:00.000Z");
  assert.equal(facts.seq, 7);
  assert.equal(facts.savings_percent, 79.91);
  assert.deepEqual(facts.usage, {
    input: 12,
    cache_read: 15_000,
    cache_write: 1988,
    output: null,
  });
  assert.deepEqual(
    [facts.stack, facts.upstream, facts.ttfb_ms, facts.cost_usd],
    [null, null, null, null],
  );
  assert.equal(facts.saved_net_usd, 0.020166);
  assert.equal(facts.latency_ms, 45.522);
  assert.equal("blocks" in facts, false);
});

Deno.test("requestFacts names the client's model where a rule asked another", () => {
  const routed = requestFacts(requestOf(1, { routedFrom: "big" }));
  assert.deepEqual([routed.model, routed.routed_from], ["model-1", "big"]);
  assert.equal(requestFacts(requestOf(1)).routed_from, null);
});

Deno.test("requestFacts divides by no zero, and gives the prefix proof", () => {
  const prefix = proofOf({ verdict: "client", firstDifference: "/a" });
  const facts = requestFacts(
    requestOf(1, { tokensBefore: 0, tokensSaved: 0, prefix }),
  );
  assert.equal(facts.savings_percent, 0);
  assert.deepEqual(facts.prefix, {
    verdict: "client",
    previous_bytes: 12_345,
    equal_bytes: 12_345,
    first_difference: "/a",
  });
  const none = requestFacts(requestOf(1, { prefix: undefined }));
  assert.equal(none.prefix, null);
});

Deno.test("blockFacts counts blocks from 1", () => {
  const facts = blockFacts(aloneBlock(), 1);
  assert.equal(facts.number, 2);
  assert.deepEqual(
    [facts.reason, facts.strategy, facts.tokens_before, facts.hash],
    ["file_read", null, null, null],
  );
  assert.equal(blockFacts(blockOf(), 0).hash, "ba7816bf8f01cfea414140de");
});

const FORM: FrozenForm = {
  literal: new TextEncoder().encode('"a\\n\\u00e9"'),
  strategy: "log",
  entry: undefined,
  definition: undefined,
  tokensBefore: 9,
  tokensAfter: 2,
};

function storeOf(entry: ReturnType<TextStore["entry"]>): TextStore {
  return {
    forms: (keys) => new Map(keys.map((key: BlockKey) => [key, FORM])),
    entry: () => entry,
  };
}

Deno.test("blockTexts decodes the form and gives the original as long as it is kept", () => {
  const kept: CcrEntry = {
    key: "k" as CcrKey,
    original: "a\nb\né",
    strategy: "log",
    toolName: "",
    originalTokens: 9,
    formTokens: 2,
    originalItems: 3,
    keptItems: 2,
    storedAt: 0,
  };
  assert.deepEqual(blockTexts(blockOf(), storeOf(kept), 0), {
    form: "a\né",
    original: "a\nb\né",
    originalStatus: "kept",
  });
  const expired = storeOf({ status: "expired", ageMs: 1 });
  assert.deepEqual(blockTexts(blockOf(), expired, 0), {
    form: "a\né",
    original: undefined,
    originalStatus: "expired",
  });
});

Deno.test("blockTexts asks for no form of a block that was left alone, and no original where nothing was left out", () => {
  const store = storeOf({ status: "missing" });
  const never = { original: undefined, originalStatus: "never_kept" };
  assert.deepEqual(blockTexts(aloneBlock(), store, 0), {
    form: undefined,
    ...never,
  });
  const reformatted = blockOf({ outcome: "reformatted", entry: undefined });
  assert.deepEqual(blockTexts(reformatted, store, 0), {
    form: "a\né",
    ...never,
  });
});

import assert from "node:assert/strict";
import type {
  CcrBatch,
  CcrKey,
  ConversationKey,
} from "../../src/core/store.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  commit,
  type CommitInput,
  decidedBlocks,
  keepOnly,
  retract,
} from "../../src/pipeline/commit_forms.ts";
import { FIRST_TURN } from "../../src/pipeline/turn.ts";
import type { CompressParts } from "../../src/pipeline/compress_parts.ts";
import type { LiveBlock } from "../../src/pipeline/live_zone_pass.ts";
import type { Decision } from "../../src/core/decision.ts";

const key = "conv" as ConversationKey;
const proxy = {
  by: "proxy",
  pinned: "def",
  begins: true,
  mayElide: true,
} as const;
const block = (name: string) =>
  ({
    key: name,
    text: `text of ${name}`,
    block: { span: { start: 0, end: 1 } },
    job: { toolName: "Bash" },
  }) as unknown as LiveBlock;
const form = (entry?: string): Decision => ({
  type: "form",
  literal: new Uint8Array(),
  strategy: "log",
  tokensBefore: 9,
  tokensAfter: 3,
  elision: entry === undefined
    ? undefined
    : { key: entry as CcrKey, total: 9, kept: 1 },
  looked: { kind: "log", parts: [] },
});

function partsWith(write?: (batch: CcrBatch) => Promise<never>) {
  const batches: CcrBatch[] = [];
  const forgotten: unknown[] = [];
  const attempt = makeAttempt(() => {});
  const parts = {
    attempt,
    clock: { now: () => 7, monotonic: () => 7 },
    forms: { forget: (keys: unknown) => void forgotten.push(keys) },
    store: {
      write: write ?? ((batch: CcrBatch) => {
        batches.push(batch);
        const forms = batch.forms ?? new Map();
        return Promise.resolve({ forms, inserted: [...forms.keys()] });
      }),
    },
  } as unknown as CompressParts;
  return { parts, batches, forgotten, attempt };
}

const input = (changes: Partial<CommitInput>): CommitInput => ({
  turn: FIRST_TURN,
  key,
  pinned: "def",
  begins: false,
  keepsState: false,
  live: [],
  decisions: [],
  known: [],
  body: new Uint8Array(),
  signal: new AbortController().signal,
  ...changes,
});

Deno.test("commit writes forms, originals and the definition in one batch", async () => {
  const { parts, batches } = partsWith();
  const committed = await commit(
    parts,
    input({
      live: [block("a"), block("b"), block("c")],
      decisions: [form("k"), { type: "alone", reason: "x" }, form()],
    }),
  );
  const [batch] = batches;
  assert.equal(batches.length, 1);
  assert.deepEqual([...batch!.forms!.keys()], ["a", "c"]);
  assert.deepEqual(batch!.entries!.map(({ original }) => original), [
    "text of a",
  ]);
  assert.equal(batch!.definition, "def");
  assert.deepEqual(committed.inserted, ["a", "c"]);
  assert.deepEqual(committed.linked, ["k"]);
});

Deno.test("commit writes nothing when there is nothing, and a new declaration by itself", async () => {
  const { parts, batches } = partsWith();
  await commit(parts, input({}));
  assert.equal(batches.length, 0);
  await commit(parts, input({ begins: true }));
  assert.equal(batches[0]?.definition, "def");
});

Deno.test("commit leaves the blocks as they are when the store refuses, and counts a failed compressor", async () => {
  const refused = partsWith(() => Promise.reject(new Error("locked")));
  const committed = await commit(
    refused.parts,
    input({
      live: [block("a"), block("b")],
      decisions: [form(), { type: "failed", reason: "bug" }],
    }),
  );
  assert.equal(committed.forms.size, 0);
  assert.equal(committed.linked, undefined);
  assert.equal(refused.attempt.failures.get("commit_forms"), 1);
  assert.equal(refused.attempt.failures.get("compress_block"), 1);
});

Deno.test("commit throws an abort and keeps what it wrote", async () => {
  const { parts, batches } = partsWith();
  const aborter = new AbortController();
  aborter.abort();
  const live = [block("a")];
  await assert.rejects(
    commit(
      parts,
      input({ live, decisions: [form()], signal: aborter.signal }),
    ),
    { name: "AbortError" },
  );
  assert.equal(batches.length, 1);
});

Deno.test("keepOnly stores originals and no form, and gives back the forms to send", async () => {
  const { parts, batches } = partsWith();
  const { forms, inserted, linked } = await keepOnly(
    parts,
    input({
      live: [block("a"), block("b"), block("c")],
      decisions: [form("k"), { type: "alone", reason: "x" }, form()],
    }),
  );
  assert.deepEqual([...forms.keys()], ["a", "c"]);
  assert.deepEqual(inserted, []);
  assert.equal(linked, undefined);
  const [batch] = batches;
  assert.equal(batches.length, 1);
  assert.equal(batch!.forms, undefined);
  assert.equal(batch!.definition, undefined);
  assert.deepEqual(batch!.entries!.map(({ original }) => original), [
    "text of a",
  ]);
});

Deno.test("keepOnly lets no marker leave whose original is refused", async () => {
  const refused = partsWith(() => Promise.reject(new Error("locked")));
  const { forms } = await keepOnly(
    refused.parts,
    input({
      live: [block("a"), block("b")],
      decisions: [form("k"), form()],
    }),
  );
  assert.deepEqual([...forms.keys()], ["b"]);
});

Deno.test("decidedBlocks takes what the store holds, and no elided form without the tool", async () => {
  const { parts } = partsWith();
  const live = [block("a"), block("b"), block("c")];
  const decisions = [
    form("k"),
    form(),
    { type: "alone", reason: "x" } as const,
  ];
  const committed = await commit(parts, input({ live, decisions }));
  assert.equal(decidedBlocks(live, proxy, committed).length, 2);
  const nobody = { by: "nobody", reason: "no_tools" } as const;
  assert.equal(decidedBlocks(live, nobody, committed).length, 1);
});

Deno.test("retract forgets and removes, and does nothing for nothing", async () => {
  const { parts, batches, forgotten } = partsWith();
  await retract(parts, []);
  assert.equal(batches.length, 0);
  const keys = [block("a").key];
  await retract(parts, keys);
  assert.deepEqual(batches[0]?.retract, keys);
  assert.deepEqual(forgotten, [keys]);
});
